"""`parlour play`: a plain line client for each protocol."""

import argparse
import asyncio
import ssl
import sys
import threading

from parlour.cli._address import ConfigError, address
from parlour.cli._errors import CommandError
from parlour.clients import LineClient, Step
from parlour.clients.nedap import NedapLineClient
from parlour.clients.ruc import RucLineClient
from parlour.clients.textbook import TextbookLineClient
from parlour.wire import clean

# Self-signed, and an issuer that is not in the list (X509_V_ERR_* of OpenSSL's x509_vfy.h).
UNKNOWN = (18, 19, 20, 21)
TLS_ALERT = b"\x15\x03"  # RFC 8446, section 5.1: the record's type and the first of its version
SHOWN = 2000  # characters of a line; what a server names itself must not steer the terminal


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour play`."""
    parser = commands.add_parser("play", help="play in this terminal, as a client of a protocol")
    protocols = parser.add_subparsers(metavar="PROTOCOL", required=True)
    textbook = protocols.add_parser("textbook", help="tic-tac-toe")
    textbook.set_defaults(client=lambda _: TextbookLineClient())
    nedap = protocols.add_parser("nedap", help="Go")
    nedap.add_argument("--name", required=True, help="a to z, at most 20 letters")
    nedap.add_argument("--size", type=int, default=9, help="odd, 5 to 131 (9)")
    nedap.add_argument("--opponent", metavar="NAME", help="play only against NAME")
    nedap.set_defaults(client=_nedap)
    ruc = protocols.add_parser("ruc", help="Chinese checkers")
    ruc.add_argument("--room", required=True, help="1 to 64 printable letters")
    ruc.add_argument("--name", required=True, help="1 to 20 letters, digits or _")
    ruc.set_defaults(client=lambda arguments: RucLineClient(arguments.room, arguments.name))
    for protocol in (textbook, nedap, ruc):
        protocol.add_argument("server", metavar="HOST:PORT")
        protocol.add_argument("--tls", action="store_true", help="over TLS")
        protocol.add_argument(
            "--ca", metavar="FILE", help="who may vouch for the server, in PEM (the system's list)"
        )
        protocol.set_defaults(run=play)


def _nedap(arguments: argparse.Namespace) -> NedapLineClient:
    return NedapLineClient(arguments.name, arguments.size, arguments.opponent)


def play(arguments: argparse.Namespace) -> int:
    """Play until the game is over; 1 if it was broken off, by a lost connection for example.

    Raises:
        CommandError: nobody listens at the address.
    """
    try:
        at = address(arguments.server)
    except ConfigError:
        at = None
    if at is None:
        raise CommandError(f"{arguments.server!r} is no address: expected HOST:PORT")
    if arguments.ca and not arguments.tls:
        raise CommandError("--ca is for --tls")
    context = _context(arguments.ca) if arguments.tls else None
    return 1 if asyncio.run(_play(arguments.client(arguments), *at, context)).failed else 0


def _context(ca: str | None) -> ssl.SSLContext:
    """How the server must prove itself.

    Raises:
        CommandError: `ca` holds no certificate.
    """
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:  # ssl.SSLError is one
        reason = error.strerror if error.errno else "it holds no certificate"
        raise CommandError(f"cannot read {ca}: {reason}") from None


def _unproved(error: ssl.SSLCertVerificationError) -> str:
    """Why a server is not believed, and what helps."""
    said = f"proves nothing: {error.verify_message}"
    if error.verify_code in UNKNOWN:
        said += "; --ca FILE names a certificate to trust, as of a server that signs its own"
    return said


def _check_plain(received: bytes, at: str) -> None:
    """Look at what comes first where TLS was not asked for.

    Raises:
        CommandError: it is an alert, or nothing at all.
    """
    if received.startswith(TLS_ALERT):
        raise CommandError(f"{at} speaks TLS: add --tls")
    if not received:
        raise CommandError(
            f"{at} closed the connection without a word: it takes nobody just now, or wants --tls"
        )


async def _connected(
    host: str, port: int, context: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, over TLS where there is a context for it.

    Raises:
        CommandError: nobody listens at the address, or it is not who it should be.
    """
    try:
        return await asyncio.open_connection(host, port, ssl=context)
    except UnicodeError:
        raise CommandError(f"{host!r} is no name of a host") from None
    except ssl.SSLCertVerificationError as error:
        raise CommandError(f"{host}:{port} {_unproved(error)}") from None
    except ssl.SSLError as error:
        raise CommandError(f"no TLS at {host}:{port}: {error.reason}") from None
    except OSError as error:
        # One name can have several addresses; what is wrong with all of them has no strerror.
        reason = error.strerror or str(error)
        raise CommandError(f"nobody answers at {host}:{port}: {reason}") from None


async def _play(client: LineClient, host: str, port: int, context: ssl.SSLContext | None) -> Step:
    """The last step.

    Raises:
        CommandError: nobody listens at the address, or it says nothing that is to be understood.
    """
    reader, writer = await _connected(host, port, context)
    typed = _typed_lines()
    data: asyncio.Task[bytes] = asyncio.create_task(reader.read(65536))
    line: asyncio.Task[str | None] = asyncio.create_task(typed.get())
    plain, step = context is None, client.connected()
    while _carry_out(step, writer):
        await asyncio.wait((data, line), return_when=asyncio.FIRST_COMPLETED)
        if data.done():
            received = _received(data)
            if plain:
                _check_plain(received, f"{host}:{port}")
                plain = False
            step = client.received(received) if received else client.lost()
            data = asyncio.create_task(reader.read(65536))
        else:
            text = line.result()
            if text is None:  # the person has closed the terminal
                break
            step = client.typed(text)
            line = asyncio.create_task(typed.get())
    data.cancel()
    line.cancel()
    writer.close()
    return step


def _received(data: "asyncio.Task[bytes]") -> bytes:
    """What came; nothing when the connection is gone, however it went."""
    try:
        return data.result()
    except OSError:
        return b""


def _carry_out(step: Step, writer: asyncio.StreamWriter) -> bool:
    """Send and show what a step says; False when it was the last."""
    if step.send:
        writer.write(step.send)
    if step.show:
        print("\n".join(clean(line, SHOWN) for line in step.show.split("\n")), flush=True)
    return not step.done


def _typed_lines() -> "asyncio.Queue[str | None]":
    """Lines from standard input as they are typed; None when there will be no more.

    A thread, because Windows has no other way and files cannot be waited for on Linux.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line.rstrip("\r\n"))
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    return lines
