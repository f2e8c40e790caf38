"""The time while the service was down costs nobody anything, whatever the wall clock says."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.match import (
    ComeBack,
    Command,
    ForfeitCause,
    GoAway,
    PlayMove,
    Resign,
    Restart,
    SeatForfeited,
    Status,
    Terms,
    Tick,
    TimeControl,
    wakes_at,
)
from tests.match.tables import Table, kinds

PATIENT = Terms(ready=True, grace=30_000)
RECLAIM = 120_000
TURN = TimeControl(turn=60_000)
TOTAL = TimeControl(total=60_000, increment=1_000)
BYO_YOMI = TimeControl(periods=12, period=5_000)
LIMITS = pytest.mark.parametrize("control", [TURN, TOTAL, BYO_YOMI], ids=["turn", "total", "byo"])
DOWN = pytest.mark.parametrize(
    "down_for", [0, 59_999, 60_000, 10 * 24 * 3_600_000, -1, -60_000, -10 * 24 * 3_600_000]
)


def go(control: TimeControl, *terms: Terms) -> Table:
    return Table.of(*(terms or (PATIENT, PATIENT)), game="go", size=9, control=control)


def down(table: Table, milliseconds: int) -> None:
    """The service stops without a word and starts again when the wall clock says so."""
    table.now += milliseconds
    table.does(Restart(table.now + RECLAIM))


def back(table: Table, *who: str) -> None:
    for one in who:
        table.does(ComeBack(one))


@LIMITS
@DOWN
def test_both_back_after_a_crash_early_in_a_turn_have_the_whole_turn(
    control: TimeControl, down_for: int
) -> None:
    table = go(control)
    table.now += 1_000
    table.plays("4,4")
    down(table, down_for)
    table.now += 5_000
    back(table, "a", "b")
    assert table.state.status is Status.LIVE
    assert wakes_at(table.state) == table.now + 60_000
    table.now += 59_999
    assert table.does(Tick()) == []
    assert kinds(table.does(PlayMove("b", "3,3"))) == ["MovePlayed"]


@LIMITS
def test_what_the_turn_had_used_by_the_last_event_stays_used(control: TimeControl) -> None:
    table = go(control)
    table.now += 40_000
    table.does(GoAway("b"))  # the newest fact of the log: so far the turn was lived through
    down(table, 3_600_000)
    back(table, "a", "b")
    assert wakes_at(table.state) == table.now + 20_000
    table.now += 20_000
    *_, forfeited, _ = table.does(Tick())
    assert isinstance(forfeited, SeatForfeited)
    assert (forfeited.seat, forfeited.cause) == (0, ForfeitCause.TIME)


@LIMITS
def test_crashes_in_one_turn_add_up_to_what_was_lived_between_them(control: TimeControl) -> None:
    table = go(control)
    for _ in range(3):
        table.now += 10_000
        table.does(GoAway("b"))
        down(table, 3_600_000)
        table.now += 7_000
        back(table, "a", "b")
    assert wakes_at(table.state) == table.now + 30_000


def test_a_crash_in_the_pause_of_a_restart_changes_nothing_about_the_turn() -> None:
    table = go(TURN)
    down(table, 600_000)
    back(table, "a")
    down(table, 600_000)
    back(table, "a", "b")
    assert wakes_at(table.state) == table.now + 60_000


def test_an_absence_that_began_before_the_crash_has_its_grace_after_it() -> None:
    table = go(TimeControl())
    table.now += 1_000
    table.does(GoAway("a"))
    table.now += 29_000
    down(table, 3_600_000)
    back(table, "b")
    table.now += RECLAIM
    assert kinds(table.does(Tick())) == ["Resumed"]
    assert wakes_at(table.state) == table.now + 30_000
    table.now += 29_999
    back(table, "a")
    assert table.state.status is Status.LIVE


@pytest.mark.parametrize("control", [TOTAL, BYO_YOMI], ids=["total", "byo"])
def test_a_wall_clock_that_is_set_back_gives_nobody_time(control: TimeControl) -> None:
    """Between two hosts of one log it may go back by a little at any moment."""
    table = go(control)
    table.now -= 10_000
    table.plays("4,4")
    assert table.state.clock is not None
    most = control.total + control.increment if control.total else 0
    assert table.state.clock.left[0] == most
    table.now -= 10_000
    table.does(GoAway("a"))
    down(table, -10_000)
    assert table.state.clock is not None
    assert table.state.clock.spent == 0


CONTROLS = st.builds(
    TimeControl,
    turn=st.sampled_from([0, 10_000]),
    total=st.sampled_from([0, 20_000]),
    increment=st.sampled_from([0, 500]),
    periods=st.integers(0, 2),
    period=st.just(3_000),
)
FACTS: st.SearchStrategy[Callable[[str], Command]] = st.sampled_from([GoAway, ComeBack])
THOUGHTS = st.lists(st.tuples(st.integers(0, 2_000), FACTS, st.sampled_from("ab")), max_size=3)
CRASHES = st.tuples(
    THOUGHTS,
    st.integers(0, 60_000),  # lived, but nothing tells of it
    st.one_of(st.integers(-(10**10), 10**10), st.integers(-5_000, 5_000)),
    st.integers(0, RECLAIM - 1),
)


@given(CONTROLS, st.lists(CRASHES, min_size=1, max_size=3))
def test_who_comes_back_in_time_has_what_was_left_at_the_last_event(
    control: TimeControl,
    crashes: list[tuple[list[tuple[int, Callable[[str], Command], str]], int, int, int]],
) -> None:
    table = go(control)
    deadline, begun, lived = wakes_at(table.state), table.now, 0
    for thoughts, untold, down_for, until_back in crashes:
        newest = table.now
        for thought, fact, who in thoughts:
            table.now += thought
            if table.does(fact(who)):
                lived, newest = lived + table.now - newest, table.now
        table.now += untold
        down(table, down_for)
        table.now += until_back
        back(table, "a", "b")
        assert table.state.status is Status.LIVE
        if deadline is None:
            assert wakes_at(table.state) is None
            continue
        assert wakes_at(table.state) == table.now + deadline - begun - lived
        if lived >= deadline - begun:
            assert kinds(table.does(Tick())) == ["SeatForfeited", "MatchEnded"]
            return
    assert kinds(table.does(PlayMove("a", "4,4"))) == ["MovePlayed"]


def test_who_resigns_in_the_pause_leaves_the_next_a_whole_turn() -> None:
    table = Table.of(PATIENT, PATIENT, PATIENT, game="chinese_checkers", control=TURN, players=3)
    table.now += 40_000
    table.does(GoAway("c"))
    down(table, 3_600_000)
    back(table, "b", "c")
    assert kinds(table.does(Resign("a"))) == ["SeatForfeited", "Resumed"]
    assert wakes_at(table.state) == table.now + 60_000
