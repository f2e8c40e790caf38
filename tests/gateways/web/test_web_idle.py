"""Who says nothing, or half of something, does not keep a connection."""

import asyncio
import contextlib

import pytest

from tests.gateways.web.browsers import SOON, Browser, house
from tests.service import connected

HALF = b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-More: "
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What is heard until the connection ends."""
    heard = b""
    with contextlib.suppress(ConnectionError):
        async with asyncio.timeout(SOON):
            while piece := await reader.read(1 << 16):
                heard += piece
    return heard


def half_a_body(browser: Browser) -> bytes:
    """A write whose body does not come."""
    cookie = f"parlour_guest={browser.http.cookies['parlour_guest']}"
    return (
        f"POST /api/matches HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n"
        f"X-CSRF-Token: {browser.token}\r\nContent-Type: application/json\r\n"
        'Content-Length: 100\r\n\r\n{"ga'
    ).encode()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request has less time than in earnest."""
    monkeypatch.setattr("parlour.gateways.web._http.REQUEST_WITHIN", 0.2)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("said", [b"", HALF, WHOLE + HALF], ids=["nothing", "half", "second"])
async def test_who_does_not_finish_a_request_is_dropped(said: bytes) -> None:
    async with house() as doors, connected(doors.port) as (reader, writer):
        writer.write(said)
        heard = await ended(reader)

    assert heard.count(b"200 OK") == said.count(WHOLE)


@pytest.mark.usefixtures("soon")
async def test_a_request_that_comes_byte_by_byte_has_no_more_time() -> None:
    async def trickle(writer: asyncio.StreamWriter) -> None:
        writer.write(HALF)
        while True:
            writer.write(b"x")
            await asyncio.sleep(0.02)

    async with house() as doors, connected(doors.port) as (reader, writer):
        trickling = asyncio.create_task(trickle(writer))
        await ended(reader)
        trickling.cancel()


@pytest.mark.usefixtures("soon")
async def test_half_a_body_is_dropped_and_no_mistake_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house() as doors, doors.guest() as eve, connected(doors.port) as (reader, writer):
        writer.write(half_a_body(eve))
        await ended(reader)

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.usefixtures("soon")
async def test_a_websocket_lives_longer_than_a_request() -> None:
    async with house() as doors, doors.guest() as alice, alice.tab() as tab:
        async with connected(doors.port) as (reader, _):
            await ended(reader)  # who came later is dropped already
        assert (await tab.ask("ping"))["type"] == "pong"


async def test_a_service_that_stops_waits_for_no_body(caplog: pytest.LogCaptureFixture) -> None:
    async with contextlib.AsyncExitStack() as stack, house() as doors, doors.guest() as eve:
        for _ in range(3):
            _, writer = await stack.enter_async_context(connected(doors.port))
            writer.write(half_a_body(eve))
            await writer.drain()
        await eve.arrive()

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
