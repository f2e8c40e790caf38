"""Bytes that are no HTTP, in every place: one connection ends, and the log shows no mistake."""

import asyncio
import logging

import pytest

from tests.gateways.web.browsers import SOON, House, house
from tests.gateways.web.test_web_half_closed import LISTS, table
from tests.gateways.web.test_web_handshakes import nobody_is_left
from tests.gateways.web.test_web_idle import WHOLE, ended
from tests.host.stores import HeldStore
from tests.service import connected

JUNK = b"-1\r\n\r\n"  # no chunk, and no request
CLOSING = WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
CHUNKED = b"Host: a\r\nTransfer-Encoding: chunked\r\n\r\n"
REFUSED = b"PUT /api/me HTTP/1.1\r\n" + CHUNKED  # for want of a cookie, and its body is not read
EMPTY = b"HEAD /healthz HTTP/1.1\r\n" + CHUNKED
AWAY = b"GET /healthz HTTP/1.1\r\n" + CHUNKED


def mistakes(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the operator would read as ours."""
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]


@pytest.mark.parametrize("later", [False, True], ids=["at once", "later"])
@pytest.mark.parametrize(
    ("said", "answered"),
    [
        (b"", [400]),
        (WHOLE, [200, 400]),
        (WHOLE + LISTS, [200, 200, 400]),
        (CLOSING, [200]),
        (b"HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n", [200, 400]),
    ],
)
async def test_what_was_asked_before_is_answered(
    said: bytes, answered: list[int], later: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with house() as doors:
        async with connected(doors.port) as (reader, writer):
            writer.write(said if later else said + JUNK)
            if later:
                await asyncio.sleep(0)
                writer.write(JUNK)
            heard = await ended(reader)
        await nobody_is_left(doors)

    assert [int(one[:3]) for one in heard.split(b"HTTP/1.1 ")[1:]] == answered
    assert mistakes(caplog) == []


@pytest.mark.parametrize("said", [REFUSED, EMPTY, AWAY], ids=["write", "head", "read"])
@pytest.mark.parametrize("when", ["at once", "soon", "answered"])
async def test_a_body_of_no_chunks_ends_the_connection(
    said: bytes, when: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with house() as doors:
        async with connected(doors.port) as (reader, writer):
            writer.write(said + JUNK if when == "at once" else said)
            if when == "answered":
                async with asyncio.timeout(SOON):
                    await reader.readuntil(b"\r\n\r\n")
            if when != "at once":
                await asyncio.sleep(0)
                writer.write(JUNK)
            heard = await ended(reader)
        await nobody_is_left(doors)

    assert heard.count(b"HTTP/1.1 ") <= 1
    assert mistakes(caplog) == []


async def test_a_body_that_goes_wrong_is_said_to_be_wrong_and_does_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house() as doors, doors.guest() as alice:
        await alice.http.aclose()
        head, _, body = table(alice).partition(b"\r\n\r\n")
        lines = [one for one in head.split(b"\r\n") if b"Length" not in one]
        said = b"\r\n".join([*lines, b"Transfer-Encoding: chunked", b"", b""])
        said += b"%x\r\n%s\r\n" % (len(body), body)
        async with connected(doors.port) as (reader, writer):
            writer.write(said)
            for _ in range(20):  # the server waits for the rest of the body
                await asyncio.sleep(0)
            writer.write(JUNK)
            heard = await ended(reader)
        await nobody_is_left(doors)
        assert doors.service.host.directory.unfinished == {}

    assert heard.startswith(b"HTTP/1.1 400 ")
    assert heard.count(b"HTTP/1.1 ") == 1
    assert mistakes(caplog) == []


async def is_served(doors: House) -> None:
    """Somebody else is answered, so the server has read what was sent before."""
    async with connected(doors.port) as (reader, writer):
        writer.write(CLOSING)
        assert (await ended(reader)).startswith(b"HTTP/1.1 200 ")


async def test_what_comes_behind_a_last_request_costs_it_no_answer() -> None:
    store = HeldStore()
    async with house(store=store) as doors, doors.guest() as alice:
        await alice.http.aclose()
        last = table(alice).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
        async with connected(doors.port) as (reader, writer):
            store.held = True
            writer.write(last)
            await is_served(doors)
            writer.write(JUNK)
            await is_served(doors)
            store.release()
            heard = await ended(reader)

    assert heard.startswith(b"HTTP/1.1 201 ")
    assert heard.count(b"HTTP/1.1 ") == 1
