"""What is changed in a log is changed with the event that says so, or not at all."""

from pathlib import Path

import pytest

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
