"""A WebSocket that is refused leaves nothing: no connection, and no mistake in the log."""

import asyncio
import logging

import pytest

from tests.gateways.web.browsers import SOON, House, house
from tests.gateways.web.test_web_idle import WHOLE, ended
from tests.service import connected

UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
VERSION = b"Sec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
GOOD = UPGRADE + VERSION + KEY
LIVE = b"GET /api/live HTTP/1.1\r\nHost: a\r\n"
REFUSED = {
    "another version": LIVE + UPGRADE + KEY + b"Sec-WebSocket-Version: 99\r\n\r\n",
    "no version": LIVE + UPGRADE + KEY + b"\r\n",
    "two versions": LIVE + GOOD + VERSION + b"\r\n",
    "no key": LIVE + UPGRADE + VERSION + b"\r\n",
    "two keys": LIVE + GOOD + KEY + b"\r\n",
    "a short key": LIVE + UPGRADE + VERSION + b"Sec-WebSocket-Key: AA==\r\n\r\n",
    "a key of no letters": LIVE + UPGRADE + VERSION + b"Sec-WebSocket-Key: \xff\r\n\r\n",
    "another method": LIVE.replace(b"GET", b"POST") + GOOD + b"\r\n",
    "a body": LIVE + GOOD + b"Content-Length: 2\r\n\r\n{}",
    "more than one may say": LIVE + GOOD + b"X-More: a\r\n" * 200 + b"\r\n",
    "another origin": LIVE + GOOD + b"Origin: http://elsewhere\r\n\r\n",
    "another place": LIVE.replace(b"live", b"dead") + GOOD + b"\r\n",
    "behind another request": WHOLE + LIVE + UPGRADE + VERSION + b"\r\n",
}


async def nobody_is_left(doors: House) -> None:
    """Wait until the server has forgotten every connection."""
    async with asyncio.timeout(SOON):
        while doors.connections():
            await asyncio.sleep(0)


@pytest.mark.parametrize("kind", REFUSED)
async def test_a_refused_handshake_is_answered_and_forgotten(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with house() as doors:
        for _ in range(3):
            async with connected(doors.port) as (reader, writer):
                writer.write(REFUSED[kind])
                assert b"HTTP/1.1 4" in await ended(reader)

        await nobody_is_left(doors)
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []
