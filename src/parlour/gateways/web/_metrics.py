"""Figures for Prometheus, in a registry of their own."""

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from parlour.games import Refused
from parlour.host import Host

LOOKED_EVERY = 0.25  # seconds
BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Timings:
    """Durations by size. Every move is counted, so this is a bisection and two additions."""

    def __init__(self) -> None:
        self.total = 0.0
        self.counts = [0] * (len(BOUNDS) + 1)

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus has them: how many were at most so long."""
        found, so_far = [], 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            so_far += count
            found.append((bound, float(so_far)))
        return found


class Metrics(Collector):
    """What the server counts and measures."""

    def __init__(self) -> None:
        self.moves = 0
        self.refusals: Counter[str] = Counter()
        self.appends = Timings()
        self._lag = Timings()
        self._host: Host | None = None
        self._online: Callable[[], Mapping[str, int]] = dict
        self._task: asyncio.Task[None] | None = None
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def refused(self, no: Refused) -> None:
        """Count a refusal."""
        self.refusals[no.refusal.value] += 1

    def turned_away(self, kind: str) -> None:
        """Count a request that did not get as far as a command."""
        self.refusals[kind] += 1

    def start(self, host: Host, online: Callable[[], Mapping[str, int]]) -> None:
        """Begin to look at the event loop; count the host's matches and the connections."""
        self._host = host
        self._online = online
        self._task = asyncio.get_running_loop().create_task(self._watch())

    def close(self) -> None:
        """Measure no more."""
        if self._task is not None:
            self._task.cancel()

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The figures of this moment."""
        yield CounterMetricFamily("parlour_moves", "Moves given to the log", self.moves)
        refusals = CounterMetricFamily("parlour_refusals", "Commands refused", labels=["kind"])
        for kind, count in self.refusals.items():
            refusals.add_metric([kind], count)
        yield refusals
        yield _histogram("parlour_append_seconds", "From append to commit", self.appends)
        yield _histogram("parlour_loop_lag_seconds", "Lateness of the event loop", self._lag)
        connections = GaugeMetricFamily("parlour_connections", "Connections", labels=["protocol"])
        for protocol, count in self._online().items():
            connections.add_metric([protocol], count)
        yield connections
        yield self._matches()

    def _matches(self) -> Metric:
        family = GaugeMetricFamily("parlour_matches", "Unfinished matches", labels=["state"])
        counts = {"open": 0, "live": 0, "suspended": 0}
        for listing in self._host.directory.unfinished.values() if self._host else ():
            counts[listing.status.value] += 1
        for state, count in counts.items():
            family.add_metric([state], count)
        return family

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            wanted = loop.time() + LOOKED_EVERY
            await asyncio.sleep(LOOKED_EVERY)
            self._lag.add(max(loop.time() - wanted, 0))


def _histogram(name: str, said: str, timings: Timings) -> Metric:
    return HistogramMetricFamily(name, said, buckets=timings.buckets(), sum_value=timings.total)
