"""A store whose appends and a host whose refusals are counted; the rest is their own."""

import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial
from typing import Any

from parlour.games import Refused
from parlour.gateways.web import Metrics
from parlour.host import (
    AnyAggregate,
    Bus,
    Done,
    Host,
    Refuse,
    Store,
    Stored,
    StoreError,
    Write,
)

MOVE = b'{"type":"MovePlayed/'


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
                if data.startswith(MOVE):
                    self._metrics.moves += 1
        if not self._timing:
            self._timing = True
            done = partial(self._timed, done, time.perf_counter())
        self._append(writes, done)

    def _timed(self, done: Done, begin: float, error: StoreError | None) -> None:
        self._timing = False
        self._metrics.appends.add(time.perf_counter() - begin)
        done(error)


class MeasuredHost(Host):
    """Tells `metrics` what is refused, whatever protocol asked for it."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        aggregates: Iterable[AnyAggregate],
        now: Callable[[], int],
        new_id: Callable[[], str],
        metrics: Metrics,
    ) -> None:
        super().__init__(MeasuredStore(store, metrics), bus, aggregates, now, new_id)
        self._refused = metrics.refused

    def submit(
        self,
        stream: str,
        command: Any,
        refuse: Refuse = lambda no: None,
        accept: Callable[[], None] = lambda: None,
    ) -> None:
        """See `Host`."""
        super().submit(stream, command, partial(self._count, refuse), accept)

    def submit_together(
        self,
        commands: Sequence[tuple[str, Any]],
        refuse: Refuse = lambda no: None,
        accept: Callable[[], None] = lambda: None,
    ) -> None:
        """See `Host`."""
        super().submit_together(commands, partial(self._count, refuse), accept)

    def _count(self, refuse: Refuse, no: Refused) -> None:
        self._refused(no.refusal.value)
        refuse(no)
