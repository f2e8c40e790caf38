"""What is changed in a log is changed with the event that says so, or not at all."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.host import StoreError
from parlour.stores import LogFile, SqliteStore, Upkeep
from tests.contracts.stores import appended, numbered

DONE = ("acts", b'{"done":true}')


class UnsoundError(Exception):
    """What stands there then must not stay."""


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A log of two events."""
    path = tmp_path / "log.sqlite3"
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 2))
    await store.close()
    return path


def told(path: Path, stream: str) -> list[tuple[int, bytes]]:
    with LogFile(path) as log:
        return [(row.version, row.data) for row in log.events(stream)]


def nothing_wrong() -> None:
    """Everything may stay."""


async def test_events_are_replaced_and_it_is_recorded(path: Path) -> None:
    with Upkeep(path) as upkeep:
        upkeep.replace([(1, b'{"n":7}')], nothing_wrong, DONE)
        upkeep.replace([(2, b'{"n":8}')], nothing_wrong, DONE)

    assert told(path, "match-a") == [(1, b'{"n":7}'), (2, b'{"n":8}')]
    assert told(path, "acts") == [(1, DONE[1]), (2, DONE[1])]
    store = SqliteStore(path)
    assert await store.read("acts") == [DONE[1], DONE[1]]
    await store.close()


async def test_what_must_not_stay_is_neither_changed_nor_recorded(path: Path) -> None:
    before = path.read_bytes()

    def unsound() -> None:
        assert upkeep.events("match-a")[0].data == b'{"n":7}'
        raise UnsoundError

    with Upkeep(path) as upkeep, pytest.raises(UnsoundError):
        upkeep.replace([(1, b'{"n":7}')], unsound, DONE)

    assert told(path, "match-a") == [(1, b'{"n":0}'), (2, b'{"n":1}')]
    assert told(path, "acts") == []
    assert path.read_bytes() == before


async def filled(path: Path, streams: int, events: int) -> list[str]:
    """A log of so many streams, with so many events each."""
    names = [f"match-{number}" for number in range(streams)]
    store = SqliteStore(path)
    await asyncio.gather(*(appended(store, numbered(name, events)) for name in names))
    await store.close()
    return names


async def test_no_transaction_removes_many_events(tmp_path: Path) -> None:
    """Of 1,500 events each, two streams go together: those before a failure are gone."""
    path = tmp_path / "log.sqlite3"
    names = await filled(path, 6, 1_500)
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TRIGGER failing BEFORE DELETE ON streams WHEN old.name = 'match-5'"
            " BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    db.close()

    with Upkeep(path) as upkeep, pytest.raises(StoreError, match="no"):
        upkeep.remove(names)

    with LogFile(path) as log:
        assert log.streams() == names[4:]
        assert [len(log.events(name)) for name in names[4:]] == [1_500, 1_500]


@pytest.fixture
async def pruned(path: Path) -> AsyncIterator[SqliteStore]:
    """A log of three streams with two events each, whose last one is taken out beside it."""
    store = SqliteStore(path)
    for name in ("match-b", "match-c"):
        assert await appended(store, numbered(name, 2)) is None
    with Upkeep(path) as upkeep:
        upkeep.remove(["match-c"])
    yield store
    await store.close()
    with LogFile(path) as log:
        assert (log.faults(), log.gaps()) == ([], [])


async def test_nothing_is_appended_to_what_is_gone(pruned: SqliteStore) -> None:
    late, other = await asyncio.gather(
        appended(pruned, numbered("match-c", 1, 2)), appended(pruned, numbered("match-b", 1, 2))
    )
    assert (str(late), other) == ("match-c has 0 events, not 2", None)


async def test_nothing_is_appended_to_the_next_stream_of_its_number(pruned: SqliteStore) -> None:
    assert await appended(pruned, numbered("match-d", 2)) is None
    late = await appended(pruned, numbered("match-c", 1, 2))
    assert str(late) == "match-c has 0 events, not 2"
    assert len(await pruned.read("match-d")) == 2


async def test_nor_when_both_are_asked_together(pruned: SqliteStore) -> None:
    late, begun, other = await asyncio.gather(
        appended(pruned, numbered("match-c", 1, 2)),
        appended(pruned, numbered("match-d", 2)),
        appended(pruned, numbered("match-b", 1, 2)),
    )
    assert (str(late), begun, other) == ("match-c has 0 events, not 2", None, None)
    assert [len(await pruned.read(f"match-{one}")) for one in "bcd"] == [3, 0, 2]


@pytest.mark.slow
async def test_who_appends_meanwhile_finds_the_log_free(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    names = await filled(path, 20_000, 5)

    def remove() -> None:
        with Upkeep(path) as upkeep:
            upkeep.remove(names, beside=True)

    store = SqliteStore(path)
    removing = asyncio.create_task(asyncio.to_thread(remove))
    between = appends = 0
    with LogFile(path) as log:
        while not removing.done():
            assert await appended(store, numbered("match-live", 1, appends)) is None
            appends += 1
            between += 1 < log.count()[0] < len(names)
    await removing
    await store.close()
    assert between > 10
    with LogFile(path) as log:
        assert log.streams() == ["match-live"]
