"""Connections that are reset, in every state: who is left hears it as ruled, nobody else at all."""

import contextlib
import logging
import socket
from collections.abc import AsyncIterator

import pytest

from tests.gateways.textbook.peers import RESET, Peer, Table, table
from tests.host.stores import HeldStore

WON_1, WON_2, CONTINUE = 1, 2, 4


@contextlib.asynccontextmanager
async def undisturbed(
    room: Table, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[tuple[Peer, Peer]]:
    """Two who play on whatever happens; in the end only they are left, and no complaint."""
    first, second = await room.pair()
    yield first, second
    await room.settled(to=2)
    first.mark(2, 2)
    assert await second.ints(3) == (CONTINUE, 2, 2)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def play(first: Peer, second: Peer, *cells: tuple[int, int]) -> None:
    """Moves in turn, each heard by the other."""
    for number, cell in enumerate(cells):
        mover, other = (first, second) if number % 2 == 0 else (second, first)
        mover.mark(*cell)
        assert await other.ints(3) == (CONTINUE, *cell)


async def test_before_it_is_let_in(caplog: pytest.LogCaptureFixture) -> None:
    async with table() as room, undisturbed(room, caplog):
        for _ in range(20):
            # The kernel has accepted it; the server's turn comes when it is gone already.
            with socket.create_connection(("127.0.0.1", room.port)) as early:
                early.setsockopt(*RESET)


@pytest.mark.parametrize("last", [b"", bytes(8), b"GET "], ids=["silent", "hasty", "a stranger"])
async def test_while_it_waits_for_an_opponent(
    last: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with table() as room, undisturbed(room, caplog):
        alone = await room.peer()
        assert await alone.ints(1) == (1,)
        alone.write(last)
        alone.reset()
        await room.settled(to=2)
        for peer in await room.pair():  # not with the dead
            peer.reset()


async def test_before_player_2_is_told_its_role(caplog: pytest.LogCaptureFixture) -> None:
    store = HeldStore()
    async with table(store=store) as room, undisturbed(room, caplog):
        first = await room.peer()
        assert await first.ints(1) == (1,)
        store.held = True
        second = await room.peer()
        await room.fence()
        second.reset()
        await room.fence()
        store.release()
        third = await room.peer()  # who was gone before the match began was no opponent
        assert await third.ints(1) == (2,)
        assert await first.ints(1) == (1,)
        await play(first, third, (0, 0), (1, 1))
        await first.close()
        await third.close()


@pytest.mark.parametrize("half_a_move", [b"", b"\0\0\0\0\0"], ids=["silent", "in a move"])
@pytest.mark.parametrize("leaver", [0, 1], ids=["on turn", "not on turn"])
@pytest.mark.parametrize("cells", [(), ((0, 0), (1, 1))], ids=["at first", "later"])
async def test_in_a_game(
    cells: tuple[tuple[int, int], ...],
    leaver: int,
    half_a_move: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with table() as room, undisturbed(room, caplog):
        pair = await room.pair()
        await play(*pair, *cells)
        pair[leaver].write(half_a_move)
        pair[leaver].reset()
        survivor = pair[1 - leaver]
        assert await survivor.rest() == ((WON_2, WON_1)[leaver],)
        await survivor.close()


async def test_while_its_own_move_is_being_stored(caplog: pytest.LogCaptureFixture) -> None:
    store = HeldStore()
    async with table(store=store) as room, undisturbed(room, caplog):
        first, second = await room.pair()
        store.held = True
        first.mark(0, 0)
        await room.fence()
        first.reset()
        await room.fence()
        store.release()
        assert await second.rest() == (CONTINUE, 0, 0, WON_2)
        await second.close()


async def test_while_the_others_move_is_being_stored(caplog: pytest.LogCaptureFixture) -> None:
    store = HeldStore()
    async with table(store=store) as room, undisturbed(room, caplog):
        first, second = await room.pair()
        store.held = True
        first.mark(0, 0)
        await room.fence()
        second.reset()
        await room.fence()
        store.release()
        assert await first.rest() == (WON_1,)
        await first.close()


async def test_while_its_winning_move_is_being_stored(caplog: pytest.LogCaptureFixture) -> None:
    store = HeldStore()
    async with table(store=store) as room, undisturbed(room, caplog):
        first, second = await room.pair()
        await play(first, second, (0, 0), (1, 1), (0, 1), (2, 2))
        store.held = True
        first.mark(0, 2)
        await room.fence()
        first.reset()
        await room.fence()
        store.release()
        assert await second.rest() == (WON_1, 0, 2)
        await second.close()


@pytest.mark.parametrize("reads", [False, True], ids=["the result unread", "the result read"])
async def test_after_the_result(reads: bool, caplog: pytest.LogCaptureFixture) -> None:
    async with table() as room, undisturbed(room, caplog):
        first, second = await room.pair()
        first.mark(9, 9)
        if reads:
            assert await second.rest() == (WON_2,)
        else:
            assert await first.rest() == (WON_2,)  # so the other's is on its way too
        first.reset()
        second.reset()
