"""TLS in front of any door: certificates that can be renewed, and handshakes that end."""

import asyncio
import contextlib
import logging
import os
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

from parlour.games import Refused
from parlour.gateways._addresses import customer_of
from parlour.gateways._desk import Desk
from parlour.gateways._peer import peer_of

log = logging.getLogger("parlour.tls")

SHUTDOWN = 2.0  # seconds in which a peer may answer our goodbye; as long as it may read the end
GONE = "gone in the handshake"
WORDS = {
    "HTTP_REQUEST": "an HTTP request instead of a TLS hello",
    "WRONG_VERSION_NUMBER": "something else instead of a TLS hello",
    "UNSUPPORTED_PROTOCOL": "a version of TLS before 1.2",
}


class CertificateError(Exception):
    """A certificate or its key cannot be used; the message says why."""


class Certificates:
    """What the server proves itself with, from files that are read again when they are renewed."""

    def __init__(self, cert: Path, key: Path) -> None:
        """Read a chain in PEM, the server's own certificate first, and its key.

        Raises:
            CertificateError: they cannot be read or do not fit each other.
        """
        self._files = (cert, key)
        self.context = _context(cert, key)

    def reload(self) -> None:
        """Read the files again: whoever comes next is shown what they hold now.

        Raises:
            CertificateError: they cannot be used, and the old ones stay.
        """
        self.context = _context(*self._files)  # whole, or not at all


def _context(cert: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_CIPHER_SERVER_PREFERENCE
    context.set_alpn_protocols(["http/1.1"])  # for browsers; whoever offers nothing is not asked
    try:
        context.load_cert_chain(cert, key, password=_no_password)
    except ssl.SSLError as error:
        reason = "is no certificate chain with its key" if not error.reason else error.reason
        raise CertificateError(f"{cert} and {key}: {reason}") from None
    except OSError as error:
        raise CertificateError(f"cannot read {_unreadable(cert, key)}: {error.strerror}") from None
    return context


def _no_password() -> str:
    """A key that needs a password is refused: the default would ask a terminal, and wait."""
    return ""


def _unreadable(cert: Path, key: Path) -> Path:
    try:
        cert.read_bytes()
    except OSError:
        return cert
    return key


class Handshake(asyncio.Protocol):
    """A connection until it is secure; `connect` makes what serves it from then on.

    It counts as a connection from its first moment, and ends when the handshake takes too long.
    """

    def __init__(
        self, desk: Desk, certificates: Certificates, connect: Callable[[], asyncio.BaseProtocol]
    ) -> None:
        self._desk = desk
        self._certificates = certificates
        self._connect = connect
        self._address, self._peer = peer_of(None)
        self._bare: socket.socket | None = None
        self._task: asyncio.Task[None] | None = None
        self._turn: asyncio.TimerHandle

    def flush(self) -> None:
        """There is nothing to say."""

    def close(self) -> None:
        """The service stops: both sides see the end, and the handshake fails."""
        if self._bare is None:
            return
        with contextlib.suppress(OSError):
            self._bare.shutdown(socket.SHUT_RDWR)
        if self._task is None:
            self._turn.cancel()
            self._bare.close()
            self._give_up(GONE)

    def drop(self, why: str) -> None:
        """End it without a word."""
        self.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._address, self._peer = peer_of(transport.get_extra_info("peername"))
        try:
            self._bare = bare = self._moved(transport)
            if bare is not None:
                loop = asyncio.get_running_loop()
                self._turn = loop.call_later(self._wait(), self._begin, bare)
        finally:
            transport.close()

    def _moved(self, transport: asyncio.BaseTransport) -> socket.socket | None:
        """The connection by itself, admitted; None: it has no place.

        A transport may read before another protocol can take it over: so the socket moves on.
        """
        try:
            bare = socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno()))
        except OSError as error:  # no descriptors are left
            if self._desk.gatekeeper.may_say(self._address, self._desk.host.now()):
                log.error("%s: no TLS: %s", self._peer, error.strerror)
            return None
        try:
            self._desk.files.admit(bare)
            self._desk.gatekeeper.admit(self._address, self._desk.host.now())
        except Refused:  # TLS has no words for it before the handshake, which costs too much
            bare.close()
            return None
        bare.setblocking(False)
        self._desk.let_in(self)
        return bare

    def _wait(self) -> float:
        """Seconds until it is this one's turn: a handshake costs as much as many connections."""
        desk, customer = self._desk, customer_of(self._address)
        if desk.gatekeeper.is_exempt(self._address):
            return 0
        now = desk.host.now()
        wait = desk.handshakes.wait(customer, now) / 1000
        desk.handshakes.charge(customer, 1, now)
        return wait

    def _begin(self, bare: socket.socket) -> None:
        del self._turn  # which holds this
        self._task = asyncio.get_running_loop().create_task(self._shake_hands(bare))

    async def _shake_hands(self, bare: socket.socket) -> None:
        why, handed_over = GONE, False
        try:
            transport, _ = await asyncio.get_running_loop().connect_accepted_socket(
                self._connect,
                bare,
                ssl=self._certificates.context,
                ssl_handshake_timeout=self._desk.limits.handshake,
                ssl_shutdown_timeout=SHUTDOWN,
            )
            # What serves the connection says when it is gone.
            handed_over = transport.get_extra_info("ssl_object") is not None
        except OSError as error:
            why = _reason(error)
        except Exception:
            log.exception("a handshake failed")
            bare.close()
        finally:
            self._bare = self._task = None  # the task holds this
            if handed_over:
                self._desk.forget(self)
            else:
                self._give_up(why)

    def _give_up(self, why: str) -> None:
        now = self._desk.host.now()
        if self._desk.gatekeeper.may_say(self._address, now):
            log.info("%s: no TLS: %s", self._peer, why)
        self._desk.forget(self)
        self._desk.gatekeeper.left(self._address, False, now)


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return WORDS.get(error.reason or "", error.reason or str(error))
    if isinstance(error, ConnectionAbortedError | TimeoutError) and "longer" in str(error):
        return "the handshake takes too long"
    return GONE
