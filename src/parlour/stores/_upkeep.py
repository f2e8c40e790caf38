"""What may change a log besides appending: prune, and the deletion of a person's names."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from parlour.host import StoreError
from parlour.stores._file import OpenLog
from parlour.stores._sqlite import connect

# Events and streams that go in one transaction, and one stream more: what a server appends
# meanwhile waits for milliseconds. A stream goes whole, for no half of one could be read.
REMOVED_TOGETHER = 2_000
EVENTS = "DELETE FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)"
STREAM = "DELETE FROM streams WHERE name = ?"
REPLACE = "UPDATE events SET data = ? WHERE position = ?"
BEGIN = "INSERT OR IGNORE INTO streams (name) VALUES (?)"
ADD = """INSERT INTO events (stream, version, data)
    SELECT id, (SELECT count(*) FROM events WHERE stream = id) + 1, ? FROM streams WHERE name = ?"""


class Upkeep(OpenLog):
    """A log that is changed. Whatever is taken out is overwritten in the file.

    Raises:
        StoreError: the file cannot be opened.
    """

    _doing = "change"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = connect(path)
        self._db.execute("PRAGMA secure_delete = ON")
        # What VACUUM writes on the side must not be left on a disk.
        self._db.execute("PRAGMA temp_store = MEMORY")

    def remove(self, streams: Sequence[str], beside: bool = False) -> None:
        """Take whole streams out, some of them at a time.

        `beside` a server every other moment is the server's: whoever waits for the lock asks for
        it now and then only, and would hardly ever find it free.

        Raises:
            StoreError: the medium failed; those before are gone.
        """
        first = 0
        while first < len(streams):
            begun = time.monotonic()
            with self._changing():
                gone = 0
                while gone < REMOVED_TOGETHER and first < len(streams):
                    gone += 1 + self._db.execute(EVENTS, (streams[first],)).rowcount
                    self._db.execute(STREAM, (streams[first],))
                    first += 1
            if beside:
                time.sleep(time.monotonic() - begun)

    def replace(
        self,
        events: Iterable[tuple[int, bytes]],
        sound: Callable[[], None],
        record: tuple[str, bytes],
    ) -> None:
        """Put other data at some positions and add an event to a stream, all or none.

        `sound` raises when what stands there then must not stay. `record` is the stream and the
        event, which says that it was done.

        Raises:
            StoreError: the medium failed; nothing has changed.
        """
        with self._changing():
            for position, data in events:
                self._db.execute(REPLACE, (data.decode(), position))
            sound()
            stream, data = record
            self._db.execute(BEGIN, (stream,))
            self._db.execute(ADD, (data.decode(), stream))

    def compact(self) -> None:
        """Write the file anew without what was taken out, and empty the write-ahead log.

        Nobody else may have it open.

        Raises:
            StoreError: the medium failed, or somebody has it open.
        """
        with self._failing():
            self._db.execute("VACUUM")
            (busy, *_) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError(f"somebody is reading {self._path}: try again when they have finished")

    def free(self) -> int:
        """How many bytes of the file hold nothing and will be used again."""
        with self._failing():
            (pages,) = self._db.execute("PRAGMA freelist_count").fetchone()
            (size,) = self._db.execute("PRAGMA page_size").fetchone()
        return int(pages * size)

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        with self._failing():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
