"""A log in one SQLite file: one writer thread, one transaction for everybody who waits."""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from parlour.host import Done, StaleVersionError, Stored, StoreError, Write

log = logging.getLogger("parlour.store")

# Append-only; the one index is what keeps two writers from recording the same version.
APPLICATION = int.from_bytes(b"Parl")  # tells our files from other programs'
OLDEST = (3, 38)  # the first with ->>
SCHEMA = f"""
    PRAGMA application_id = {APPLICATION};
    CREATE TABLE IF NOT EXISTS events (
        position INTEGER PRIMARY KEY,
        stream TEXT NOT NULL,
        version INTEGER NOT NULL,
        data TEXT NOT NULL
    );
    CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, version);
"""
# One statement for a whole batch: SQLite unpacks the rows itself, without the interpreter lock.
INSERT = """
    INSERT INTO events (stream, version, data)
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
"""
READ_TOGETHER = 20_000
# Versions of streams are remembered so that appends need not look them up; this many, in memory.
VERSIONS_KEPT = 200_000
FULL = 2  # what PRAGMA synchronous answers when every commit waits for the disk


Texts = tuple[str, int, list[str]]
"""A `Write` whose events are decoded."""


class Asked(NamedTuple):
    """One call of `append`."""

    writes: list[Texts]
    done: Done


class SqliteStore:
    """Events in `path`, durable before they are reported. Events are JSON, hence UTF-8 text.

    Raises:
        StoreError: the file cannot be opened, or not with the promises made here.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = _connect(path, SCHEMA)
        self._reading = _connect(path, "PRAGMA query_only = ON")
        self._asked: list[Asked] = []
        self._batches: queue.SimpleQueue[list[Asked] | None] = queue.SimpleQueue()
        self._versions: dict[str, int] = {}
        self._readers = ThreadPoolExecutor(1, "parlour-read")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._writer = threading.Thread(target=self._write, name="parlour-write", daemon=True)
        self._writer.start()

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        """The events of one stream past version `after`.

        Raises:
            StoreError: the medium failed.
        """
        rows = await self._query(
            "SELECT data FROM events WHERE stream = ? AND version > ? ORDER BY version",
            (stream, after),
        )
        return [data.encode() for (data,) in rows]

    async def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        """Every event past position `after` in the order of commits, in batches.

        Raises:
            StoreError: the medium failed.
        """
        while rows := await self._query(
            "SELECT position, stream, version, CAST(data AS BLOB) FROM events"
            " WHERE position > ? ORDER BY position LIMIT ?",
            (after, READ_TOGETHER),
        ):
            yield [Stored._make(row) for row in rows]
            after = rows[-1][0]

    def append(self, writes: Sequence[Write], done: Done) -> None:
        """Append all of `writes`, or nothing; everything asked in one turn of the loop together.

        Raises:
            UnicodeDecodeError: an event is no UTF-8 text.
        """
        asked = Asked(
            [
                (stream, first, [data.decode() for data in events])
                for stream, first, events in writes
            ],
            done,
        )
        if not self._asked:
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(self._hand_over)
        self._asked.append(asked)

    async def close(self) -> None:
        """Write what was asked for, report it, and close the file."""
        if self._closed:
            return
        self._closed = True
        self._hand_over()
        self._batches.put(None)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._readers, self._writer.join)
        await asyncio.sleep(0)
        self._readers.shutdown()
        self._reading.close()
        self._writing.close()

    async def _query(self, sql: str, values: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._fetch, sql, values)
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self._path}: {error}") from error

    def _fetch(self, sql: str, values: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
        return self._reading.execute(sql, values).fetchall()

    def _hand_over(self) -> None:
        if self._asked:
            self._batches.put(self._asked)
            self._asked = []

    # The writer thread

    def _write(self) -> None:
        """Take everything that waits, commit it at once, report it at once."""
        while (batch := self._batches.get()) is not None:
            closing = False
            while not self._batches.empty():
                more = self._batches.get()
                closing = closing or more is None
                batch = batch + (more or [])
            errors = self._commit(batch)
            assert self._loop is not None
            self._loop.call_soon_threadsafe(_report, batch, errors)
            if closing:
                return

    def _commit(self, batch: list[Asked]) -> list[StoreError | None]:
        try:
            try:
                return self._transact(batch)
            except sqlite3.IntegrityError:
                # Another process has written to the file: what we remember of it is old.
                self._versions.clear()
                return self._transact(batch)
        except Exception as error:  # the writer must live: every append gets an answer
            if not isinstance(error, sqlite3.Error):
                log.exception("the writer failed")
            failed = StoreError(f"cannot write {self._path}: {error}")
            return [failed] * len(batch)

    def _transact(self, batch: list[Asked]) -> list[StoreError | None]:
        """One transaction; stale appends are left out of it, the others are not hurt."""
        connection = self._writing
        connection.execute("BEGIN IMMEDIATE")
        try:
            rows: list[tuple[str, int, str]] = []
            grown: dict[str, int] = {}
            errors = [self._collect(asked.writes, rows, grown) for asked in batch]
            if rows:
                connection.execute(INSERT, (msgspec.json.encode(rows).decode(),))
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        if len(self._versions) > VERSIONS_KEPT:
            self._versions.clear()
        self._versions.update(grown)
        return errors

    def _collect(
        self,
        writes: list[Texts],
        rows: list[tuple[str, int, str]],
        grown: dict[str, int],
    ) -> StoreError | None:
        """Add the rows of one append, or say why it is stale."""
        mine: dict[str, int] = {}
        for stream, expected, texts in writes:
            version = mine.get(stream, grown.get(stream))
            if version is None:
                version = self._version(stream, expected)
            if version != expected:
                return StaleVersionError(f"{stream} has {version} events, not {expected}")
            mine[stream] = version + len(texts)
        for stream, version, texts in writes:
            rows += [(stream, number, text) for number, text in enumerate(texts, version + 1)]
        grown.update(mine)
        return None

    def _version(self, stream: str, expected: int) -> int:
        """How many events a stream has. The file is asked where memory does not say `expected`."""
        version = self._versions.get(stream)
        if version != expected:
            row = self._writing.execute(
                "SELECT max(version) FROM events WHERE stream = ?", (stream,)
            ).fetchone()
            version = self._versions[stream] = row[0] or 0
        return version


def _report(batch: list[Asked], errors: list[StoreError | None]) -> None:
    for asked, error in zip(batch, errors, strict=True):
        try:
            asked.done(error)
        except Exception:  # one listener's mistake is not the other appends'
            log.exception("what an append reported was not taken in")


def _check_ours(connection: sqlite3.Connection, path: Path) -> None:
    """Touch no file of another program, and ask nothing of SQLite that it cannot do.

    Raises:
        StoreError: either of them.
    """
    if sqlite3.sqlite_version_info < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: {oldest} or newer is needed")
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (owner,) = connection.execute("PRAGMA application_id").fetchone()
    if tables and owner != APPLICATION:
        raise StoreError(f"{path} is the SQLite file of another program, not a log of Parlour")


def _connect(path: Path, prepare: str) -> sqlite3.Connection:
    """A connection that promises durability, prepared by running some SQL.

    Raises:
        StoreError: the file cannot be opened, or SQLite does not keep the promise on it.
    """
    connection = None
    try:
        connection = sqlite3.connect(
            path, timeout=5, isolation_level=None, check_same_thread=False, cached_statements=16
        )
        _check_ours(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        level = connection.execute("PRAGMA synchronous").fetchone()[0]
        if mode != "wal" or level != FULL:
            raise StoreError(
                f"{path}: journal mode {mode}, synchronous {level} instead of wal, {FULL}"
            )
        connection.executescript(prepare)
    except (sqlite3.Error, StoreError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"cannot open {path}: {error}") from error
    return connection
