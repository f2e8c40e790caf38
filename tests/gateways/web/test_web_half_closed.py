"""Who has said everything and only listens: `nc -N` ends its half when its input ends."""

import asyncio
import gc
import json

import pytest

from tests.gateways.web.browsers import Browser, house
from tests.gateways.web.test_web_idle import HALF, WHOLE, ended, half_a_body
from tests.service import connected

LISTS = b"GET /api/matches HTTP/1.1\r\nHost: a\r\n\r\n"


async def heard(port: int, said: bytes) -> bytes:
    """What is answered when nothing comes after that."""
    async with connected(port) as (reader, writer):
        writer.write(said)
        writer.write_eof()
        return await ended(reader)


def table(browser: Browser) -> bytes:
    """A write, with its body."""
    body = json.dumps({"game": "tictactoe"}).encode()
    cookie = f"parlour_guest={browser.http.cookies['parlour_guest']}"
    return (
        f"POST /api/matches HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n"
        f"X-CSRF-Token: {browser.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body


@pytest.mark.parametrize("said", [WHOLE, LISTS, WHOLE + LISTS, LISTS + WHOLE + LISTS])
async def test_what_was_asked_whole_is_answered_and_then_it_ends(said: bytes) -> None:
    async with house() as doors:
        answers = await heard(doors.port, said)

    assert answers.count(b"200 OK") == said.count(b"GET ")
    assert b'"total":0' in answers or said == WHOLE


def held(port: int) -> int:
    """How many connections to that port the server has not forgotten."""
    gc.collect()
    transports = [one for one in gc.get_objects() if isinstance(one, asyncio.Transport)]
    return sum(one.get_extra_info("sockname")[1] == port for one in transports)


async def test_who_was_answered_and_has_ended_is_held_by_nothing() -> None:
    """A timer that goes on would hold the connection for the time of a request."""
    async with house() as doors, doors.guest() as alice:
        await alice.http.aclose()
        async with connected(doors.port) as (reader, writer):
            writer.write(WHOLE)
            assert await reader.readuntil(b"ok")
            assert held(doors.port) == 1
        for _ in range(3):
            assert b" 201 " in await heard(doors.port, table(alice))
        await asyncio.sleep(0)

        assert held(doors.port) == 0


async def test_what_is_carried_out_is_answered() -> None:
    async with house() as doors, doors.guest() as alice:
        answer = await heard(doors.port, table(alice))
        (stream,) = doors.service.host.directory.unfinished

    assert answer.startswith(b"HTTP/1.1 201 ")
    assert stream.encode() in answer


async def test_what_will_never_be_whole_is_ended_at_once() -> None:
    async with house() as doors, doors.guest() as alice:
        for said in (b"", HALF, half_a_body(alice)):
            assert await heard(doors.port, said) == b""
        assert (await heard(doors.port, WHOLE + HALF)).count(b"200 OK") == 1


async def test_who_has_heard_everything_and_ends_its_half_is_ended_too() -> None:
    async with house() as doors, connected(doors.port) as (reader, writer):
        writer.write(WHOLE)
        assert await reader.readuntil(b"ok")
        writer.write_eof()
        assert await ended(reader) == b""


async def test_a_websocket_ends_with_its_half() -> None:
    async with house() as doors, doors.guest() as alice, alice.tab() as tab:
        await tab.ask("ping")
        tab.socket.transport.write_eof()
        await tab.socket.wait_closed()
