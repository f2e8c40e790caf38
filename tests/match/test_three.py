"""Three at a table: whoever goes, and whenever, the others play on and the places are right."""

from collections.abc import Callable
from itertools import permutations

import pytest

from parlour.games import Cause, Refusal
from parlour.match import (
    Fault,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    MovePlayed,
    PlayMove,
    Resign,
    SeatForfeited,
    Status,
    Terms,
    Tick,
    TimeControl,
    wakes_at,
)
from tests.match.tables import READY, Table, kinds

STRICT = Terms(illegal_move=Fault.FORFEIT, out_of_turn=Fault.FORFEIT, ready=True)
PATIENT = Terms(ready=True, grace=30_000)
NAMES = "abc"


def three(terms: Terms = READY, control: TimeControl | None = None, **options: int) -> Table:
    return Table.of(
        terms,
        terms,
        terms,
        game="chinese_checkers",
        control=control or TimeControl(),
        players=3,
        **options,
    )


def plays_some(table: Table, plies: int) -> None:
    for _ in range(plies):
        position = table.state.position
        assert position is not None
        table.plays(next(iter(position.moves())))


WAYS: tuple[
    tuple[ForfeitCause, Callable[[int], LeaveSeat | Resign | GoAway | ForfeitSeat]], ...
] = (
    (ForfeitCause.LEFT, lambda seat: LeaveSeat(NAMES[seat])),
    (ForfeitCause.LEFT, lambda seat: GoAway(NAMES[seat])),
    (ForfeitCause.RESIGNED, lambda seat: Resign(NAMES[seat])),
    (ForfeitCause.OPERATOR, lambda seat: ForfeitSeat(seat, ForfeitCause.OPERATOR)),
)


@pytest.mark.parametrize("plies", range(5))
@pytest.mark.parametrize("order", list(permutations(range(3), 2)))
def test_who_goes_first_comes_last(order: tuple[int, int], plies: int) -> None:
    first, second = order
    (last,) = {0, 1, 2} - set(order)
    for cause, goes in WAYS:
        table = three()
        plays_some(table, plies)

        events = table.does(goes(first))

        assert kinds(events) == ["SeatForfeited"]
        assert isinstance(events[0], SeatForfeited)
        assert (events[0].seat, events[0].cause) == (first, cause)
        assert table.state.status is Status.LIVE
        assert table.state.turn != first

        plays_some(table, 1)
        assert kinds(table.does(goes(second))) == ["SeatForfeited", "MatchEnded"]

        outcome = table.state.outcome
        assert outcome is not None
        assert outcome.ranking == ((last,), (second,), (first,))
        assert outcome.causes[last] is Cause.LAST_STANDING
        assert outcome.causes[first] is outcome.causes[second] is Cause.LEFT


@pytest.mark.parametrize("plies", range(3))
def test_the_turn_passes_only_when_it_was_theirs(plies: int) -> None:
    for seat in range(3):
        table = three()
        plays_some(table, plies)
        table.does(Resign(NAMES[seat]))
        assert table.state.turn == ((plies + 1) % 3 if seat == plies else plies)


def test_who_is_out_may_do_nothing_more() -> None:
    table = three()
    table.does(Resign("b"))
    assert table.refuses(PlayMove("b", "0,0")) is Refusal.OVER
    assert table.refuses(Resign("b")) is Refusal.OVER
    assert table.does(LeaveSeat("b")) == []
    assert table.does(ForfeitSeat(1, ForfeitCause.OPERATOR)) == []
    assert kinds(table.does(GoAway("b"))) == ["SeatAway"]
    assert table.state.status is Status.LIVE


def test_a_fault_of_one_who_is_out_costs_nobody_else_anything() -> None:
    table = three(STRICT)
    table.does(Resign("c"))
    assert table.refuses(PlayMove("c", "nonsense")) is Refusal.OVER
    assert table.state.turn == 0


def test_a_fault_costs_the_faulty_seat_alone() -> None:
    table = three(STRICT)
    assert kinds(table.does(PlayMove("b", "0,0"))) == ["SeatForfeited"]
    assert table.state.turn == 0
    assert kinds(table.does(PlayMove("a", "nonsense"))) == ["SeatForfeited", "MatchEnded"]
    assert table.state.outcome is not None
    assert table.state.outcome.ranking == ((2,), (0,), (1,))


def test_the_clock_of_the_next_begins_when_the_time_of_the_one_before_was_called() -> None:
    table = three(control=TimeControl(turn=1_000))
    table.now += 1_000
    assert kinds(table.does(Tick())) == ["SeatForfeited"]
    assert table.does(Tick()) == []
    table.now += 999
    plays_some(table, 1)
    assert table.state.turn == 2


def test_a_late_tick_costs_one_seat_not_all_of_them() -> None:
    table = three(control=TimeControl(turn=1_000))
    table.now += 3_600_000
    assert kinds(table.does(Tick())) == ["SeatForfeited"]
    assert table.state.turn == 1


@pytest.mark.parametrize("late", [0, 1, 3_600_000])
def test_a_move_that_is_due_when_the_time_of_the_one_before_is_over_is_played(late: int) -> None:
    table = three(control=TimeControl(turn=1_000))
    table.now += 1_000 + late
    position = table.state.position
    assert position is not None
    step = next(iter(position.without(0).moves()))
    forfeited, played = table.does(PlayMove("b", step, ply=0))
    assert isinstance(forfeited, SeatForfeited)
    assert (forfeited.seat, forfeited.cause) == (0, ForfeitCause.TIME)
    assert played == MovePlayed(table.now, 1, step)
    assert (table.state.turn, wakes_at(table.state)) == (2, table.now + 1_000)


@pytest.mark.parametrize(
    ("who", "move", "ply", "no"),
    [
        ("b", "nonsense", None, Refusal.MALFORMED_MOVE),
        ("b", "0,0>1,1", 0, Refusal.ILLEGAL_MOVE),
        ("b", "nonsense", 1, Refusal.STALE_MOVE),
        ("c", "nonsense", 0, Refusal.OUT_OF_TURN),
        ("d", "nonsense", 0, Refusal.NOT_SEATED),
    ],
)
def test_a_move_that_comes_after_the_time_of_another_is_refused_for_itself(
    who: str, move: str, ply: int | None, no: Refusal
) -> None:
    table = three(control=TimeControl(turn=1_000))
    table.now += 1_000
    assert table.refuses(PlayMove(who, move, ply)) is no
    assert kinds(table.does(Tick())) == ["SeatForfeited"]


def test_a_fault_after_the_time_of_another_is_a_fault_all_the_same() -> None:
    table = three(STRICT, control=TimeControl(turn=1_000))
    table.now += 1_000
    assert kinds(table.does(PlayMove("c", "nonsense"))) == [
        "SeatForfeited",
        "SeatForfeited",
        "MatchEnded",
    ]
    assert table.state.outcome is not None
    assert table.state.outcome.ranking == ((1,), (2,), (0,))


def test_who_is_out_hears_so_whosever_time_is_over() -> None:
    control = TimeControl(turn=1_000)
    table = Table.of(*[READY] * 4, game="chinese_checkers", players=4, control=control)
    table.does(Resign("d"))
    table.now += 1_000
    assert table.refuses(PlayMove("d", "nonsense")) is Refusal.OVER


def test_the_own_time_over_is_the_answer_to_a_late_move() -> None:
    table = three(control=TimeControl(turn=1_000))
    table.now += 1_000
    assert kinds(table.does(PlayMove("a", "nonsense"))) == ["SeatForfeited"]
    assert table.refuses(PlayMove("a", "nonsense")) is Refusal.OVER


@pytest.mark.parametrize("control", [TimeControl(turn=10_000), TimeControl(total=10_000)])
def test_the_clock_of_the_seat_on_turn_does_not_notice_another_going(control: TimeControl) -> None:
    table = three(control=control)
    table.now += 4_000
    table.does(Resign("c"))
    assert table.state.clock is not None
    assert table.state.clock.deadline() == table.now + 6_000


def test_absent_seats_fall_one_by_one_as_their_grace_ends() -> None:
    table = three(PATIENT)
    table.does(GoAway("c"))
    table.now += 10_000
    table.does(GoAway("a"))
    table.now += 20_000
    assert kinds(table.does(Tick())) == ["SeatForfeited"]
    table.now += 9_999
    assert table.does(Tick()) == []
    table.now += 1
    assert kinds(table.does(Tick())) == ["SeatForfeited", "MatchEnded"]
    assert table.state.outcome is not None
    assert table.state.outcome.ranking == ((1,), (0,), (2,))


def test_when_all_have_gone_at_once_the_last_of_them_has_won() -> None:
    for order in permutations(range(3)):
        table = three(PATIENT)
        for seat in order:
            table.does(GoAway(NAMES[seat]))
            table.now += 1
        assert wakes_at(table.state) == table.now + 30_000 - 3
        table.now += 60_000
        assert kinds(table.does(Tick())) == ["SeatForfeited", "SeatForfeited", "MatchEnded"]
        assert table.state.outcome is not None
        assert table.state.outcome.winner == order[-1]


def test_a_game_that_is_cut_off_ranks_those_who_stayed_above_the_one_who_left() -> None:
    table = three(max_rounds=2)
    table.does(Resign("a"))
    while table.state.status is Status.LIVE:
        plays_some(table, 1)
    outcome = table.state.outcome
    assert outcome is not None
    assert outcome.ranking[-1] == (0,)
    assert outcome.causes == (Cause.LEFT, Cause.ROUND_LIMIT, Cause.ROUND_LIMIT)
