"""Facts that no match can have come to: folding them fails, so that no session meets the result."""

import pytest

from parlour.games import Cause, Outcome
from parlour.match import (
    Event,
    ForfeitCause,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatAway,
    SeatBack,
    SeatForfeited,
    SeatLeft,
    SeatReady,
    SeatTaken,
    Status,
    Terms,
)
from tests.match.tables import MATCHES, READY, Table

AT = 2_000_000
NOWHERE = pytest.mark.parametrize("seat", [-1, 2, 9])
WON = (Cause.LINE, Cause.LINE)


def impossible(table: Table, event: Event) -> None:
    """The log cannot be folded when `event` comes next."""
    with pytest.raises(ValueError, match=type(event).__name__):
        MATCHES.evolve(table.state, MATCHES.decode(MATCHES.encode(event)))


@pytest.mark.parametrize("seat", [-1, 0, 2, 9])
def test_a_move_of_nobody_or_of_who_is_not_on_turn(seat: int) -> None:
    table = Table.of(READY, READY)
    table.plays("1,1")
    impossible(table, MovePlayed(AT, seat, "0,0"))
    assert MATCHES.evolve(table.state, MovePlayed(AT, 1, "0,0")).turn == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_move_after_the_end(seat: int) -> None:
    table = Table.of(READY, READY)
    table.plays("0,0", "0,1", "1,0", "1,1", "2,0")
    impossible(table, MovePlayed(AT, seat, "2,2"))


@NOWHERE
@pytest.mark.parametrize("kind", [SeatLeft, SeatReady, SeatAway, SeatBack])
def test_something_about_a_seat_that_is_not_there(
    kind: type[SeatLeft | SeatReady | SeatAway | SeatBack], seat: int
) -> None:
    impossible(Table.of(READY, READY), kind(AT, seat))
    impossible(Table.of(Terms()), kind(AT, seat))


@pytest.mark.parametrize("seat", [-1, 0, 2])
def test_somebody_takes_a_seat_that_is_not_there_or_not_free(seat: int) -> None:
    table = Table.of(Terms())
    impossible(table, SeatTaken(AT, seat, "b", "b"))
    assert MATCHES.evolve(table.state, SeatTaken(AT, 1, "b", "b")).seat_of("b") == 1


@NOWHERE
def test_a_seat_is_lost_that_is_not_there(seat: int) -> None:
    impossible(Table.of(READY, READY), SeatForfeited(AT, seat, ForfeitCause.LEFT))


@pytest.mark.parametrize(
    "seating", [(), (0,), (1, 1), (0, 2), (-1, 0), (0, 1, 2)], ids=lambda seats: str(len(seats))
)
def test_others_begin_than_those_who_sit_there(seating: tuple[int, ...]) -> None:
    table = Table.of(Terms(), Terms())
    impossible(table, MatchStarted(AT, seating))
    assert MATCHES.evolve(table.state, MatchStarted(AT, (1, 0))).status is Status.LIVE


def test_fewer_begin_than_can_play() -> None:
    impossible(Table.of(Terms()), MatchStarted(AT, (0,)))


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(((0,), (2,)), WON),
        Outcome(((0,),), WON),
        Outcome(((0,), (0, 1)), WON),
        Outcome(((0,), (1,)), WON[:1]),
    ],
)
def test_a_result_of_other_seats(outcome: Outcome) -> None:
    impossible(Table.of(READY, READY), MatchEnded(AT, outcome))


def test_a_result_before_the_start() -> None:
    impossible(Table.of(Terms(), Terms()), MatchEnded(AT, Outcome(((0,), (1,)), WON)))


def test_a_match_is_created_again() -> None:
    impossible(Table.of(READY, READY), MatchCreated(AT, "tictactoe", {}))
