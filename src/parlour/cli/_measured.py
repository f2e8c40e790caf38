"""A store whose appends are measured; everything else is the store's own."""

import time
from collections.abc import AsyncIterator, Sequence
from functools import partial

from parlour.gateways.web import Metrics
from parlour.host import Done, Store, Stored, StoreError, Write

MOVE = b'{"type":"MovePlayed/'


class MeasuredStore:
    """Tells `metrics` how long appends take and how many moves they hold."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self.read = store.read
        self.close = store.close

    def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        """See `Store`."""
        return self._store.read_all(after)

    def append(self, writes: Sequence[Write], done: Done) -> None:
        """See `Store`."""
        self._store.append(writes, partial(self._appended, writes, done, time.perf_counter()))

    def _appended(
        self, writes: Sequence[Write], done: Done, begin: float, error: StoreError | None
    ) -> None:
        metrics = self._metrics
        metrics.appends.add(time.perf_counter() - begin)
        if error is None:
            for write in writes:
                metrics.moves += sum(data.startswith(MOVE) for data in write.events)
        done(error)
