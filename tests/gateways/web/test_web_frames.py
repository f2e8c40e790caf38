"""What a peer may not do with frames: keep everybody waiting, or make us keep its pieces."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from parlour.gateways import Limits
from tests.gateways.web.browsers import SOON, house
from tests.service import connected

TEXT, CONTINUATION, PING, PONG = 1, 0, 9, 10
LAST = 0x80


def frame(opcode: int, payload: bytes = b"") -> bytes:
    """A short frame as browsers send it, masked with nothing; LAST is part of the opcode."""
    return bytes((opcode, 0x80 | len(payload))) + bytes(4) + payload


class Raw:
    """A WebSocket that sends whatever bytes it is given."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def end(self) -> int:
        """The code of the close frame that ends the connection."""
        async with asyncio.timeout(SOON):
            heard = await self.reader.read()
        code = heard[heard.rindex(b"\x88") + 2 :][:2]
        return int.from_bytes(code)


@contextlib.asynccontextmanager
async def raw(port: int, address: str = "127.0.0.1") -> AsyncIterator[Raw]:
    """A connection of nobody, past the handshake."""
    async with connected(port, address) as (reader, writer):
        writer.write(
            f"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        yield Raw(reader, writer)


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (b"", frame(LAST | PING)),
        (b"", frame(LAST | PONG)),
        (b"", frame(LAST | TEXT)),
        (frame(TEXT), frame(CONTINUATION)),
    ],
    ids=["ping", "pong", "text", "continuation"],
)
async def test_a_flood_of_empty_frames_is_ended(first: bytes, again: bytes) -> None:
    async with house() as doors, raw(doors.port) as eve:
        eve.writer.write(first + again * 500)

        assert await eve.end() == 1008


async def test_a_message_in_many_pieces_is_not_kept() -> None:
    async with house() as doors, raw(doors.port) as eve:
        eve.writer.write(frame(TEXT, b"a") + frame(CONTINUATION, b"b") * 64)

        assert await eve.end() == 1008


async def test_a_message_in_some_pieces_is_heard_with_pings_in_between() -> None:
    pieces = [b'{"type":', b'"ping",', b'"id":', b"7}"]
    async with house() as doors, raw(doors.port) as alice:
        alice.writer.write(frame(TEXT, pieces[0]) + frame(LAST | PING, b"there?"))
        alice.writer.write(b"".join(frame(CONTINUATION, piece) for piece in pieces[1:-1]))
        alice.writer.write(frame(LAST | CONTINUATION, pieces[-1]))
        async with asyncio.timeout(SOON):
            assert await alice.reader.readuntil(b'"id":7')


async def test_everything_that_came_at_once_is_heard_a_bite_at_a_time() -> None:
    requests = [b'{"type":"ping","id":%d,"more":"%s"}' % (one, b"x" * 60) for one in range(50)]
    came = b"".join(frame(LAST | TEXT, one) for one in requests)
    async with house() as doors, raw(doors.port) as alice:
        waiting = []

        alice.writer.write(came)
        for _ in range(100):
            waiting.append(doors.service.desk.turns.waiting)
            await asyncio.sleep(0)

        assert sum(waiting) >= len(came) / 2048  # for each bite it had to wait
        async with asyncio.timeout(SOON):
            for one in range(50):
                await alice.reader.readuntil(b'"id":%d' % one)


async def test_others_are_answered_while_somebody_floods() -> None:
    async with (
        house() as doors,
        doors.guest() as alice,
        alice.tab() as tab,
        contextlib.AsyncExitStack() as stack,
    ):
        for _ in range(20):
            eve = await stack.enter_async_context(raw(doors.port))
            eve.writer.write(frame(LAST | PING) * 40_000)
        async with asyncio.timeout(1):
            await tab.ask("ping")


async def test_many_of_one_address_take_turns_and_are_all_heard() -> None:
    limits = Limits(exempt=("127.0.0.1",))
    async with house(limits=limits) as doors, contextlib.AsyncExitStack() as stack:
        enter, turns = stack.enter_async_context, doors.service.desk.turns
        crowd = [await enter(raw(doors.port, "127.0.0.2")) for _ in range(40)]
        waiting = [0]

        for eve in crowd:
            eve.writer.write(frame(LAST | TEXT, b'{"type":"ping","id":7}'))
        for _ in range(100):
            waiting.append(turns.waiting)
            await asyncio.sleep(0)

        assert 16 < max(waiting) <= 40 - 8
        async with asyncio.timeout(SOON):
            for eve in crowd:
                assert await eve.reader.readuntil(b'"id":7')


async def test_who_is_exempt_is_heard_at_once() -> None:
    async with house() as doors, contextlib.AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(raw(doors.port)) for _ in range(40)]
        waiting = [0]

        for eve in crowd:
            eve.writer.write(frame(LAST | TEXT, b'{"type":"ping","id":7}'))
        for _ in range(100):
            waiting.append(doors.service.desk.turns.waiting)
            await asyncio.sleep(0)

        assert max(waiting) == 0


async def test_text_that_is_no_text_ends_the_connection_without_alarm(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house() as doors, raw(doors.port) as eve:
        eve.writer.write(frame(LAST | TEXT, b"\xff\xfe"))

        assert await eve.end() == 1007
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
