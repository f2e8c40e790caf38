"""Clocks as values: turn limits, budgets with increment, byo-yomi, stops."""

from hypothesis import given
from hypothesis import strategies as st

from parlour.match import Clock, TimeControl


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


def test_a_move_within_a_period_keeps_the_period() -> None:
    control = TimeControl(total=0, periods=1, period=5_000)
    clock = running(control).pressed(4_999, 1)
    assert clock.periods[0] == 1


def test_the_shorter_of_turn_limit_and_budget_counts() -> None:
    assert running(TimeControl(turn=5_000, total=60_000)).deadline() == 5_000
    assert running(TimeControl(turn=5_000, total=3_000)).deadline() == 3_000


controls = st.builds(
    TimeControl,
    turn=st.sampled_from([0, 1_000, 15_000]),
    total=st.sampled_from([0, 5_000, 60_000]),
    increment=st.sampled_from([0, 500]),
    periods=st.integers(0, 3),
    period=st.sampled_from([1_000, 5_000]),
)


@given(controls, st.lists(st.integers(0, 20_000), max_size=30))
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
