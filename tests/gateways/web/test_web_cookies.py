"""How long a cookie is good for, whatever the clock of the machine does."""

import pytest

from parlour.gateways.web._guests import Cookies
from tests.gateways.web.browsers import SECRET

DAY = 24 * 3600
SIGNED = 1_800_000_000.0  # seconds since the Unix epoch


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the machine, in seconds, which a test may set."""
    time = [SIGNED]
    monkeypatch.setattr("time.time", lambda: time[0])
    return time


@pytest.mark.parametrize("later", [0, DAY, 364 * DAY, -1, -3600, -2000 * DAY])
def test_a_guest_stays_who_they_are_for_a_year_and_when_the_clock_is_set_back(
    later: float, clock: list[float]
) -> None:
    cookies = Cookies(SECRET, lambda: "0001")
    alice = cookies.new()
    value = cookies.write(alice)

    clock[0] += later
    known = cookies.read(value)

    assert known is not None
    assert (known.identity, known.name) == (alice.identity, alice.name)


@pytest.mark.parametrize("spoilt", ["", "x", "é", "a.b.c", "W10.aa.bb"])
def test_what_we_have_not_signed_is_nobody(spoilt: str) -> None:
    cookies = Cookies(SECRET, lambda: "0001")
    other = Cookies(SECRET[::-1], lambda: "0001")

    assert cookies.read(spoilt) is None
    assert cookies.read(spoilt + other.write(other.new())) is None


def test_after_more_than_a_year_a_cookie_is_nobody(clock: list[float]) -> None:
    cookies = Cookies(SECRET, lambda: "0001")
    value = cookies.write(cookies.new())

    clock[0] += 366 * DAY

    assert cookies.read(value) is None
