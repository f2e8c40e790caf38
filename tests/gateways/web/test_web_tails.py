"""Who does not read the end of an answer does not keep a connection by it."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.gateways import Limits
from parlour.gateways.web import _frames
from parlour.gateways.web._http import HttpProtocol
from tests.gateways.web.browsers import SOON, House, house
from tests.gateways.web.test_web_frames import LAST, TEXT, frame
from tests.gateways.web.test_web_handshakes import REFUSED, nobody_is_left
from tests.gateways.web.test_web_idle import WHOLE
from tests.gateways.web.test_web_malformed import CLOSING, JUNK

ASKED = b"GET /long.txt HTTP/1.1\r\nHost: a\r\n\r\n"
LENGTH = 60_000  # bytes of an answer: with a short one less than makes the server wait
SOME = Limits(stalled=0.5)
ITS_HALF = b""  # after which nothing is said


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A folder with files that are not read."""
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "long.txt").write_text("x" * LENGTH)
    (tmp_path / "short.txt").write_text("x" * (LENGTH // 3))
    return tmp_path


def unsent(doors: House) -> int:
    """Bytes that wait in the server for their reader."""
    return sum(one.transport.get_write_buffer_size() for one in doors.connections())


UPGRADE = (
    b"GET /api/live HTTP/1.1\r\nHost: a\r\nOrigin: http://a\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
SENT_FEW = socket.SOL_SOCKET, socket.SO_SNDBUF, 4096
UNMASKED = bytes(4)  # the key of a frame whose mask changes nothing
PING = b"\x89\xfd" + UNMASKED + bytes(125)
CLOSE = b"\x88\x82" + UNMASKED + (1000).to_bytes(2)


@contextlib.asynccontextmanager
async def deaf(doors: House) -> AsyncIterator[socket.socket]:
    """A connection for which the system takes little, and which nobody reads."""
    with socket.socket() as eve:
        eve.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        eve.setblocking(False)
        await asyncio.get_running_loop().sock_connect(eve, ("127.0.0.1", doors.port))
        yield eve


@contextlib.asynccontextmanager
async def deaf_page(doors: House) -> AsyncIterator[socket.socket]:
    """A WebSocket for which the systems take little, and which nobody reads any more."""
    loop = asyncio.get_running_loop()
    async with deaf(doors) as eve:
        await loop.sock_sendall(eve, UPGRADE)
        assert b" 101 " in await loop.sock_recv(eve, 4096)
        for one in doors.connections():  # so that few frames fill it
            one.transport.get_extra_info("socket").setsockopt(*SENT_FEW)
        yield eve


async def say(eve: socket.socket, said: bytes) -> None:
    if said == ITS_HALF:
        eve.shutdown(socket.SHUT_WR)
    else:
        await asyncio.get_running_loop().sock_sendall(eve, said)


@pytest.mark.parametrize("then", ["close", "its half", "no pong"])
async def test_a_websocket_that_ends_is_over_at_once_and_is_waited_for_so_long(
    then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_frames, "BURST", 100_000)  # frames that one sender may send at once
    if then == "no pong":
        monkeypatch.setattr("parlour.gateways.web._server.PINGED_EVERY", 0.4)
    async with house(limits=SOME) as doors, deaf_page(doors) as eve:
        async with asyncio.timeout(SOON):
            while unsent(doors) < 16_000:  # more than the systems' buffers hold
                await say(eve, PING * 20)
                await asyncio.sleep(0.001)
        assert doors.gateway.hall.connections
        if then != "no pong":
            await say(eve, CLOSE if then == "close" else ITS_HALF)

        async with asyncio.timeout(SOON):
            while doors.gateway.hall.connections:
                await asyncio.sleep(0)
        assert doors.connections()
        await nobody_is_left(doors)


@pytest.mark.parametrize(
    "then",
    [
        pytest.param(CLOSING, id="last"),
        pytest.param(JUNK, id="malformed"),
        pytest.param(ITS_HALF, id="its half"),
        pytest.param(REFUSED["another version"], id="refused"),
        pytest.param(REFUSED["more than one may say"], id="unheard of"),
        pytest.param(WHOLE, id="nothing more", marks=pytest.mark.slow),  # waited for for 5 s
    ],
)
async def test_an_end_that_nobody_reads_is_waited_for_so_long(
    then: bytes, client: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.gateways.web._http.REQUEST_WITHIN", 60.0)  # not for its sake
    async with house(client=client, limits=SOME) as doors, deaf(doors) as eve:
        async with asyncio.timeout(SOON):
            while not unsent(doors):
                await say(eve, ASKED)
                for _ in range(5):
                    await asyncio.sleep(0.001)
        await say(eve, then)

        await nobody_is_left(doors)


async def test_who_does_not_read_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not either when the last message that was heard has been dealt with."""
    monkeypatch.setattr(_frames, "BURST", 100_000)
    bite = PING * 15 + frame(LAST | TEXT, b'{"type":"ping"}')
    assert len(bite) <= _frames.BITE
    limits = Limits(stalled=SOON, messages_at_once=1_000)
    async with house(limits=limits) as doors, deaf_page(doors) as eve:
        (page,) = doors.connections()
        async with asyncio.timeout(SOON):
            while not page._unread.stalls:
                await say(eve, bite)
                await asyncio.sleep(0.001)
            while page.read_paused:
                await asyncio.sleep(0)

        assert not page.transport.is_reading()


async def upgraded(eve: socket.socket, doors: House) -> None:
    """Ask for a WebSocket behind more than makes the server wait for its reader."""
    async with asyncio.timeout(SOON):
        while not (http := [one for one in doors.connections() if isinstance(one, HttpProtocol)]):
            await asyncio.sleep(0)
        transport = http[0].transport
        while transport.get_write_buffer_size() < 10_000:
            await say(eve, ASKED.replace(b"long", b"short"))
            for _ in range(5):
                await asyncio.sleep(0.001)
        await say(eve, ASKED + UPGRADE)
        while not isinstance(transport.get_protocol(), _frames.FrameProtocol):
            await asyncio.sleep(0)
    assert transport.get_write_buffer_size() > _frames.UNREAD_HIGH


async def hears(eve: socket.socket, mark: bytes) -> None:
    """Read until this has come."""
    loop, heard = asyncio.get_running_loop(), b""
    async with asyncio.timeout(SOON):
        while mark not in heard:
            more = await loop.sock_recv(eve, 1 << 16)
            assert more, "the server closed"
            heard = heard[-len(mark) :] + more


@pytest.mark.slow
async def test_a_websocket_behind_an_answer_has_as_long_to_be_read_as_others(client: Path) -> None:
    async with house(client=client, limits=Limits(stalled=2.0)) as doors, deaf(doors) as late:
        await upgraded(late, doors)
        async with deaf(doors) as never:
            await upgraded(never, doors)
            late.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            await hears(late, b" 101 ")
            async with asyncio.timeout(SOON):
                while len(doors.connections()) > 1:  # this one was to be dropped before
                    await asyncio.sleep(0)
        await say(late, frame(LAST | TEXT, b'{"type":"ping","id":7}'))
        await hears(late, b'"id":7')
