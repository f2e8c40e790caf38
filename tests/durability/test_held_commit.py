"""Durable before visible: while a commit is held, no byte of it reaches any client."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from parlour.stores import SqliteStore
from tests.durability.log import lines
from tests.gateways.textbook.peers import table

WON_1, CONTINUE = 1, 4


@contextlib.contextmanager
def held(data: Path) -> Iterator[None]:
    """Keep the log's write lock as another program can; the store's commits wait for it."""
    with contextlib.closing(sqlite3.connect(data / "log.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def test_no_byte_of_a_last_move_leaves_before_its_commit(tmp_path: Path) -> None:
    async with table(store=SqliteStore(tmp_path / "log.sqlite3")) as room:
        first, second = await room.pair()
        for mover, other, row, column in (
            (first, second, 0, 0),
            (second, first, 1, 1),
            (first, second, 0, 1),
            (second, first, 2, 2),
        ):
            mover.mark(row, column)
            assert await other.ints(3) == (CONTINUE, row, column)
        before = lines(tmp_path)

        with held(tmp_path):
            first.mark(0, 2)
            told = [asyncio.create_task(peer.ints(1)) for peer in (first, second)]
            await room.fence()  # the server has read the move and goes on serving
            assert not any(task.done() for task in told)
            assert lines(tmp_path) == before

        assert await asyncio.gather(*told) == [(WON_1,), (WON_1,)]
        assert await first.rest() == ()
        assert await second.rest() == (0, 2)
        recorded = [line.kind for line in lines(tmp_path)[len(before) :]]
        assert recorded == ["MovePlayed", "MatchEnded"]


async def test_nobody_is_told_of_a_match_before_its_commit(tmp_path: Path) -> None:
    async with table(store=SqliteStore(tmp_path / "log.sqlite3")) as room:
        first = await room.peer()
        assert await first.ints(1) == (1,)

        with held(tmp_path):
            second = await room.peer()
            told = [asyncio.create_task(peer.ints(1)) for peer in (first, second)]
            await room.fence()
            assert not any(task.done() for task in told)

        assert await asyncio.gather(*told) == [(1,), (2,)]


async def test_nobody_is_told_of_a_fault_before_its_commit(tmp_path: Path) -> None:
    async with table(store=SqliteStore(tmp_path / "log.sqlite3")) as room:
        first, second = await room.pair()

        with held(tmp_path):
            second.mark(0, 0)  # out of turn: loses
            told = [asyncio.create_task(peer.ints(1)) for peer in (first, second)]
            await room.fence()
            assert not any(task.done() for task in told)

        assert await asyncio.gather(*told) == [(WON_1,), (WON_1,)]
