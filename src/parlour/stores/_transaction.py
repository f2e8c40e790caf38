"""One SQLite transaction for all appends that wait."""

import contextlib
import sqlite3
from collections.abc import Sequence

import msgspec

from parlour.host import Done, StaleVersionError, StoreError

Texts = tuple[str, int, list[str]]
"""A stream, how many events it is expected to have, and the new ones."""

Asked = tuple[list[Texts], Done]
"""One call of `append`."""

Inserted = tuple[int, int, str]
"""What is inserted: the number of the stream, the version, the event."""

# One event alone, on a quiet server, is its own transaction: no statement around it, no JSON.
INSERT_ONE = "INSERT INTO events (stream, version, data) VALUES (?, ?, ?)"
# One statement for a whole batch: SQLite unpacks the rows itself, without the interpreter lock.
INSERT_MANY = """
    INSERT INTO events (stream, version, data)
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)
"""
# Streams are remembered so that appends need not look them up, until there were so many times as
# many events in which they had none: matches that have ended must not gather here.
EVENTS_FOR_EACH = 8
FEW = 1_000  # streams that are worth no such look
MANY = 100_000  # streams, whatever happens in them


class Known:
    """A stream's number in the file, and how many events it has."""

    __slots__ = ("number", "version")

    def __init__(self, number: int, version: int) -> None:
        self.number = number
        self.version = version


class Transaction:
    """Writes to one connection, in the thread that calls it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[str, Known] = {}
        self._known_before: dict[str, Known] = {}
        self._highest = 0  # number of a stream that may be remembered
        self._events = 0  # that were added since `_known` began anew
        self._rows: list[Inserted] = []

    def commit(self, batch: Sequence[Asked]) -> list[StoreError | None]:
        """Write all that is not stale; stale appends are left out, the others are not hurt.

        Raises:
            sqlite3.Error: nothing was written, and nothing is remembered of the file.
        """
        try:
            errors = [self._add(writes) for writes, _ in batch]
            self._insert()
            if self._connection.in_transaction:
                self._connection.execute("COMMIT")
        except BaseException:
            self._known.clear()
            self._known_before.clear()
            self._highest = 0
            self._rows.clear()
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._bury()
            raise
        streams = len(self._known)
        if self._events > EVENTS_FOR_EACH * max(FEW, streams) or streams > MANY:
            self._known, self._known_before, self._events = {}, self._known, 0
        return errors

    def _remembered(self, stream: str) -> Known | None:
        known = self._known.get(stream)
        if known is None and (known := self._known_before.pop(stream, None)) is not None:
            self._known[stream] = known
        return known

    def _bury(self) -> None:
        """Write something else over what a failed commit may have left.

        A commit that failed while it was synced stands in the write-ahead log all the same. A crash
        would bring it back, after everybody was told that it is not recorded.
        """
        with contextlib.suppress(sqlite3.Error):
            (layout,) = self._connection.execute("PRAGMA user_version").fetchone()
            self._connection.execute(f"PRAGMA user_version = {layout}")

    def _add(self, writes: list[Texts]) -> StoreError | None:
        """Add the rows of one append, or say why it is stale."""
        if len(writes) > 1:
            return self._add_together(writes)
        ((stream, expected, texts),) = writes
        known = self._remembered(stream)
        if known is None or known.version != expected:
            known = self._look_up(stream)
            if known.version != expected:
                return _stale(stream, known, expected)
        self._grow(stream, known, texts)
        return None

    def _add_together(self, writes: list[Texts]) -> StoreError | None:
        """Add all of the writes, or nothing when one of them is stale."""
        ahead: dict[str, int] = {}
        for stream, expected, texts in writes:
            known = self._look_up(stream)
            if known.version + ahead.get(stream, 0) != expected:
                return _stale(stream, known, expected)
            ahead[stream] = ahead.get(stream, 0) + len(texts)
        for stream, _, texts in writes:
            self._grow(stream, self._known[stream], texts)
        return None

    def _grow(self, stream: str, known: Known, texts: list[str]) -> None:
        if not known.number:
            self._begin()
            row = self._connection.execute("INSERT INTO streams (name) VALUES (?)", (stream,))
            assert row.lastrowid is not None
            if row.lastrowid <= self._highest:
                # SQLite gives the highest number again when its stream was taken out.
                raise sqlite3.IntegrityError(f"{row.lastrowid} was the number of another stream")
            known.number = self._highest = row.lastrowid
        self._events += len(texts)
        for text in texts:
            known.version += 1
            self._rows.append((known.number, known.version, text))

    def _look_up(self, stream: str) -> Known:
        """What the file says of a stream; number 0 when it is not there."""
        self._begin()
        self._insert()  # what is on its way counts
        row = self._connection.execute(
            "SELECT id, (SELECT max(version) FROM events WHERE stream = id)"
            " FROM streams WHERE name = ?",
            (stream,),
        ).fetchone()
        number, version = row or (0, 0)
        self._highest = max(self._highest, number)
        known = self._known[stream] = Known(number, version or 0)
        return known

    def _begin(self) -> None:
        """Hold together what takes more than one statement; one alone is a transaction itself."""
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    def _insert(self) -> None:
        if len(self._rows) == 1:
            self._connection.execute(INSERT_ONE, self._rows[0])
        elif self._rows:
            self._connection.execute(INSERT_MANY, (msgspec.json.encode(self._rows).decode(),))
        self._rows.clear()


def _stale(stream: str, known: Known, expected: int) -> StaleVersionError:
    return StaleVersionError(f"{stream} has {known.version} events, not {expected}")
