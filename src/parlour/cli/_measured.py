"""A store whose appends are counted and timed; the rest is its own."""

import time
from collections.abc import AsyncIterator, Sequence
from functools import partial

from parlour.gateways.web import Metrics
from parlour.host import Done, Store, Stored, StoreError, Write
from parlour.match import MOVE_PREFIX


class MeasuredStore:
    """Tells `metrics` how many moves are appended, and how long appends take.

    One append is timed at a time: the others of its commit take as long, and a move costs less.
    """

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._append = store.append
        self._metrics = metrics
        self._timing = False
        self.read = store.read
        self.close = store.close

    def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        """See `Store`."""
        return self._store.read_all(after)

    def append(self, writes: Sequence[Write], done: Done) -> None:
        """See `Store`."""
        for write in writes:
            for data in write.events:
                if data.startswith(MOVE_PREFIX):
                    self._metrics.moves += 1
        if not self._timing:
            self._timing = True
            done = partial(self._timed, done, time.perf_counter())
        self._append(writes, done)

    def _timed(self, done: Done, begin: float, error: StoreError | None) -> None:
        self._timing = False
        self._metrics.appends.add(time.perf_counter() - begin)
        done(error)
