"""Doors over TLS: handshakes that succeed, fail, stall and count, and certificates renewed."""

import asyncio
import contextlib
import errno
import os
import shutil
import socket
import ssl
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from parlour.gateways import (
    Ban,
    BanKind,
    CertificateError,
    Certificates,
    Connection,
    Handshake,
    Limits,
)
from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from tests.service import Service, running

SOON = 5.0
TLS = Path(__file__).parents[1] / "data" / "tls"
ONE = (TLS / "one.crt", TLS / "one.key")
TWO = (TLS / "two.crt", TLS / "two.key")


def trusting(*certs: Path) -> ssl.SSLContext:
    """A client that knows these servers."""
    context = ssl.create_default_context()
    for cert in certs:
        context.load_verify_locations(cert)
    return context


class Door:
    """A port of a service that speaks TLS."""

    def __init__(self, service: Service, port: int, certificates: Certificates) -> None:
        self.service = service
        self.port = port
        self.certificates = certificates

    @contextlib.asynccontextmanager
    async def peer(
        self, *certs: Path, address: str = "127.0.0.1"
    ) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A client that trusts these certificates; none: a plain one."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1",
            self.port,
            ssl=trusting(*certs) if certs else None,
            local_addr=(address, 0),
        )
        try:
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, ssl.SSLError, TimeoutError):
                await writer.wait_closed()

    async def settled(self, to: int = 0) -> None:
        """So many connections are left."""
        async with asyncio.timeout(SOON):
            while len(self.service.desk.connections) != to:
                await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def door(
    limits: Limits | None = None, files: tuple[Path, Path] = ONE, protocol: str = "nedap"
) -> AsyncIterator[Door]:
    """A service with one door over TLS."""
    async with running(limits=limits or Limits()) as service:
        certificates = Certificates(*files)
        make = (
            NedapGateway(NedapOptions(), service.host.directory).session
            if protocol == "nedap"
            else TextbookGateway(TextbookOptions(), service.new_id).session
        )
        connect = partial(Connection, service.desk, make)
        secure = partial(Handshake, service.desk, certificates, connect)
        port = await service.desk.listen(secure, "127.0.0.1", 0)
        await service.desk.start()
        yield Door(service, port, certificates)


async def test_a_client_logs_in_and_looks_for_a_game_over_tls() -> None:
    async with door() as tls, tls.peer(ONE[0]) as (reader, writer):
        writer.write(b"PLAYER alice\nGO 9\n")
        assert await asyncio.wait_for(reader.readline(), SOON) == b"WAITING\n"
        assert writer.get_extra_info("ssl_object").version() in ("TLSv1.3", "TLSv1.2")
        writer.write(b"EXIT\n")
        assert await asyncio.wait_for(reader.read(), SOON) == b""
        writer.close()
        await tls.settled()


async def test_the_last_words_are_read_before_the_end() -> None:
    """TLS has no half-close: whoever is sent away reads why before the goodbye."""
    async with door(protocol="textbook") as tls:
        async with tls.peer(ONE[0]) as first, tls.peer(ONE[0]) as second:
            assert (await first[0].readexactly(4)) == bytes((0, 0, 0, 1))
            assert (await second[0].readexactly(4)) == bytes((0, 0, 0, 2))
            first[1].write(bytes((0, 0, 0, 9)) * 2)
            told = await asyncio.wait_for(second[0].read(), SOON)
            assert told.startswith(bytes((0, 0, 0, 2)))  # the second one has won
            await asyncio.wait_for(first[0].read(), SOON)
        await tls.settled()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "an HTTP request instead of a TLS hello"),
        (b"PLAYER alice\nGO 9\n", "something else instead of a TLS hello"),
        (b"", "gone in the handshake"),
    ],
)
async def test_a_stranger_at_the_door_costs_one_line_of_the_log(
    said: bytes, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "parlour.tls")
    async with door() as tls:
        async with tls.peer() as (reader, writer):
            writer.write(said)
            if not said:
                writer.write_eof()
            with contextlib.suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), SOON)
            await tls.settled()
        async with tls.peer(ONE[0]):  # and others are let in
            pass
        await tls.settled()

    assert [line.partition(": ")[2] for line in caplog.messages] == [f"no TLS: {reason}"]


async def test_who_says_nothing_is_sent_away(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "parlour.tls")
    async with door(Limits(handshake=0.05)) as tls:
        async with tls.peer() as (reader, _):
            assert await asyncio.wait_for(reader.read(), SOON) == b""
        await tls.settled()

    assert "no TLS: the handshake takes too long" in caplog.text


async def test_a_handshake_counts_as_a_connection() -> None:
    async with door(Limits(exempt=("127.0.0.1",), connections=1)) as tls:
        async with tls.peer(address="127.0.0.2"):
            await tls.settled(1)
            async with tls.peer(address="127.0.0.2") as (reader, _):
                assert await asyncio.wait_for(reader.read(), SOON) == b""
            async with tls.peer(ONE[0]):
                pass
        await tls.settled()
        assert not tls.service.desk.gatekeeper.connections


async def test_handshakes_of_one_address_wait_for_their_turn_and_others_do_not() -> None:
    limits = Limits(exempt=("127.0.0.1",), handshakes=10, handshakes_at_once=1)
    async with door(limits) as tls, contextlib.AsyncExitStack() as stack:
        loop = asyncio.get_running_loop()
        began = loop.time()
        waiting = [
            asyncio.create_task(stack.enter_async_context(tls.peer(ONE[0], address="127.0.0.2")))
            for _ in range(6)
        ]
        async with tls.peer(ONE[0]):
            at_once = loop.time() - began
        await asyncio.gather(*waiting)
        took = loop.time() - began

    assert took >= 0.5
    assert at_once < took


async def test_the_service_ends_while_handshakes_wait() -> None:
    with socket.socket() as first, socket.socket() as client:
        loop = asyncio.get_running_loop()
        async with door(Limits(exempt=(), handshakes=1, handshakes_at_once=1)) as tls:
            for one in (first, client):
                one.setblocking(False)
                await loop.sock_connect(one, ("127.0.0.1", tls.port))
            await tls.settled(2)
        assert await asyncio.wait_for(loop.sock_recv(client, 1), SOON) == b""


async def test_a_connection_is_counted_once_and_no_more_when_it_is_gone() -> None:
    async with door(Limits(exempt=(), connections=5)) as tls:
        for _ in range(10):
            async with tls.peer(ONE[0]) as (reader, writer):
                writer.write(b"PLAYER alice\nPLAYER bob\n")
                assert b"WARNING" in await asyncio.wait_for(reader.readline(), SOON)
                assert tls.service.desk.gatekeeper.connections.total() == 1
            await tls.settled()
        assert not tls.service.desk.gatekeeper.connections


async def test_who_comes_when_no_descriptor_is_left_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(descriptor: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    async with door(Limits(exempt=(), connections=1)) as tls:
        with monkeypatch.context() as patched:
            patched.setattr(os, "dup", full)
            async with tls.peer() as (reader, _):
                assert await asyncio.wait_for(reader.read(), SOON) == b""
        assert caplog.messages[0].endswith("no TLS: Too many open files")
        assert not tls.service.desk.gatekeeper.connections
        assert not tls.service.desk.connections
        async with tls.peer(ONE[0]):
            pass
        await tls.settled()


async def test_a_mistake_of_ours_in_a_handshake_is_not_counted_for_ever(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def connect() -> asyncio.BaseProtocol:
        raise ZeroDivisionError

    async with running(limits=Limits(exempt=(), connections=1)) as service:
        desk, certificates = service.desk, Certificates(*ONE)
        port = await desk.listen(partial(Handshake, desk, certificates, connect), "127.0.0.1", 0)
        await desk.start()
        for _ in range(2):
            async with Door(service, port, certificates).peer() as (reader, _):
                assert await asyncio.wait_for(reader.read(), SOON) == b""
            assert not desk.gatekeeper.connections
            assert not desk.connections
    assert caplog.messages == ["a handshake failed"] * 2


@pytest.mark.parametrize("protocol", ["nedap", "textbook"])
async def test_a_ban_reaches_who_is_in_a_handshake(protocol: str) -> None:
    loop = asyncio.get_running_loop()
    async with door(protocol=protocol) as tls:
        client = socket.socket()
        client.setblocking(False)
        await loop.sock_connect(client, ("127.0.0.1", tls.port))
        await tls.settled(1)
        tls.service.desk.bans.put([Ban(BanKind.ADDRESS, "127.0.0.1", reason="noise")])

        reader, writer = await asyncio.open_connection(
            sock=client, ssl=trusting(ONE[0]), server_hostname="localhost"
        )
        writer.write(b"PLAYER alice\nGO 9\n")
        told = await asyncio.wait_for(reader.read(), SOON)
        assert told == (b"WARNING you are banned: noise\n" if protocol == "nedap" else b"")
        writer.close()
        await tls.settled()


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
async def test_an_old_version_is_refused() -> None:
    async with door() as tls:
        old = trusting(ONE[0])
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection("127.0.0.1", tls.port, ssl=old)
        await tls.settled()


async def test_the_service_ends_in_the_middle_of_a_handshake() -> None:
    with socket.socket() as client:
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        async with door() as tls:
            await loop.sock_connect(client, ("127.0.0.1", tls.port))
            await tls.settled(1)
        assert await asyncio.wait_for(loop.sock_recv(client, 1), SOON) == b""


# Certificates


def copied(folder: Path, files: tuple[Path, Path]) -> tuple[Path, Path]:
    """Put a certificate and its key where a server reads them."""
    where = (folder / "cert.pem", folder / "key.pem")
    for source, target in zip(files, where, strict=True):
        shutil.copyfile(source, target)
    return where


async def test_a_renewed_certificate_is_shown_to_whoever_comes_next(tmp_path: Path) -> None:
    files = copied(tmp_path, ONE)
    async with door(files=files) as tls, tls.peer(ONE[0]) as (reader, writer):
        copied(tmp_path, TWO)
        tls.certificates.reload()

        async with tls.peer(TWO[0]):
            pass
        with pytest.raises(ssl.SSLCertVerificationError):
            async with tls.peer(ONE[0]):
                pass
        writer.write(b"PLAYER alice\nPLAYER bob\n")  # who is connected stays so
        assert b"WARNING" in await asyncio.wait_for(reader.readline(), SOON)


async def test_files_that_change_while_they_are_read_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever renews them writes one file after the other, at any moment."""
    read = ssl.SSLContext.load_cert_chain

    def renewed(context: ssl.SSLContext, cert: Path, key: Path, **others: Any) -> None:
        read(context, cert, key, **others)
        shutil.copyfile(TWO[0], cert)  # and the new key is yet to come

    files = copied(tmp_path, ONE)
    async with door(files=files) as tls:
        with monkeypatch.context() as patched:
            patched.setattr(ssl.SSLContext, "load_cert_chain", renewed)
            tls.certificates.reload()
        for _ in range(2):
            async with tls.peer(ONE[0]) as (reader, writer):
                writer.write(b"PLAYER alice\nGO 9\n")
                assert await asyncio.wait_for(reader.readline(), SOON) == b"WAITING\n"
                writer.close()
            with pytest.raises(CertificateError, match="pem"):
                tls.certificates.reload()


@pytest.mark.parametrize("what", ["half", "other key", "missing"])
async def test_files_that_cannot_be_used_change_nothing(tmp_path: Path, what: str) -> None:
    cert, key = files = copied(tmp_path, ONE)
    async with door(files=files) as tls:
        if what == "half":
            cert.write_text(cert.read_text()[:200])
        elif what == "other key":
            shutil.copyfile(TWO[1], key)
        else:
            key.unlink()
        with pytest.raises(CertificateError, match="pem"):
            tls.certificates.reload()

        async with tls.peer(ONE[0]) as (reader, writer):
            writer.write(b"PLAYER alice\nGO 9\n")
            assert await asyncio.wait_for(reader.readline(), SOON) == b"WAITING\n"


async def test_failed_handshakes_of_an_address_cost_one_line_a_second(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "parlour.tls")
    async with door() as tls:
        for _ in range(20):
            async with tls.peer() as (reader, writer):
                writer.write(b"PLAYER alice\nGO 9\n")
                with contextlib.suppress(ConnectionError):
                    await asyncio.wait_for(reader.read(), SOON)
        await tls.settled()

    assert 1 <= len(caplog.messages) < 10
