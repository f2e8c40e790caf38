"""People and programs that do not speak the protocol, or not to the end."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from tests.gateways.textbook.peers import SOON, Table, table
from tests.host.stores import FailingStore, HeldStore
from tests.match.tables import MATCHES

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


HTTP = FOREIGN["a browser"]


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(SOON):
        while not happened():
            await asyncio.sleep(0)


async def recorded(room: Table) -> list[str]:
    """The names of all events, as the log has them."""
    return [
        type(MATCHES.decode(data)).__name__
        async for batch in room.service.store.read_all()
        for _, _, _, data in batch
    ]


async def test_a_move_on_its_way_before_the_stranger_spoke_wins() -> None:
    store = HeldStore()
    async with table(store=store) as room:
        first, stranger = await room.pair()
        store.held = True
        first.mark(0, 0)
        await until(lambda: store.waiting)
        stranger.write(HTTP)
        assert await stranger.rest() == ()
        store.release()

        assert await first.rest() == (1,)
        assert (await recorded(room))[-3:] == ["MovePlayed", "SeatForfeited", "MatchEnded"]


async def test_a_move_behind_the_stranger_is_played_in_the_next_match() -> None:
    store = HeldStore()
    async with table(store=store) as room:
        first, stranger = await room.pair()
        store.held = True
        stranger.write(HTTP)
        await until(lambda: store.waiting)
        assert await stranger.rest() == ()
        first.mark(0, 0)
        await room.fence()
        store.release()

        second = await room.peer()
        assert await second.ints(4) == (2, 4, 0, 0)
        second.mark(1, 1)
        assert await first.ints(3) == (4, 1, 1)


async def test_a_stranger_during_an_outage_was_no_opponent_either() -> None:
    store = FailingStore()
    async with table(store=store) as room:
        first, stranger = await room.pair()
        store.failing = True
        stranger.write(HTTP)
        assert await stranger.rest() == ()
        await stranger.close()
        await room.settled(to=1)
        store.failing = False
        streams = room.service.host.directory.unfinished
        await until(lambda: not streams)

        second = await room.peer()
        assert await second.ints(1) == (2,)
        first.mark(0, 0)
        assert await second.ints(3) == (4, 0, 0)


async def test_whoever_a_stranger_met_in_a_drain_waits_for_its_end() -> None:
    async with table() as room:
        first, stranger = await room.pair()
        pairer = room.service.desk.pairer
        pairer.drains = lambda: True
        stranger.write(HTTP)
        assert await stranger.rest() == ()
        await until(lambda: bool(pairer.waiting()))

        pairer.drains = lambda: False
        second = await room.peer()
        assert await second.ints(1) == (2,)
        first.mark(0, 0)
        assert await second.ints(3) == (4, 0, 0)


async def test_a_thousand_connects_that_say_nothing_touch_nobody() -> None:
    async with table() as room:
        first, second = await room.pair()
        silent = await asyncio.gather(*(room.peer() for _ in range(1000)))
        roles = await asyncio.gather(*(peer.ints(1) for peer in silent))
        assert sorted(roles) == [(1,)] * 500 + [(2,)] * 500
        first.mark(0, 0)
        assert await second.ints(3) == (4, 0, 0)

        for peer in silent:
            peer.reset()
        await room.settled(to=2)
        second.mark(1, 1)
        assert await first.ints(3) == (4, 1, 1)
        assert len(room.service.host.directory.unfinished) == 1


@pytest.mark.slow
async def test_who_never_reads_plays_on_and_is_closed_all_the_same() -> None:
    async with table() as room:
        first, second = await room.pair()
        second.read_nothing()
        for mine, others in (((0, 0), (1, 1)), ((0, 1), (2, 2))):
            first.mark(*mine)
            await room.fence()  # the other side has no other way to know
            second.mark(*others)
            assert await first.ints(3) == (4, *others)
        first.mark(0, 2)
        assert await first.rest() == (1,)
        await first.close()
        await room.settled()


async def test_no_connection_is_left_when_the_game_is_over() -> None:
    async with table() as room:
        first, second = await room.pair()
        first.mark(5, 5)
        await first.rest()
        await second.rest()
        await first.close()
        await second.close()
        await room.settled()


@pytest.mark.slow
async def test_a_client_that_stays_after_the_end_is_closed() -> None:
    async with table() as room:
        first, second = await room.pair()
        first.mark(5, 5)
        await first.rest()
        await second.rest()
        await second.close()  # the winner may think it over; who lost is closed in 2 s
        await room.settled()
