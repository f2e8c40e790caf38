"""The host over real stores: durable before visible, in order, once, and never stale."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.games import Refusal, Refused
from parlour.host import Host, Recorded, Store
from parlour.match import (
    CreateMatch,
    MatchAggregate,
    MovePlayed,
    Newcomer,
    PlayMove,
    Resign,
    Status,
    Terms,
    TimeControl,
)
from parlour.stores import MemoryStore, SqliteStore
from tests.host.stores import FailingStore, HeldStore
from tests.service import wall_clock

READY = Terms(ready=True)
X, O = "web:x", "web:o"  # noqa: E741 - the token's name
CREATE = CreateMatch(
    "tictactoe", newcomers=(Newcomer(X, "xena", READY), Newcomer(O, "otto", READY))
)


def make_host(
    store: Store,
    bus: MemoryBus | None = None,
    now: Callable[[], int] = wall_clock,
) -> Host:
    numbers = itertools.count(1)
    return Host(store, bus or MemoryBus(), [MatchAggregate(GAMES)], now, lambda: str(next(numbers)))


async def until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(10):
        while not holds():
            await asyncio.sleep(0)


class Ear:
    """A follower that keeps what it is told, and every refusal."""

    def __init__(self) -> None:
        self.records: list[Recorded] = []
        self.refusals: list[Refusal] = []

    def deliver(self, records: Sequence[Recorded]) -> None:
        self.records += records

    def refuse(self, no: Refused) -> None:
        self.refusals.append(no.refusal)

    @property
    def versions(self) -> list[int]:
        return [record.version for record in self.records]

    @property
    def moves(self) -> list[str]:
        return [one.event.move for one in self.records if isinstance(one.event, MovePlayed)]


@pytest.mark.parametrize("after", [0, 2, 5, 9])
async def test_followers_hear_every_event_past_a_version_once(after: int) -> None:
    host = make_host(MemoryStore())
    stream = host.create("match", CREATE)
    for by, move in ((X, "0,0"), (O, "1,1"), (X, "2,2")):
        host.submit(stream, PlayMove(by, move))
    await host.state(stream)
    ear = Ear()
    host.follow(stream, after, ear.deliver)
    assert ear.records == []
    host.submit(stream, PlayMove(O, "0,2"))  # the follower joins during a move
    host.submit(stream, PlayMove(X, "2,0"))
    host.submit(stream, PlayMove(O, "1,0"))
    await until(lambda: 10 in ear.versions)
    assert ear.versions == list(range(after + 1, 11))
    await host.close()


async def test_a_follower_that_fails_hurts_nobody(caplog: pytest.LogCaptureFixture) -> None:
    host, ear = make_host(MemoryStore()), Ear()
    stream = host.create("match", CREATE)

    def fail(records: Sequence[Recorded]) -> None:
        raise ZeroDivisionError

    host.follow(stream, 0, fail)
    host.follow(stream, 0, ear.deliver)
    host.submit(stream, PlayMove(X, "0,0"))
    await until(lambda: ear.moves)
    assert "a follower of match-1 failed" in caplog.text
    await host.close()


async def test_a_refusal_is_decided_on_what_another_host_wrote() -> None:
    """No bell was heard: each host has a bus of its own."""
    store = MemoryStore()
    one, other, ear = make_host(store), make_host(store), Ear()
    stream = one.create("match", CREATE)
    await one.state(stream)
    await other.state(stream)
    one.submit(stream, PlayMove(X, "0,0"))
    await until(lambda: len(store._log) == 5)

    other.submit(stream, PlayMove(O, "1,1"), ear.refuse)

    await until(lambda: len(store._log) == 6 or ear.refusals)
    assert ear.refusals == []
    await one.close()


async def test_two_hosts_on_one_file_see_the_same_prefix(tmp_path: Path) -> None:
    path, bus = tmp_path / "log.sqlite3", MemoryBus()
    one, other = make_host(SqliteStore(path), bus), make_host(SqliteStore(path), bus)
    here, there = Ear(), Ear()
    stream = one.create("match", CREATE)
    one.follow(stream, 0, here.deliver)
    await until(lambda: len(here.records) == 4)
    other.follow(stream, 0, there.deliver)
    cells = ["0,0", "1,1", "0,1", "0,2", "2,0"]
    for number, cell in enumerate(cells):
        host, by = ((one, X), (other, O))[number % 2]
        host.submit(stream, PlayMove(by, cell), here.refuse)
        await until(lambda: len(here.moves) == number + 1)  # noqa: B023 - awaited at once
    await until(lambda: len(there.moves) == 5)

    assert here.moves == there.moves == cells
    assert here.versions == there.versions == list(range(1, 10))
    assert here.refusals == []
    assert other.directory.get(stream) == one.directory.get(stream)
    await one.close()
    await other.close()


async def test_the_directory_has_what_another_host_records_and_nobody_here_looks_at() -> None:
    store, bus = MemoryStore(), MemoryBus()
    one, other = make_host(store, bus), make_host(store, bus)
    stream = one.create("match", CREATE)
    await until(lambda: other.directory.unfinished.get(stream))
    one.submit(stream, Resign(X))
    await until(lambda: stream in other.directory.finished)
    one._bell.ring("club-1")  # of a kind that is not run here
    await one.close()
    await other.close()


async def test_a_store_that_fails_changes_nothing_and_play_goes_on() -> None:
    store = FailingStore()
    host, ear = make_host(store), Ear()
    stream = host.create("match", CREATE)
    host.follow(stream, 4, ear.deliver)
    await host.state(stream)
    store.failing = True
    host.submit(stream, PlayMove(X, "0,0"), ear.refuse)
    await until(lambda: ear.refusals)
    assert ear.refusals == [Refusal.UNAVAILABLE]
    assert ear.records == []

    store.failing = False
    host.submit(stream, PlayMove(X, "0,0"), ear.refuse)
    await until(lambda: ear.records)
    assert ear.versions == [5]
    await host.close()


async def test_a_flood_is_refused() -> None:
    store = HeldStore()
    host, ear = make_host(store), Ear()
    stream = host.create("match", CREATE)
    await until(lambda: host.directory.get(stream))
    store.held = True
    for _ in range(100):
        host.submit(stream, PlayMove(X, "0,0"), ear.refuse)
    assert set(ear.refusals) == {Refusal.LIMIT}
    store.release()
    await until(lambda: len(ear.refusals) == 99)
    await host.close()


async def test_several_streams_are_changed_together_or_not_at_all() -> None:
    host, ear = make_host(MemoryStore()), Ear()
    a, b = host.create("match", CREATE), host.create("match", CREATE)
    await until(lambda: len(host.directory.unfinished) == 2)

    host.submit_together([(a, PlayMove(X, "0,0")), (b, PlayMove(O, "0,0"))], ear.refuse)
    await until(lambda: ear.refusals)
    assert ear.refusals == [Refusal.OUT_OF_TURN]
    assert (await host.state(a))[1] == (await host.state(b))[1] == 4

    host.follow(b, 4, ear.deliver)
    host.submit_together([(a, PlayMove(X, "0,0")), (b, PlayMove(X, "0,0"))], ear.refuse)
    await until(lambda: ear.records)
    assert (await host.state(a))[1] == (await host.state(b))[1] == 5
    with pytest.raises(ValueError, match="one command for each"):
        host.submit_together([(a, Resign(X)), (a, Resign(O))])
    await host.close()


async def test_a_finished_match_is_forgotten_with_its_last_follower() -> None:
    host, ear = make_host(MemoryStore()), Ear()
    stream = host.create("match", CREATE, room="den")
    assert host.directory.room("DEN") == stream
    follower = host.follow(stream, 0, ear.deliver)
    host.submit(stream, Resign(X))
    await until(lambda: len(ear.records) >= 6)
    assert stream in host._streams
    follower.stop()
    assert stream not in host._streams
    await host.close()


async def test_a_refused_table_gives_its_room_back() -> None:
    host, ear = make_host(MemoryStore()), Ear()
    host.create("match", CreateMatch("halma", room="den"), ear.refuse, "den")
    await until(lambda: ear.refusals)
    assert ear.refusals == [Refusal.BAD_OPTIONS]
    assert host.directory.room("den") is None
    await host.close()


async def test_a_clock_that_runs_out_loses_without_anybody_asking() -> None:
    host, ear = make_host(MemoryStore()), Ear()
    limited = CreateMatch("tictactoe", newcomers=CREATE.newcomers, control=TimeControl(turn=20))
    for _ in range(300):
        host.follow(host.create("match", limited), 4, ear.deliver)
    await until(lambda: len(ear.records) == 600)
    assert {record.state.status for record in ear.records[1::2]} == {Status.OVER}
    await host.close()


async def test_the_directory_says_what_a_restart_did() -> None:
    store = MemoryStore()
    host = make_host(store)
    stream = host.create("match", CREATE)
    await until(lambda: stream in host.directory.unfinished)

    again = make_host(store)
    await again.recover(50)
    assert again.directory.unfinished[stream].status is Status.SUSPENDED
    assert (await again.state(stream))[0].status is Status.SUSPENDED

    await until(lambda: stream in again.directory.finished)  # nobody came back
    assert again.directory.finished[stream].status is Status.ABORTED
    await again.close()
