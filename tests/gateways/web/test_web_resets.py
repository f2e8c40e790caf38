"""Connections that are reset, in every state: two who play notice nothing."""

import asyncio
import contextlib
import logging
import socket
import struct

import pytest

from tests.gateways.web.browsers import house, table
from tests.gateways.web.test_web_frames import LAST, TEXT, frame

RESET = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
HEAD = (
    b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
STATES = {
    "nothing said": [],
    "half a request": [b"GET / HT"],
    "half a body": [b"POST /api/matches HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n{"],
    "an answer on its way": [b"GET /api/games HTTP/1.1\r\nHost: a\r\n\r\n"],
    "a handshake on its way": [HEAD],
    "half a frame": [HEAD, frame(LAST | TEXT, b"abc")[:4]],
    "in the middle of a message": [HEAD, frame(TEXT, b"abc")],
    "watching": [HEAD, frame(LAST | TEXT, b'{"type":"watch-lobby"}')],
    "leaving": [HEAD, frame(LAST | 8, b"\x03\xe8")],
}


@pytest.mark.parametrize("state", STATES)
async def test_a_reset_ends_one_connection_and_disturbs_nobody(
    state: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with house() as doors, table(doors) as (match, one, other):
        for _ in range(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", doors.port)
            for part in STATES[state]:
                writer.write(part)
                await writer.drain()
                if part is HEAD and len(STATES[state]) > 1:
                    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
            writer.get_extra_info("socket").setsockopt(*RESET)
            writer.transport.abort()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

        await one.ask("move", match=match, move="0,0", ply=0)
        heard = await other.event(match, "move")
    assert heard["move"] == "0,0"
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
