"""Long work has one thread, however many of those who asked for it have gone meanwhile."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator

import pytest

from parlour.host import LONG, Aside, Host, Write
from parlour.stores import MemoryStore
from tests.contracts.stores import appended
from tests.host.tallies import Added, Event, Sum, Tallies, tally_host
from tests.host.test_host import until
from tests.host.wall import turns

MANY = 8


class Bench:
    """Work that takes until a test says so, and how much of it was ever done at once."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.most = self.begun = 0
        self._doing = 0
        self._lock = threading.Lock()

    def work(self) -> None:
        """Work, in whichever thread."""
        with self._lock:
            self.begun += 1
            self._doing += 1
            self.most = max(self.most, self._doing)
        self.over.wait()
        with self._lock:
            self._doing -= 1


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.over.set()


async def asked_for_in_vain(bench: Bench, ask: Callable[[], Awaitable[object]]) -> None:
    """Many ask for work, one after the other, and none stays for it; then one does."""
    for number in range(MANY):
        asked = asyncio.ensure_future(ask())
        if number == 0:
            await until(lambda: bench.begun == 1)
        await turns()
        asked.cancel()
        await turns()
    stays = asyncio.ensure_future(ask())
    await turns()
    bench.over.set()
    await stays


async def test_work_of_those_who_have_gone_keeps_the_thread(bench: Bench) -> None:
    aside = Aside()
    await asked_for_in_vain(bench, lambda: aside.do(bench.work))

    assert (bench.most, bench.begun) == (1, 2)
    assert aside.waiting == 0


async def test_work_that_fails_leaves_the_thread_to_the_next() -> None:
    aside = Aside()
    with pytest.raises(ZeroDivisionError):
        await aside.do(lambda: 1 // 0)

    assert await aside.do(lambda: 7) == 7


async def test_short_work_is_done_at_once() -> None:
    aside = Aside()

    assert await aside.do(threading.get_ident, LONG - 1) == threading.get_ident()
    assert await aside.do(threading.get_ident, LONG) != threading.get_ident()


class Slow(Tallies):
    """Takes its time for the first event."""

    def __init__(self, bench: Bench) -> None:
        super().__init__()
        self._bench = bench

    def evolve(self, state: Sum | None, event: Event) -> Sum:
        if state is None:
            self._bench.work()
        return super().evolve(state, event)


async def long_tally(bench: Bench) -> Host:
    """A host of a sum of many numbers."""
    store, tallies = MemoryStore(), Slow(bench)
    data = [tallies.encode(Added(1)) for _ in range(LONG)]
    assert await appended(store, Write("tally-1", 0, data)) is None
    return tally_host(store, tallies)


async def test_histories_that_nobody_waits_for_any_more_keep_one_thread_busy(
    bench: Bench,
) -> None:
    host = await long_tally(bench)
    await asked_for_in_vain(bench, lambda: host.history("tally-1"))
    await host.close()

    assert (bench.most, bench.begun) == (1, 2)
