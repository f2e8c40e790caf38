"""A log in one SQLite file: one writer thread, one transaction for everybody who waits."""

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from parlour.host import Done, Stored, StoreError, UnreadableError, Write
from parlour.stores._transaction import Asked, Transaction

log = logging.getLogger("parlour.store")

# Append-only. Streams are numbered, so that the index which keeps two writers from recording the
# same version is small, and streams that live at the same time stand together in it: a commit
# touches a quarter of the pages that it would with names.
APPLICATION = int.from_bytes(b"Parl")  # tells our files from other programs'
LAYOUT = 1
OLDEST = (3, 38)  # the first with ->>
SCHEMA = f"""
    BEGIN IMMEDIATE;
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {LAYOUT};
    CREATE TABLE IF NOT EXISTS streams (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE
    );
    CREATE TABLE IF NOT EXISTS events (
        position INTEGER PRIMARY KEY,
        stream INTEGER NOT NULL REFERENCES streams,
        version INTEGER NOT NULL,
        data TEXT NOT NULL
    );
    CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, version);
    COMMIT;
"""
READ = """
    SELECT version, data FROM events
    WHERE stream = (SELECT id FROM streams WHERE name = ?) AND version > ? ORDER BY version
"""
READ_ALL = """
    SELECT position, name, version, data
    FROM events CROSS JOIN streams ON id = stream
    WHERE position > ? ORDER BY position LIMIT ?
"""
READ_TOGETHER = 20_000
STEPS = 100_000  # of SQLite's machine, some milliseconds: as long a read goes on after the end
# Pages of the write-ahead log until they are moved into the file: pages that many commits touch
# are moved once, and the log stays below 32 MiB.
CHECKPOINT_AFTER = 8000
FULL = 2  # what PRAGMA synchronous answers when every commit waits for the disk


class SqliteStore:
    """Events in `path`, durable before they are reported. Events are JSON, hence UTF-8 text.

    Raises:
        StoreError: the file cannot be opened, or not with the promises made here.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = connect(path)
        # An event of a stream that was taken out meanwhile is refused by SQLite itself.
        self._writing.execute("PRAGMA foreign_keys = ON")
        self._reading = connect(path)
        self._reading.execute("PRAGMA query_only = ON")
        # One bad byte costs the event it stands in, and not what is read together with it.
        self._reading.text_factory = bytes
        # A long read ends when the store is closed, and one that had not begun as well.
        self._reading.set_progress_handler(lambda: self._closed, STEPS)
        self._closed = False
        self._transaction = Transaction(self._writing)
        self._asked: list[Asked] = []
        self._batches: queue.SimpleQueue[list[Asked] | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(1, "parlour-read")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Future[None] | None = None
        self._writer = threading.Thread(target=self._write, name="parlour-write", daemon=True)
        self._writer.start()

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        """The events of one stream past version `after`.

        Raises:
            StoreError: the medium failed.
            UnreadableError: somebody has taken events out of the middle.
        """
        rows = await self._query(READ, (stream, after))
        for expected, (version, _) in enumerate(rows, after + 1):
            if version != expected:
                raise UnreadableError(f"event {expected} of {stream} is missing in {self._path}")
        return [data for _, data in rows]

    async def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        """Every event past position `after` in the order of commits, in batches.

        Raises:
            StoreError: the medium failed.
        """
        while rows := await self._query(READ_ALL, (after, READ_TOGETHER)):
            yield [one for row in rows if (one := self._stored(*row)) is not None]
            after = rows[-1][0]

    def append(self, writes: Sequence[Write], done: Done) -> None:
        """Append all of `writes`, or nothing; everything asked in one turn of the loop together.

        Raises:
            UnicodeDecodeError: an event is no UTF-8 text.
        """
        texts = [
            (stream, first, [data.decode() for data in events]) for stream, first, events in writes
        ]
        if self._closed:
            asyncio.get_running_loop().call_soon(done, StoreError(f"{self._path} is closed"))
            return
        if not self._asked:
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(self._hand_over)
        self._asked.append((texts, done))

    async def close(self) -> None:
        """Write what was asked for, report it, and close the file; what is being read is not."""
        if self._closed:
            return
        self._closed = True
        self._hand_over()
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        self._batches.put(None)
        # The loop waits for no thread: a disk that hangs must not keep it, nor the process.
        await self._ended
        await self._loop.run_in_executor(self._readers, self._reading.close)
        self._readers.shutdown()
        self._writing.close()

    async def _query(self, sql: str, values: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
        if self._closed:
            raise StoreError(f"{self._path} is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._fetch, sql, values)
        except sqlite3.Error as error:
            raise StoreError(f"cannot read {self._path}: {error}") from error

    def _fetch(self, sql: str, values: tuple[str | int, ...]) -> list[tuple[Any, ...]]:
        return self._reading.execute(sql, values).fetchall()

    def _stored(self, position: int, name: bytes, version: int, data: bytes) -> Stored | None:
        try:
            return Stored(position, name.decode(), version, data)
        except UnicodeDecodeError:
            log.error("event %d in %s has no readable stream: %r", position, self._path, name)
            return None

    def _hand_over(self) -> None:
        if self._asked:
            self._batches.put(self._asked)
            self._asked = []

    # The writer thread

    def _write(self) -> None:
        """Take everything that waits, commit it at once, report it at once."""
        closing = False
        while not closing and (batch := self._batches.get()) is not None:
            while not self._batches.empty():
                more = self._batches.get()
                closing = closing or more is None
                batch = batch + (more or [])
            self._tell(_report, batch, self._commit(batch))
        self._tell(_settle, self._ended)

    def _tell(self, heard: Callable[..., None], *what: Any) -> None:
        """Let the event loop go on with it, unless the loop has not waited for a disk that hung."""
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(heard, *what)

    def _commit(self, batch: list[Asked]) -> list[StoreError | None]:
        try:
            try:
                return self._transaction.commit(batch)
            except sqlite3.IntegrityError:
                # Another process has changed the file; what was remembered of it is forgotten.
                return self._transaction.commit(batch)
        except Exception as error:  # the writer must live: every append gets an answer
            if not isinstance(error, sqlite3.Error):
                log.exception("the writer failed")
            failed = StoreError(f"cannot write {self._path}: {error}")
            return [failed] * len(batch)


def _settle(ended: asyncio.Future[None] | None) -> None:
    if ended is not None and not ended.done():  # whoever closes may have given up
        ended.set_result(None)


def _report(batch: list[Asked], errors: list[StoreError | None]) -> None:
    for (_, done), error in zip(batch, errors, strict=True):
        try:
            done(error)
        except Exception:  # one listener's mistake is not the other appends'
            log.exception("what an append reported was not taken in")


def check_ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Touch no file of another program, and ask nothing of SQLite that it cannot do.

    Returns whether the file has our tables already.

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
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if tables and layout != LAYOUT:
        raise StoreError(
            f"{path} has layout {layout} and this version of Parlour reads layout {LAYOUT}:"
            " use the version that wrote it, or another data directory"
        )
    return bool(tables)


def create_private(path: Path) -> None:
    """Make an empty file for its owner only: names, addresses and passwords of rooms come into it.

    SQLite takes an empty file for a new one, and gives its mode to those that it puts beside it.

    Raises:
        OSError: there is one already, or none can be made.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def connect(path: Path) -> sqlite3.Connection:
    """A connection that promises durability. A file that is there already is not written to.

    Raises:
        StoreError: the file cannot be opened, or SQLite does not keep the promise on it.
    """
    connection = None
    with contextlib.suppress(OSError):  # it is there, or SQLite says below what is wrong
        create_private(path)
    try:
        connection = sqlite3.connect(
            path, timeout=5, isolation_level=None, check_same_thread=False, cached_statements=16
        )
        ours = check_ours(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_AFTER}")
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        level = connection.execute("PRAGMA synchronous").fetchone()[0]
        if mode != "wal" or level != FULL:
            raise StoreError(
                f"{path}: journal mode {mode}, synchronous {level} instead of wal, {FULL}"
            )
        if not ours:
            connection.executescript(SCHEMA)
    except (sqlite3.Error, StoreError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"cannot open {path}: {error}") from error
    return connection
