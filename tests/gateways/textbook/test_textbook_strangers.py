"""People and programs that do not speak the protocol, or not to the end."""

import asyncio
import logging

import pytest

from parlour.gateways import Connection
from tests.gateways.textbook.peers import SOON, table

FOREIGN = {
    "a browser": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a TLS client": bytes.fromhex("1603010200010001fc0303") + bytes(500),
}


@pytest.mark.parametrize("hello", FOREIGN.values(), ids=list(FOREIGN))
async def test_a_foreign_protocol_is_closed_with_one_log_line(
    hello: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with table() as room:
        stranger = await room.peer()
        assert await stranger.ints(1) == (1,)
        stranger.write(hello)
        assert await stranger.rest() == ()
        assert len(caplog.records) == 1
        await room.pair()


@pytest.mark.parametrize("hello", FOREIGN.values(), ids=list(FOREIGN))
@pytest.mark.parametrize("hasty", [False, True], ids=["waits", "has moved in its mind"])
async def test_who_waits_does_not_notice_a_stranger(hello: bytes, hasty: bool) -> None:
    async with table() as room:
        first = await room.peer()
        assert await first.ints(1) == (1,)
        stranger = await room.peer()
        assert await stranger.ints(1) == (2,)
        assert await first.ints(1) == (1,)
        stranger.write(hello)
        assert await stranger.rest() == ()
        if hasty:
            first.mark(0, 0)

        second = await room.peer()

        assert await second.ints(1) == (2,)
        if not hasty:
            first.mark(0, 0)
        assert await second.ints(3) == (4, 0, 0)


async def test_resets_in_every_state_touch_nobody_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with table() as room:
        bystander, opponent = await room.pair()
        alone = await room.peer()
        await alone.ints(1)
        alone.reset()
        await settled(room.service.desk.connections, to=2)
        for state in range(4):
            first, second = await room.pair()
            if state > 0:
                first.mark(0, 0)
                await second.ints(3)
            if state > 1:
                second.write(b"\0\0\0")
            if state > 2:
                first.mark(1, 1)
            first.reset()
            second.reset()
            await settled(room.service.desk.connections, to=2)

        bystander.mark(2, 2)
        assert await opponent.ints(3) == (4, 2, 2)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_thousand_connects_that_say_nothing_leave_nothing_behind() -> None:
    async with table() as room:
        silent = await asyncio.gather(*(room.peer() for _ in range(1000)))
        await asyncio.gather(*(peer.ints(1) for peer in silent))
        for peer in silent:
            peer.reset()
        await settled(room.service.desk.connections)

        first, second = await room.pair()
        first.mark(0, 0)
        assert await second.ints(3) == (4, 0, 0)


async def test_no_connection_is_left_when_the_game_is_over() -> None:
    async with table() as room:
        first, second = await room.pair()
        first.mark(5, 5)
        await first.rest()
        await second.rest()
        await first.close()
        await second.close()
        await settled(room.service.desk.connections)


async def test_a_client_that_stays_after_the_end_is_closed() -> None:
    async with table() as room:
        first, second = await room.pair()
        first.mark(5, 5)
        await first.rest()
        await second.rest()
        await second.close()  # the winner may think it over; who lost is closed in 2 s
        await settled(room.service.desk.connections)


async def settled(connections: set[Connection], to: int = 0) -> None:
    """Wait until the server knows that all but `to` are gone."""

    async def gone() -> None:
        while len(connections) > to:
            await asyncio.sleep(0)

    await asyncio.wait_for(gone(), SOON)
