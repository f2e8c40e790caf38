"""A service ends: what is on its way arrives, and nothing happens after that."""

import asyncio

import pytest

from parlour.buses import MemoryBus
from parlour.host import StoreError
from parlour.match import CreateMatch, PlayMove, TimeControl
from parlour.stores import MemoryStore
from tests.host.test_host import CREATE, Ear, O, X, make_host, until
from tests.host.wall import Wall, turns


async def test_what_is_on_its_way_is_told_here_and_to_other_hosts() -> None:
    store, bus = MemoryStore(), MemoryBus()
    one, other, here, there = make_host(store, bus), make_host(store, bus), Ear(), Ear()
    stream = one.create("match", CREATE)
    one.follow(stream, 4, here.deliver)
    await one.state(stream)
    other.follow(stream, 4, there.deliver)
    await other.state(stream)

    one.submit(stream, PlayMove(X, "1,1"))
    await one.close()

    await until(lambda: there.moves)
    assert here.moves == there.moves == ["1,1"]
    await other.close()


class InterruptedStore(MemoryStore):
    """Whatever is being read when it is closed fails, as a query of SQLite's does."""

    def __init__(self) -> None:
        super().__init__()
        self.closing = asyncio.Event()

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        await self.closing.wait()
        raise StoreError("interrupted")

    async def close(self) -> None:
        self.closing.set()
        await turns()


async def test_a_stop_during_a_long_read_is_no_outage(caplog: pytest.LogCaptureFixture) -> None:
    host, ear = make_host(InterruptedStore()), Ear()
    host.follow("match-7", 0, ear.deliver)
    host.submit("match-7", PlayMove(X, "0,0"), ear.refuse)
    await turns()
    await host.close()
    await turns()
    assert caplog.messages == []
    assert ear.refusals == []


@pytest.mark.parametrize("late", [0, 1])
async def test_nothing_is_decided_any_more(late: int) -> None:
    """Neither what waited for its turn nor what somebody asks for afterwards."""
    store, ear = MemoryStore(), Ear()
    host = make_host(store)
    stream, idle = host.create("match", CREATE), host.create("match", CREATE)
    await turns()
    host.submit(stream, PlayMove(X, "0,0"))
    if not late:
        host.submit(stream, PlayMove(O, "1,1"))
    await host.close()

    host.submit(stream, PlayMove(O, "1,1"))
    host.submit(idle, PlayMove(X, "0,0"))
    host.submit_together([(stream, PlayMove(O, "1,1")), (idle, PlayMove(X, "0,0"))], ear.refuse)
    await turns()
    assert [len(await store.read(one)) for one in (stream, idle)] == [5, 4]
    assert ear.refusals == []


async def test_no_alarm_rings_any_more() -> None:
    wall = Wall(asyncio.get_running_loop())
    store = MemoryStore()
    host = make_host(store, now=wall.now)
    limited = CreateMatch("tictactoe", newcomers=CREATE.newcomers, control=TimeControl(turn=1_000))
    stream = host.create("match", limited)
    await turns()
    host.submit(stream, PlayMove(X, "1,1"))
    await host.close()
    await wall.passes(3_600_000)
    assert len(await store.read(stream)) == 5


async def test_nothing_is_decided_of_several_streams_that_are_idle() -> None:
    store = MemoryStore()
    host = make_host(store)
    streams = [host.create("match", CREATE) for _ in range(2)]
    await turns()
    await host.close()
    host.submit_together([(stream, PlayMove(X, "0,0")) for stream in streams])
    await turns()
    assert [len(await store.read(stream)) for stream in streams] == [4, 4]
