"""Clocks as values: turn limits, budgets with increment, byo-yomi, stops."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.match import Clock, Terms, TimeControl
from tests.match.tables import Table


def running(control: TimeControl, at: int = 0) -> Clock:
    return Clock.of(control, 2).started(at, 0)


def test_no_limit_never_runs_out() -> None:
    assert running(TimeControl()).deadline() is None


def test_a_turn_limit_begins_anew_with_each_turn() -> None:
    clock = running(TimeControl(turn=15_000))
    assert clock.deadline() == 15_000
    assert clock.pressed(9_000, 1).deadline() == 24_000


def test_a_stopped_turn_keeps_what_it_has_used() -> None:
    clock = running(TimeControl(turn=15_000)).stopped(10_000)
    assert clock.deadline() is None
    assert clock.started(100_000, 0).deadline() == 105_000


def test_a_budget_shrinks_and_grows_by_the_increment() -> None:
    clock = running(TimeControl(total=60_000, increment=2_000)).pressed(10_000, 1)
    assert clock.left == (52_000, 60_000)
    assert clock.deadline() == 70_000


def test_byo_yomi_follows_the_budget() -> None:
    control = TimeControl(total=10_000, periods=3, period=5_000)
    clock = running(control)
    assert clock.deadline() == 25_000

    clock = clock.pressed(17_000, 1)  # 10 s, and 7 s of byo-yomi: one period is used up

    assert (clock.left[0], clock.periods[0]) == (0, 2)
    assert clock.pressed(18_000, 0).deadline() == 18_000 + 10_000


@pytest.mark.parametrize(("used", "periods"), [(4_999, 3), (5_000, 2), (10_000, 1), (14_999, 1)])
def test_each_period_that_is_used_up_is_gone(used: int, periods: int) -> None:
    clock = running(TimeControl(periods=3, period=5_000)).pressed(used, 1)
    assert clock.periods == (periods, 3)
    assert clock.pressed(used, 0).deadline() == used + periods * 5_000


def test_a_budget_used_to_the_last_millisecond_leads_into_byo_yomi() -> None:
    clock = running(TimeControl(total=10_000, increment=500, periods=1, period=5_000))
    assert clock.pressed(9_999, 1).left[0] == 501
    clock = clock.pressed(10_000, 1)
    assert (clock.left[0], clock.periods[0]) == (0, 1)


def test_byo_yomi_earns_no_increment_however_fast_the_move() -> None:
    clock = running(TimeControl(increment=500, periods=1, period=5_000)).pressed(0, 1)
    assert clock.left == (0, 0)


@pytest.mark.parametrize("control", [TimeControl(periods=3), TimeControl(period=5_000)])
def test_periods_of_no_length_and_no_periods_limit_nothing(control: TimeControl) -> None:
    assert running(control).deadline() is None


def test_a_stop_in_byo_yomi_counts_what_was_used_before_it() -> None:
    clock = running(TimeControl(total=10_000, periods=3, period=5_000))
    clock = clock.stopped(12_000).started(60_000, 0)
    assert clock.deadline() == 60_000 + 13_000
    assert clock.pressed(63_500, 1).periods[0] == 2


def test_stopping_twice_is_stopping_once() -> None:
    clock = running(TimeControl(turn=15_000)).stopped(10_000)
    assert clock.stopped(12_000) == clock


def test_a_move_within_a_period_keeps_the_period() -> None:
    control = TimeControl(total=0, periods=1, period=5_000)
    clock = running(control).pressed(4_999, 1)
    assert clock.periods[0] == 1


def test_the_shorter_of_turn_limit_and_budget_counts() -> None:
    assert running(TimeControl(turn=5_000, total=60_000)).deadline() == 5_000
    assert running(TimeControl(turn=5_000, total=3_000)).deadline() == 3_000


CONTROLS = st.builds(
    TimeControl,
    turn=st.sampled_from([0, 1_000, 15_000]),
    total=st.sampled_from([0, 5_000, 60_000]),
    increment=st.sampled_from([0, 500]),
    periods=st.integers(0, 3),
    period=st.sampled_from([0, 1_000, 5_000]),
)


@given(CONTROLS, st.lists(st.integers(0, 20_000), max_size=30))
def test_who_moves_in_time_never_owes_any(control: TimeControl, thinking: list[int]) -> None:
    clock, now = running(control), 0
    for number, used in enumerate(thinking):
        deadline = clock.deadline()
        now = now + used if deadline is None else min(now + used, deadline - 1)
        clock = clock.pressed(now, (number + 1) % 2)
        assert min(clock.left) >= 0
        assert min(clock.periods) >= 0
        after = clock.deadline()
        assert after is None or after > now


@given(CONTROLS, st.lists(st.tuples(st.integers(0, 5_000), st.booleans()), max_size=10))
def test_a_turn_interrupted_by_stops_is_as_long_as_one_that_is_not(
    control: TimeControl, steps: list[tuple[int, bool]]
) -> None:
    clock, now, thought = running(control), 0, 0
    for length, stops in steps:
        now, thought = now + length, thought + length
        if stops:
            clock = clock.stopped(now)
            now += 100_000
            clock = clock.started(now, 0)
    whole = running(control)
    deadline, of_whole = clock.deadline(), whole.deadline()
    assert (deadline is None) == (of_whole is None)
    if deadline is not None and of_whole is not None:
        assert deadline - now == of_whole - thought
    after, after_whole = clock.pressed(now, 1), whole.pressed(thought, 1)
    assert (after.left, after.periods) == (after_whole.left, after_whole.periods)


@given(CONTROLS, st.data())
def test_thinking_longer_never_leaves_more(control: TimeControl, data: st.DataObject) -> None:
    clock = running(control)
    deadline = clock.deadline()
    used = st.integers(0, 50_000 if deadline is None else deadline - 1)
    shorter, longer = sorted((data.draw(used), data.draw(used)))
    ends = [clock.pressed(at, 1).pressed(at, 0).deadline() for at in (shorter, longer)]
    if ends[0] is None or ends[1] is None:
        assert ends == [None, None]
    else:
        assert ends[1] - longer <= ends[0] - shorter


def test_of_the_turn_limits_at_a_table_the_strictest_counts_from_the_start() -> None:
    limits = [Terms(ready=True, turn_limit=limit) for limit in (0, 9_000, 300)]
    table = Table.of(*limits[:2], control=TimeControl(turn=20_000, total=60_000))
    assert table.state.control == TimeControl(turn=9_000, total=60_000)
    assert table.state.clock == Clock.of(table.state.control, 2).started(table.now, 0)

    assert Table.of(*limits[1:]).state.control == TimeControl(turn=300)
    kept = Table.of(*limits[1:], control=TimeControl(turn=200)).state
    assert kept.control == TimeControl(turn=200)
    waited_for = Terms(ready=True, suspends=True)
    assert Table.of(limits[1], waited_for).state.control == TimeControl()
