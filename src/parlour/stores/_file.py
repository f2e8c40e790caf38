"""The file of a log as commands read it: beside a running server, or without one."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Self

from parlour.host import StoreError
from parlour.stores._sqlite import check_ours, create_private

STREAMS = "SELECT name FROM streams ORDER BY id"
EVENTS = """SELECT position, version, CAST(data AS BLOB) FROM events
    WHERE stream = (SELECT id FROM streams WHERE name = ?) ORDER BY version"""
NEWEST = """SELECT position, version, CAST(data AS BLOB) FROM events
    WHERE stream = (SELECT id FROM streams WHERE name = ?) ORDER BY version DESC LIMIT 1"""
COUNTS = "SELECT (SELECT count(*) FROM streams), (SELECT count(*) FROM events)"
GAPS = """
    SELECT name, count(*), max(version) FROM events JOIN streams ON id = stream
    GROUP BY stream HAVING min(version) <> 1 OR max(version) <> count(*)
"""
ORPHANS = "SELECT count(*) FROM events WHERE stream NOT IN (SELECT id FROM streams)"
FAULTS_MOST = 20  # of a broken file; the rest says no more
SHORT = 40  # characters, of at most 4 bytes each; file systems have names of 255 bytes
WHOLE = "ok"  # what SQLite says of a file without faults


class Row(NamedTuple):
    """One recorded event; `position` rises through the whole log."""

    position: int
    version: int
    data: bytes


class Copied(NamedTuple):
    """What a copy holds."""

    streams: int
    events: int
    size: int  # bytes


class OpenLog:
    """The file of a log, until it is closed."""

    _doing = "read"
    _path: Path
    _db: sqlite3.Connection

    def events(self, stream: str) -> list[Row]:
        """The events of a stream in the order of their versions.

        Raises:
            StoreError: the medium failed.
        """
        with self._failing():
            return [Row._make(row) for row in self._db.execute(EVENTS, (stream,))]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"cannot {self._doing} {self._path}: {error}") from error


class LogFile(OpenLog):
    """Reads a log and writes nothing, each stream as it is at the moment.

    Raises:
        StoreError: the file cannot be opened, or is no log of ours.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.is_file():
            raise StoreError(f"there is no log in {path}")
        with self._failing():
            self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
            if not check_ours(self._db, path):
                raise StoreError(f"{path} is empty: it is no log of Parlour")

    def streams(self) -> list[str]:
        """Every stream, in the order in which they were begun.

        Raises:
            StoreError: the medium failed.
        """
        with self._failing():
            return [name for (name,) in self._db.execute(STREAMS)]

    def newest(self, stream: str) -> Row | None:
        """The last event of a stream; None where it has none.

        Raises:
            StoreError: the medium failed.
        """
        with self._failing():
            row = self._db.execute(NEWEST, (stream,)).fetchone()
        return None if row is None else Row._make(row)

    def count(self) -> tuple[int, int]:
        """How many streams and events there are.

        Raises:
            StoreError: the medium failed.
        """
        with self._failing():
            streams, events = self._db.execute(COUNTS).fetchone()
        return streams, events

    def faults(self) -> list[str]:
        """What is wrong with the file itself, whatever its events mean.

        Raises:
            StoreError: the medium failed.
        """
        with self._failing():
            rows = self._db.execute(f"PRAGMA integrity_check({FAULTS_MOST})").fetchall()
            found = [text for (text,) in rows if text != WHOLE]
            (orphans,) = self._db.execute(ORPHANS).fetchone()
        return [*found, f"{orphans} events are of no stream"] if orphans else found

    def gaps(self) -> list[str]:
        """The streams whose versions are not 1, 2, 3 and so on.

        Raises:
            StoreError: the medium failed.
        """
        with self._failing():
            rows = self._db.execute(GAPS).fetchall()
        return [f"{name} has {count} events up to version {newest}" for name, count, newest in rows]

    def copy(self, to: Path) -> Copied:
        """Write the log as it is at this moment to `to`, a file that is not there yet.

        The copy is read back before it gets its name: nobody finds half a file under it.

        Raises:
            FileExistsError: there is such a file.
            StoreError: it cannot be written, or is not sound.
        """
        if to.exists():
            raise FileExistsError(to)
        # Cut, so that the longest name that a file can have has a shorter one beside it.
        partial = to.with_name(f"{to.name[:SHORT]}.{os.getpid()}.partial")
        try:
            create_private(partial)
        except OSError as error:
            why = error.strerror
            raise StoreError(f"cannot copy {self._path} to {to}: {why}") from error
        try:
            self._db.execute("VACUUM INTO ?", (str(partial),))
            copied = _read_back(partial)
            _sync(partial)
            _name(partial, to)
        except sqlite3.Error as error:
            raise StoreError(f"cannot copy {self._path} to {to}: {error}") from error
        except FileExistsError:
            raise
        except OSError as error:
            raise StoreError(f"cannot write {to}: {error.strerror}") from error
        finally:
            partial.unlink(missing_ok=True)
        return copied


def _read_back(path: Path) -> Copied:
    with LogFile(path) as copy:
        faults = [*copy.faults(), *copy.gaps()]
        if faults:
            raise StoreError(f"the copy is not sound: {faults[0]}")
        streams, events = copy.count()
    return Copied(streams, events, path.stat().st_size)


def _name(partial: Path, to: Path) -> None:
    """Give a finished file its name, unless somebody else has taken that meanwhile."""
    try:
        os.link(partial, to)
    except FileExistsError:
        raise
    except OSError:  # no links there, as on a memory stick
        partial.rename(to)
    if os.name == "posix":
        _sync(to.absolute().parent)


def _sync(path: Path) -> None:
    """Make sure that it is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
