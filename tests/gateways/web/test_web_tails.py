"""Who does not read the end of an answer does not keep a connection by it."""

import asyncio
import socket
from pathlib import Path

import pytest

from parlour.gateways import Limits
from parlour.gateways.web import _frames
from tests.gateways.web.browsers import SOON, House, house
from tests.gateways.web.test_web_handshakes import nobody_is_left

ASKED = b"GET /long.txt HTTP/1.1\r\nHost: a\r\n\r\n"
CLOSING = ASKED.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
LENGTH = 60_000  # bytes of an answer: less than makes the server wait for its reader


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A folder with a file that is not read."""
    (tmp_path / "index.html").write_text("<!doctype html>")
    (tmp_path / "long.txt").write_text("x" * LENGTH)
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


async def test_an_end_of_a_websocket_that_nobody_reads_is_waited_for_so_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_frames, "BURST", 100_000)  # frames that one sender may send at once
    loop = asyncio.get_running_loop()
    async with house(limits=Limits(stalled=0.3)) as doors:
        with socket.socket() as eve:
            eve.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            eve.setblocking(False)
            await loop.sock_connect(eve, ("127.0.0.1", doors.port))
            await loop.sock_sendall(eve, UPGRADE)
            assert b" 101 " in await loop.sock_recv(eve, 4096)
            for one in doors.connections():  # so that few frames fill it
                one.transport.get_extra_info("socket").setsockopt(*SENT_FEW)
            async with asyncio.timeout(SOON):
                while unsent(doors) < 16_000:  # more than the systems' buffers hold
                    await loop.sock_sendall(eve, PING * 20)
                    await asyncio.sleep(0.001)
            await loop.sock_sendall(eve, CLOSE)

            await nobody_is_left(doors)


@pytest.mark.parametrize(
    "then",
    [
        pytest.param(CLOSING, id="last"),
        pytest.param(ASKED + b"-1\r\n\r\n", id="malformed"),
        pytest.param(b"", id="nothing", marks=pytest.mark.slow),  # which is waited for 5 s
    ],
)
async def test_an_end_that_nobody_reads_is_waited_for_so_long(then: bytes, client: Path) -> None:
    loop = asyncio.get_running_loop()
    async with house(client=client, limits=Limits(stalled=0.3)) as doors:
        with socket.socket() as eve:
            eve.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            eve.setblocking(False)
            await loop.sock_connect(eve, ("127.0.0.1", doors.port))
            async with asyncio.timeout(SOON):
                while not unsent(doors):
                    await loop.sock_sendall(eve, ASKED)
                    for _ in range(5):
                        await asyncio.sleep(0.001)
            await loop.sock_sendall(eve, then)

            await nobody_is_left(doors)
