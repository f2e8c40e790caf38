"""The SQLite log on real files: durable, shared, and honest about a medium that fails."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.host import StaleVersionError, StoreError, UnreadableError, Write
from parlour.stores import SqliteStore
from tests.contracts.stores import SOON, Told, appended, everything, numbered

OTHER_PROCESS = """
import asyncio, sys
from pathlib import Path
from parlour.host import Write
from parlour.stores import SqliteStore

async def main() -> None:
    store = SqliteStore(Path(sys.argv[1]))
    done = asyncio.get_running_loop().create_future()
    store.append([Write("match-a", int(sys.argv[2]), [b'{"by":"other"}'])], done.set_result)
    error = await done
    await store.close()
    sys.exit(0 if error is None else str(error))

asyncio.run(main())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite3"


def write_elsewhere(path: Path, expected: int) -> None:
    """Append one event to match-a from a process of its own."""
    subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS, str(path), str(expected)], check=True, timeout=30
    )


def raw(path: Path, sql: str) -> None:
    """Run SQL behind the store's back."""
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no modes there")
async def test_only_its_owner_reads_what_is_written(path: Path) -> None:
    mask = os.umask(0o022)
    try:
        store = SqliteStore(path)
        await appended(store, numbered("match-a", 1))
    finally:
        os.umask(mask)
    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    assert modes == {f"{path.name}{end}": 0o600 for end in ("", "-shm", "-wal")}
    await store.close()


async def test_the_log_is_there_when_the_file_is_opened_again(path: Path) -> None:
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 3))
    await store.close()

    store = SqliteStore(path)
    assert await store.read("match-a") == [b'{"n":0}', b'{"n":1}', b'{"n":2}']
    assert await appended(store, numbered("match-a", 1, 3)) is None
    assert [one.position for one in await everything(store)] == [1, 2, 3, 4]
    await store.close()


async def test_reading_everything_goes_on_past_one_page(path: Path) -> None:
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 45_000))

    batches = [len(batch) async for batch in store.read_all(1)]

    assert len(batches) > 1
    assert sum(batches) == 44_999
    await store.close()


async def test_every_commit_waits_for_the_disk(path: Path) -> None:
    store = SqliteStore(path)
    assert store._writing.execute("PRAGMA synchronous").fetchone() == (2,)
    assert store._writing.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    await store.close()


async def test_a_file_that_cannot_keep_the_promise_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database in memory has no write-ahead log; a file of that name is made all the same."""
    monkeypatch.chdir(path.parent)
    with pytest.raises(StoreError, match="instead of wal"):
        SqliteStore(Path(":memory:"))


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be one" * 50])
async def test_a_file_of_another_kind_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match="cannot open"):
        SqliteStore(path)
    assert path.read_bytes() == content


async def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot open"):
        SqliteStore(tmp_path / "nowhere" / "log.sqlite3")


async def test_two_stores_on_one_file_see_each_other(path: Path) -> None:
    one, other = SqliteStore(path), SqliteStore(path)
    assert await appended(one, numbered("match-a", 1)) is None
    assert isinstance(await appended(other, numbered("match-a", 1)), StaleVersionError)

    assert len(await other.read("match-a")) == 1
    assert await appended(other, numbered("match-a", 1, 1)) is None
    assert isinstance(await appended(one, numbered("match-a", 1, 1)), StaleVersionError)
    assert await appended(one, numbered("match-a", 1, 2)) is None
    assert await one.read("match-a") == await other.read("match-a")
    await one.close()
    await other.close()


async def test_who_has_read_what_another_process_wrote_may_append(path: Path) -> None:
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 1))
    write_elsewhere(path, 1)

    assert len(await store.read("match-a")) == 2
    assert await appended(store, numbered("match-a", 1, 2)) is None
    await store.close()


async def test_another_process_makes_one_append_stale_and_no_other(path: Path) -> None:
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 1), numbered("match-b", 1))
    write_elsewhere(path, 1)

    told = Told()
    told.append(store, "b", [numbered("match-b", 1, 1)])
    told.append(store, "a", [numbered("match-a", 1, 1)])
    told.append(store, "c", [numbered("match-c", 1)])
    await told.all(3)

    assert isinstance(told.errors["a"], StaleVersionError)
    assert told.errors["b"] is told.errors["c"] is None
    assert (await store.read("match-a"))[1] == b'{"by":"other"}'
    await store.close()


@pytest.mark.parametrize(
    ("breaks", "mends"),
    [
        (
            "CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.version = 2"
            " BEGIN SELECT RAISE(ABORT, 'disk trouble'); END",
            "DROP TRIGGER full",
        ),
        ("ALTER TABLE events RENAME TO lost", "ALTER TABLE lost RENAME TO events"),
    ],
)
async def test_a_medium_that_fails_writes_nothing_and_may_recover(
    path: Path, breaks: str, mends: str
) -> None:
    store = SqliteStore(path)
    raw(path, breaks)
    error = await appended(store, numbered("match-a", 3), numbered("match-b", 1))
    assert isinstance(error, StoreError)
    assert not isinstance(error, StaleVersionError)
    assert str(path) in str(error)

    raw(path, mends)
    assert await everything(store) == []
    assert await appended(store, numbered("match-a", 3)) is None
    await store.close()


async def test_reading_from_a_medium_that_fails(path: Path) -> None:
    store = SqliteStore(path)
    raw(path, "ALTER TABLE events RENAME TO lost")
    with pytest.raises(StoreError, match="cannot read"):
        await store.read("match-a")
    with pytest.raises(StoreError, match="cannot read"):
        await everything(store)
    await store.close()


async def test_a_writer_that_holds_the_file_for_a_moment_is_waited_for(path: Path) -> None:
    """Faults of others, D01: no "database is locked" while somebody else commits."""
    store, holder = SqliteStore(path), sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    told = Told()
    told.append(store, "waits", [numbered("match-a", 1)])
    assert await store.read("match-a") == []  # readers do not wait

    holder.execute("COMMIT")
    await told.all(1)

    assert told.errors["waits"] is None
    holder.close()
    await store.close()


@pytest.mark.parametrize("bad", [b"\xff", b'"\xed\xa0\x80"'])
async def test_events_are_text_or_the_caller_is_wrong(path: Path, bad: bytes) -> None:
    store = SqliteStore(path)

    def never(error: StoreError | None) -> None:
        raise AssertionError(error)

    with pytest.raises(UnicodeDecodeError):
        store.append([Write("match-a", 0, [bad])], never)
    assert await appended(store, numbered("match-a", 1)) is None
    await store.close()


@pytest.mark.parametrize(("few", "many"), [(1, 10), (1, 1_000), (1_000, 10)])
async def test_versions_forgotten_are_looked_up_again(
    few: int, many: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.stores._transaction.FEW", few)
    monkeypatch.setattr("parlour.stores._transaction.MANY", many)
    store = SqliteStore(path)
    for first in range(3):
        for number in range(30):
            assert await appended(store, numbered(f"match-{number}", 1, first)) is None
    assert len(await everything(store)) == 90
    await store.close()


async def test_streams_that_have_ended_are_not_remembered_and_those_that_go_on_are(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parlour.stores._transaction.FEW", 1)
    store = SqliteStore(path)
    for number in range(200):
        assert await appended(store, numbered("match-long", 1, number)) is None
        assert await appended(store, numbered(f"match-{number}", 20)) is None
    remembered = store._transaction._known | store._transaction._known_before
    assert len(remembered) < 10
    assert remembered["match-long"].version == 200
    await store.close()


async def test_a_log_of_another_layout_is_left_alone(path: Path) -> None:
    await SqliteStore(path).close()
    raw(path, "PRAGMA user_version = 7")
    with pytest.raises(StoreError, match=r"layout 7 .* reads layout 1"):
        SqliteStore(path)


async def test_an_event_that_is_missing_in_the_middle_is_named(path: Path) -> None:
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 4))
    await appended(store, numbered("match-b", 2))
    raw(path, "DELETE FROM events WHERE stream = 1 AND version = 2")
    with pytest.raises(UnreadableError, match="event 2 of match-a is missing"):
        await store.read("match-a")
    assert len(await store.read("match-a", 2)) == 2
    assert len(await store.read("match-b")) == 2
    await store.close()


async def test_what_a_failed_commit_left_is_written_over(path: Path) -> None:
    """A commit that fails while it is synced stands in the write-ahead log all the same."""
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 1))
    raw(
        path,
        "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'trouble'); END",
    )
    before = store._writing.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1]
    assert isinstance(await appended(store, numbered("match-a", 1, 1)), StoreError)
    after = store._writing.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1]
    assert after != before
    await store.close()


FLIPPED = "UPDATE events SET data = CAST(x'7b22ee227d' AS {kind}) WHERE stream = 1 AND version = 2"


@pytest.mark.parametrize("kind", ["TEXT", "BLOB"])
async def test_a_byte_that_is_no_text_costs_only_its_event(path: Path, kind: str) -> None:
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 3))
    raw(path, FLIPPED.format(kind=kind))
    first, broken, last = await store.read("match-a")
    assert (first, broken, last) == (b'{"n":0}', b'{"\xee"}', b'{"n":2}')
    assert [one.data for one in await everything(store)] == [first, broken, last]
    await store.close()


async def test_a_name_that_is_no_text_costs_only_its_stream(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqliteStore(path)
    await appended(store, numbered("match-a", 1))
    await appended(store, numbered("match-b", 1))
    raw(path, "UPDATE streams SET name = CAST(x'6d61ee' AS TEXT) WHERE id = 1")
    assert [one.stream for one in await everything(store)] == ["match-b"]
    assert "event 1" in caplog.text
    await store.close()


LONG_QUERY = """
    WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers WHERE x < ?)
    SELECT count(*) FROM numbers
"""


async def test_closing_ends_what_is_being_read(path: Path) -> None:
    store = SqliteStore(path)
    reading = asyncio.create_task(store._query(LONG_QUERY, (1 << 40,)))
    await asyncio.sleep(0)  # it is asked
    await asyncio.wait_for(store.close(), SOON)
    with pytest.raises(StoreError, match="interrupted"):
        await reading


async def test_nothing_is_read_or_written_after_the_end(path: Path) -> None:
    store = SqliteStore(path)
    await store.close()
    assert isinstance(await appended(store, numbered("match-a", 1)), StoreError)
    with pytest.raises(StoreError, match="is closed"):
        await store.read("match-a")
