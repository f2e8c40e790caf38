"""One heap of alarms: none too early, none lost, and no match that stops the clocks of others."""

import asyncio
from itertools import pairwise

import pytest

from parlour.games import Refusal, Refused
from parlour.host import Timekeeper
from parlour.match import (
    CreateMatch,
    ForfeitCause,
    Newcomer,
    PlayMove,
    Resign,
    SeatForfeited,
    Terms,
    TimeControl,
)
from parlour.stores import MemoryStore
from tests.host.stores import FailingStore, HeldStore, Medium
from tests.host.test_host import CREATE, Ear, O, X, make_host
from tests.host.wall import Wall, turns

MINUTE = 60_000
DUE_AT_ONCE = 200


class Diary:
    """What a timekeeper has called, and when by the wall."""

    def __init__(self) -> None:
        self.wall = Wall(asyncio.get_running_loop())
        self.start = self.wall.now()
        self.rung: list[tuple[int, str]] = []
        self.keeper = Timekeeper(self.wall.now, self.due)

    def due(self, stream: str) -> None:
        self.rung.append((self.wall.now() - self.start, stream))

    def watch(self, stream: str, after: int) -> None:
        self.keeper.watch(stream, self.start + after)


async def test_alarms_ring_in_their_order_and_once() -> None:
    diary = Diary()
    for stream, after in (("c", 300), ("a", 100), ("b", 200)):
        diary.watch(stream, after)
    for _ in range(5):
        await diary.wall.passes(99)
    assert diary.rung == [(198, "a"), (297, "b"), (396, "c")]


async def test_an_alarm_that_is_due_already_rings_in_a_later_turn() -> None:
    diary = Diary()
    diary.watch("a", -5)
    assert diary.rung == []
    await turns()
    assert diary.rung == [(0, "a")]


async def test_an_earlier_alarm_takes_the_place_of_a_later_one() -> None:
    diary = Diary()
    diary.watch("a", 1_000)
    diary.watch("a", 100)
    await diary.wall.passes(100)
    await diary.wall.passes(5_000)
    assert diary.rung == [(100, "a")]


async def test_a_later_alarm_rings_when_the_first_would_have() -> None:
    """Nearly every move puts the alarm off: whoever is called looks whether it still stands."""
    diary = Diary()
    diary.watch("a", 100)
    diary.watch("a", 1_000)
    await diary.wall.passes(100)
    await diary.wall.passes(5_000)
    assert diary.rung == [(100, "a")]


async def test_who_is_called_may_ask_to_be_called_again() -> None:
    diary = Diary()

    def due(stream: str) -> None:
        diary.due(stream)
        if len(diary.rung) < 3:
            diary.watch(stream, diary.rung[-1][0] + 100)

    diary.keeper = Timekeeper(diary.wall.now, due)
    diary.watch("a", 100)
    diary.watch("b", 150)
    for _ in range(12):
        await diary.wall.passes(50)
    assert diary.rung == [(100, "a"), (150, "b"), (200, "a"), (250, "b")]


async def test_a_wall_clock_put_back_makes_nobody_early() -> None:
    diary = Diary()
    diary.watch("a", 1_000)
    diary.wall.is_set(-MINUTE)
    await diary.wall.passes(1_000)
    assert diary.rung == []
    await diary.wall.passes(MINUTE)
    assert [stream for _, stream in diary.rung] == ["a"]


async def test_thousands_that_are_due_at_once_leave_room_for_others() -> None:
    diary, seen = Diary(), list[int]()
    for number in range(1_000):
        diary.watch(f"match-{number}", number % 7)
    diary.wall.is_set(3_600_000)  # a laptop wakes up
    diary.watch("last", 0)

    while len(diary.rung) < 1_001:
        seen.append(len(diary.rung))
        await asyncio.sleep(0)
    assert max(after - before for before, after in pairwise(seen)) == DUE_AT_ONCE
    assert len({stream for _, stream in diary.rung}) == 1_001


async def test_a_mistake_in_one_match_does_not_stop_the_others() -> None:
    diary, mistakes = Diary(), list[object]()
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: mistakes.append(context["exception"])
    )

    def due(stream: str) -> None:
        diary.due(stream)
        if stream == "bad":
            raise ZeroDivisionError

    diary.keeper = Timekeeper(diary.wall.now, due)
    diary.watch("bad", 100)
    diary.watch("good", 100)
    diary.watch("later", 200)
    await diary.wall.passes(100)
    await diary.wall.passes(100)
    assert sorted(diary.rung) == [(100, "bad"), (100, "good"), (200, "later")]
    assert len(mistakes) == 1


async def test_who_is_forgotten_is_not_called() -> None:
    diary = Diary()
    diary.watch("a", 100)
    diary.watch("b", 100)
    diary.keeper.forget("a")
    diary.keeper.forget("stranger")
    await diary.wall.passes(1_000)
    assert [stream for _, stream in diary.rung] == ["b"]


async def test_matches_that_end_early_do_not_fill_the_heap() -> None:
    """A day of games with a long limit that last a moment."""
    diary = Diary()
    for number in range(20):
        diary.watch(f"live-{number}", 1_000)
    for number in range(20_000):
        diary.watch(f"match-{number}", 24 * 3_600_000)
        diary.keeper.forget(f"match-{number}")
        assert len(diary.keeper._heap) <= 1_100
    await diary.wall.passes(1_000)
    assert len(diary.rung) == 20


async def test_an_alarm_that_was_put_forward_and_rang_says_nothing_of_the_next() -> None:
    diary = Diary()
    diary.watch("a", 1_000)
    diary.watch("a", 100)
    await diary.wall.passes(100)
    diary.watch("a", 5_000)
    await diary.wall.passes(900)
    assert diary.rung == [(100, "a")]
    await diary.wall.passes(4_000)
    assert diary.rung == [(100, "a"), (5_000, "a")]


async def test_who_is_called_may_end_it_all() -> None:
    diary = Diary()

    def due(stream: str) -> None:
        diary.due(stream)
        diary.keeper.close()

    diary.keeper = Timekeeper(diary.wall.now, due)
    for stream, after in (("a", 100), ("b", 100), ("c", 200)):
        diary.watch(stream, after)
    await diary.wall.passes(100)
    await diary.wall.passes(100)
    assert len(diary.rung) == 1


async def test_nobody_is_called_after_the_end() -> None:
    diary = Diary()
    diary.watch("a", 100)
    timer = diary.keeper._timer
    assert timer is not None
    diary.keeper.close()
    assert timer.cancelled()
    await diary.wall.passes(1_000)
    assert diary.rung == []


# In a host

LIMITED = CreateMatch("tictactoe", newcomers=CREATE.newcomers, control=TimeControl(turn=1_000))


def lost(ear: Ear) -> list[tuple[int, ForfeitCause]]:
    return [
        (one.event.seat, one.event.cause)
        for one in ear.records
        if isinstance(one.event, SeatForfeited)
    ]


async def test_a_move_in_time_puts_the_end_off() -> None:
    wall, ear = Wall(asyncio.get_running_loop()), Ear()
    host = make_host(MemoryStore(), now=wall.now)
    stream = host.create("match", LIMITED)
    host.follow(stream, 4, ear.deliver)
    await wall.passes(999)
    host.submit(stream, PlayMove(X, "0,0"))
    await wall.passes(999)
    assert lost(ear) == []
    await wall.passes(1)
    assert lost(ear) == [(1, ForfeitCause.TIME)]
    await host.close()


async def test_a_move_on_its_way_at_the_alarm_counts() -> None:
    """It was decided in time; the store is slow."""
    wall, store, ear = Wall(asyncio.get_running_loop()), HeldStore(), Ear()
    host = make_host(store, now=wall.now)
    stream = host.create("match", LIMITED)
    host.follow(stream, 4, ear.deliver)
    await wall.passes(990)
    store.held = True
    host.submit(stream, PlayMove(X, "0,0"))
    await wall.passes(500)
    store.release()
    await wall.passes(499)
    assert ear.versions == [5]
    await wall.passes(1)
    assert lost(ear) == [(1, ForfeitCause.TIME)]
    await host.close()


async def test_a_move_refused_by_the_store_at_the_alarm_does_not_count() -> None:
    wall, store, ear = Wall(asyncio.get_running_loop()), FailingStore(), Ear()
    host = make_host(store, now=wall.now)
    stream = host.create("match", LIMITED)
    host.follow(stream, 4, ear.deliver)
    await wall.passes(990)
    store.failing = True
    host.submit(stream, PlayMove(X, "0,0"), ear.refuse)
    await wall.passes(10)
    assert ear.refusals == [Refusal.UNAVAILABLE]
    await wall.passes(5_500)  # the alarm has come, and could not be recorded
    assert ear.records == []
    store.failing = False
    await wall.passes(1_000)
    assert lost(ear) == [(0, ForfeitCause.TIME)]
    await host.close()


@pytest.mark.parametrize("matches", [1, 300])
async def test_clocks_run_on_in_matches_that_nobody_looks_at(matches: int) -> None:
    """Created long ago, unknown to this process but for the directory."""
    wall, store = Wall(asyncio.get_running_loop()), MemoryStore()
    patient = Terms(ready=True, grace=5_000)
    seats = (Newcomer(X, "xena", patient), Newcomer(O, "otto", patient))
    before = make_host(store, now=wall.now)
    for _ in range(matches):
        before.create("match", CreateMatch("tictactoe", newcomers=seats))
    await before.close()

    host = make_host(store, now=wall.now)
    await host.recover(10_000)
    assert len(host.directory.unfinished) == matches
    await wall.passes(9_999)
    assert len(host.directory.unfinished) == matches
    await wall.passes(1)
    assert len(host.directory.finished) == matches
    assert host._streams == {}
    await host.close()


async def test_an_alarm_that_came_early_for_a_clock_that_was_stopped_is_forgotten() -> None:
    wall, store, ear = Wall(asyncio.get_running_loop()), MemoryStore(), Ear()
    host = make_host(store, now=wall.now)
    stream = host.create("match", LIMITED)
    await wall.passes(500)
    host.follow(stream, 4, ear.deliver)
    wall.is_set(-100)
    await wall.passes(599)
    assert ear.records == []
    await wall.passes(1)
    assert lost(ear) == [(0, ForfeitCause.TIME)]
    await host.close()


async def test_a_match_that_ends_early_takes_its_alarm_with_it() -> None:
    wall = Wall(asyncio.get_running_loop())
    host = make_host(MemoryStore(), now=wall.now)
    for _ in range(3):
        stream = host.create("match", LIMITED)
        await wall.passes(1)
        assert list(host._timekeeper._alarms) == [stream]
        host.submit(stream, Resign(X))
        await wall.passes(1)
        assert host._timekeeper._alarms == {}
    await host.close()


async def test_an_alarm_that_cannot_be_recorded_is_tried_once_a_second() -> None:
    """Not in every turn of the loop, and not by more and more who insist."""
    wall, store, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    host = make_host(store, now=wall.now)
    stream = host.create("match", LIMITED)
    host.follow(stream, 4, ear.deliver)
    await wall.passes(999)
    store.full = True
    tried = 0

    def refused(no: Refused) -> None:
        nonlocal tried
        tried += 1

    host._hears_no = refused
    for _ in range(100):
        await wall.passes(100)
    assert 9 <= tried <= 11
    store.full = False
    await wall.passes(1_000)
    assert lost(ear) == [(0, ForfeitCause.TIME)]
    await host.close()
