"""Token buckets: what they let through, and whom they forget."""

from hypothesis import given
from hypothesis import strategies as st

from parlour.gateways import Allowance
from parlour.gateways._rate import REMEMBERED

NOW = 1_800_000_000_000


@given(st.lists(st.integers(0, 300), max_size=60))
def test_an_allowance_lets_no_more_through_than_it_says(pauses: list[int]) -> None:
    allowance, now, let = Allowance(10, 5), NOW, 0
    for pause in pauses:
        now += pause
        let += allowance.admits("a", now)

    assert let <= 5 + (now - NOW) / 100


@given(st.integers(1, 50), st.integers(1, 100), st.integers(0, 10_000))
def test_an_allowance_that_was_used_up_fills_up_again(rate: int, burst: int, pause: int) -> None:
    allowance = Allowance(rate, burst)

    def used_up(now: int) -> int:
        return sum(allowance.admits("a", now) for _ in range(burst + 1))

    assert used_up(NOW) == burst
    assert used_up(NOW + pause) == min(burst, pause * rate // 1000)


def test_one_holder_takes_nothing_from_another() -> None:
    allowance = Allowance(1, 1)

    assert [allowance.admits(holder, NOW) for holder in "abab"] == [True, True, False, False]


def test_a_crowd_makes_it_forget_who_was_quiet_for_the_longest_time() -> None:
    allowance = Allowance(1, 1)
    for holder in ("quiet", "loud"):
        allowance.admits(holder, NOW)
    for number in range(REMEMBERED - 1):
        allowance.admits("loud", NOW)
        allowance.admits(str(number), NOW)

    assert [allowance.admits(holder, NOW) for holder in ("loud", "quiet")] == [False, True]


def test_nobody_is_kept_who_has_the_whole_allowance_again() -> None:
    allowance = Allowance(1, 2)
    for number in range(1_000):
        allowance.charge(str(number), 2, NOW)
    for _ in range(500):
        allowance.admits("late", NOW + 3_000)

    assert list(allowance._full_at) == ["late"]
