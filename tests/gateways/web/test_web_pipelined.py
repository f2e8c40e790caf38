"""Who asks for much at once is heard one request after the other, and costs little memory."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.gateways.web.browsers import SOON, House, house
from tests.gateways.web.test_web_frames import LAST, TEXT, frame
from tests.gateways.web.test_web_half_closed import table
from tests.gateways.web.test_web_handshakes import GOOD, LIVE
from tests.gateways.web.test_web_idle import WHOLE
from tests.service import connected

PAGE = b"GET /index.html HTTP/1.1\r\nHost: a\r\n\r\n"
CHUNKED = b"POST /api/matches HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNKED += b"2\r\n{}\r\n0\r\n\r\n"
ANSWERS = 50
MOST = 1 << 19  # bytes: twice what one reading brings


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """A folder with a page, as a build leaves it."""
    (tmp_path / "index.html").write_text("<!doctype html><html><title>A page</title></html>")
    return tmp_path


@contextlib.asynccontextmanager
async def said_again(writer: asyncio.StreamWriter, said: bytes) -> AsyncIterator[None]:
    """The same, as often as it can be sent."""

    async def say() -> None:
        while True:
            writer.write(said)
            await writer.drain()

    saying = asyncio.create_task(say())
    try:
        yield
    finally:
        saying.cancel()
        writer.transport.abort()


def unheard(doors: House) -> int:
    """Bytes that came and wait in the memory of the server."""
    (protocol,) = doors.connections()
    return len(protocol.conn.trailing_data[0])


@pytest.mark.parametrize("kind", ["page", "refused", "write"])
async def test_requests_that_wait_for_their_answer_wait_outside(kind: str, client: Path) -> None:
    async with house(client=client) as doors, doors.guest() as eve:
        await eve.http.aclose()
        said = {"page": PAGE, "refused": CHUNKED, "write": table(eve)}[kind] * 2000
        seen = []
        async with (
            connected(doors.port) as (reader, writer),
            said_again(writer, said),
            asyncio.timeout(SOON),
        ):
            for _ in range(ANSWERS):
                await reader.readuntil(b"HTTP/1.1 ")
                seen.append(unheard(doors))

        assert 0 < max(seen) <= MOST


@pytest.mark.parametrize("many", [1, 3, 60])
async def test_everything_that_was_asked_at_once_is_answered(many: int, client: Path) -> None:
    """Also what came while nothing was read: these are more than one reading brings."""
    long = PAGE.replace(b"\r\n\r\n", b"\r\nX-More: %s\r\n\r\n" % (b"x" * 10_000))
    async with house(client=client) as doors, connected(doors.port) as (reader, writer):
        for said in (long * many, PAGE):
            writer.write(said)
            for _ in range(said.count(b"GET ")):
                async with asyncio.timeout(SOON):
                    assert b" 200 " in await reader.readuntil(b"</html>")


async def test_a_websocket_may_be_asked_for_behind_other_requests() -> None:
    async with house() as doors, connected(doors.port) as (reader, writer):
        writer.write(WHOLE + WHOLE + LIVE + GOOD + b"\r\n")
        async with asyncio.timeout(SOON):
            await reader.readuntil(b" 101 ")
            writer.write(frame(LAST | TEXT, b'{"type":"ping","id":7}'))
            assert await reader.readuntil(b'"id":7')
