"""Two things at once: whichever is decided first, there is one result and nothing happens twice."""

from itertools import permutations

import pytest

from parlour.games import Refusal
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    Command,
    CreateMatch,
    Fault,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    MatchAborted,
    Newcomer,
    PlayMove,
    Resign,
    SeatForfeited,
    SetReady,
    Status,
    TakeSeat,
    Terms,
    Tick,
    TimeControl,
    wakes_at,
)
from tests.match.tables import READY, Table, kinds

STRICT = Terms(illegal_move=Fault.FORFEIT, out_of_turn=Fault.FORFEIT, ready=True)
PATIENT = Terms(ready=True, grace=30_000)
FINISHED = (Status.OVER, Status.ABORTED)


def fast(*terms: Terms) -> Table:
    """A game with a second for each move, whose first second is over."""
    table = Table.of(*terms, control=TimeControl(turn=1_000))
    table.now += 1_000
    return table


def lost(table: Table, command: Command) -> tuple[int, ForfeitCause]:
    """The seat that a command costs, and why."""
    (forfeited,) = (event for event in table.does(command) if isinstance(event, SeatForfeited))
    return forfeited.seat, forfeited.cause


# The same thing twice


def test_a_double_click_is_no_fault_either() -> None:
    table = Table.of(STRICT, STRICT)
    table.does(PlayMove("a", "0,0", ply=0))
    assert table.refuses(PlayMove("a", "0,0", ply=0)) is Refusal.STALE_MOVE
    assert table.refuses(PlayMove("a", "1,0", ply=0)) is Refusal.STALE_MOVE
    assert table.state.turn == 1


def test_without_a_number_a_double_click_is_a_move_out_of_turn() -> None:
    table = Table.of(STRICT, STRICT)
    table.does(PlayMove("a", "0,0"))
    assert lost(table, PlayMove("a", "0,0")) == (0, ForfeitCause.OUT_OF_TURN)


def test_a_move_that_comes_too_early_is_stale_too() -> None:
    table = Table.of(READY, READY)
    assert table.refuses(PlayMove("b", "1,1", ply=1)) is Refusal.STALE_MOVE


def test_an_opening_counts_as_moves() -> None:
    table = Table()
    newcomers = (Newcomer("a", "a", READY), Newcomer("b", "b", READY))
    table.does(CreateMatch("tictactoe", newcomers=newcomers, opening=("1,1", "0,0")))
    assert table.refuses(PlayMove("a", "2,2", ply=0)) is Refusal.STALE_MOVE
    assert kinds(table.does(PlayMove("a", "2,2", ply=2))) == ["MovePlayed"]


def test_going_and_coming_twice_is_going_and_coming_once() -> None:
    table = Table.of(PATIENT, PATIENT)
    table.does(GoAway("a"))
    assert table.does(GoAway("a")) == []
    table.now += 4_000
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack"]
    assert table.does(ComeBack("a")) == []
    assert wakes_at(table.state) is None


def test_each_absence_has_the_whole_grace() -> None:
    table = Table.of(PATIENT, PATIENT)
    for _ in range(3):
        table.does(GoAway("a"))
        assert wakes_at(table.state) == table.now + 30_000
        table.now += 29_999
        table.does(ComeBack("a"))
    assert table.state.status is Status.LIVE


# The clock and a move


@pytest.mark.parametrize("late", [0, 1, 60_000])
def test_a_move_on_the_deadline_or_later_loses_on_time(late: int) -> None:
    table = fast(READY, READY)
    table.now += late
    assert lost(table, PlayMove("a", "0,0")) == (0, ForfeitCause.TIME)
    assert table.state.outcome is not None
    assert table.state.outcome.winner == 1


def test_a_move_after_the_clock_was_called_finds_the_match_over() -> None:
    table = fast(READY, READY)
    table.does(Tick())
    assert table.refuses(PlayMove("a", "0,0")) is Refusal.OVER


def test_a_late_illegal_move_loses_on_time_and_not_for_itself() -> None:
    assert lost(fast(STRICT, STRICT), PlayMove("a", "9,9")) == (0, ForfeitCause.TIME)


def test_a_move_out_of_turn_after_the_deadline_costs_the_seat_whose_time_it_was() -> None:
    assert lost(fast(STRICT, STRICT), PlayMove("b", "1,1")) == (0, ForfeitCause.TIME)


def test_the_absent_seat_on_turn_loses_by_whichever_comes_first() -> None:
    table = Table.of(PATIENT, PATIENT, control=TimeControl(turn=10_000))
    table.does(GoAway("a"))
    assert wakes_at(table.state) == table.now + 10_000
    table.now += 60_000
    assert lost(table, Tick()) == (0, ForfeitCause.TIME)

    table = Table.of(PATIENT, PATIENT, control=TimeControl(turn=45_000))
    table.does(GoAway("a"))
    table.now += 60_000
    assert lost(table, Tick()) == (0, ForfeitCause.ABSENCE)


# Ends that meet in one millisecond


ENDS: tuple[Command, ...] = (
    Tick(),
    Resign("a"),
    Resign("b"),
    GoAway("a"),
    GoAway("b"),
    LeaveSeat("b"),
    PlayMove("a", "0,0"),
    ForfeitSeat(1, ForfeitCause.OPERATOR),
    AbortMatch(AbortCause.OPERATOR),
)


@pytest.mark.parametrize(("first", "second"), list(permutations(ENDS, 2)))
def test_whatever_ends_a_match_first_has_ended_it(first: Command, second: Command) -> None:
    table = fast(READY, READY)
    table.does(first)
    assert table.state.status in FINISHED
    ended = table.state
    if isinstance(second, PlayMove | Resign):
        assert table.refuses(second) is Refusal.OVER
    else:
        assert table.does(second) == []
    assert table.state == ended


# A stranger, and a move


def stranger(who: str) -> GoAway:
    return GoAway(who, "GET / HTTP/1.1")


def test_a_stranger_was_no_opponent_as_long_as_nobody_has_moved() -> None:
    for who in "ab":
        assert Table.of(STRICT, PATIENT).does(stranger(who)) == [
            MatchAborted(1_000_000, AbortCause.STRANGER, "GET / HTTP/1.1")
        ]


def test_a_stranger_after_a_move_has_gone_away() -> None:
    for who in "ab":
        table = Table.of(STRICT, STRICT)
        table.plays("0,0")
        assert lost(table, stranger(who)) == ("ab".index(who), ForfeitCause.LEFT)
        assert table.does(stranger(who)) == []
    table = Table.of(STRICT, PATIENT)
    table.plays("0,0")
    assert kinds(table.does(stranger("b"))) == ["SeatAway"]


def test_the_opening_is_nobodys_move() -> None:
    table = Table()
    newcomers = (Newcomer("a", "a", READY), Newcomer("b", "b", READY))
    table.does(CreateMatch("tictactoe", newcomers=newcomers, opening=("1,1", "0,0")))
    assert kinds(table.does(stranger("b"))) == ["MatchAborted"]


def test_a_stranger_ends_no_game_that_it_is_not_in() -> None:
    assert kinds(Table.of(Terms(), Terms()).does(stranger("b"))) == ["SeatLeft"]
    assert Table.of(STRICT, STRICT).does(stranger("x")) == []
    table = Table.of(STRICT, STRICT, STRICT, game="chinese_checkers", players=3)
    table.does(Resign("b"))
    assert kinds(table.does(stranger("b"))) == ["SeatAway"]


# The instant of the start


def test_who_leaves_just_before_the_last_word_is_not_in_the_game() -> None:
    table = Table.of(Terms(), Terms())
    table.does(SetReady("a"))
    table.does(LeaveSeat("a"))
    assert kinds(table.does(SetReady("b"))) == ["SeatReady"]
    assert table.state.status is Status.OPEN
    table.does(TakeSeat(Newcomer("c", "c")))
    assert kinds(table.does(SetReady("c"))) == ["SeatReady", "MatchStarted"]


@pytest.mark.parametrize("goes", [LeaveSeat("a"), GoAway("a")])
def test_who_leaves_just_after_the_last_word_has_lost(goes: LeaveSeat | GoAway) -> None:
    table = Table.of(Terms(), Terms())
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    assert kinds(table.does(goes)) == ["SeatForfeited", "MatchEnded"]
    assert table.state.outcome is not None
    assert table.state.outcome.winner == 1


def test_who_takes_the_word_back_is_not_started_with() -> None:
    table = Table.of(Terms(), Terms())
    table.does(SetReady("a"))
    table.does(SetReady("a", ready=False))
    assert kinds(table.does(SetReady("b"))) == ["SeatReady"]


def test_a_seat_goes_to_the_first_who_takes_it() -> None:
    table = Table.of(READY)
    table.does(TakeSeat(Newcomer("b", "b", READY)))
    assert table.refuses(TakeSeat(Newcomer("c", "c", READY))) is Refusal.ALREADY_STARTED


# Commands without a match or after it


EVERY: tuple[Command, ...] = (
    TakeSeat(Newcomer("c", "c")),
    SetReady("a"),
    LeaveSeat("a"),
    ComeBack("a"),
    *ENDS,
)


@pytest.mark.parametrize("command", EVERY)
def test_nothing_can_be_done_with_a_match_that_is_not_there(command: Command) -> None:
    assert Table().refuses(command) is Refusal.UNKNOWN_STREAM


def test_a_match_is_created_once() -> None:
    assert Table.of(READY).refuses(CreateMatch("go")) is Refusal.STREAM_EXISTS


@pytest.mark.parametrize("command", [LeaveSeat("x"), SetReady("x"), Resign("x"), ComeBack("x")])
def test_only_who_sits_at_the_table_has_a_say(command: Command) -> None:
    assert Table.of(Terms()).refuses(command) is Refusal.NOT_SEATED


def test_a_stranger_who_goes_away_is_no_news() -> None:
    assert Table.of(READY, READY).does(GoAway("x")) == []


def test_moves_wait_for_the_start() -> None:
    assert Table.of(READY).refuses(PlayMove("a", "0,0")) is Refusal.NOT_STARTED


def test_an_operator_takes_nobody_out_of_what_has_not_begun() -> None:
    assert Table.of(READY).does(ForfeitSeat(0, ForfeitCause.OPERATOR)) == []
    assert Table.of(READY, READY).does(ForfeitSeat(7, ForfeitCause.OPERATOR)) == []


def test_who_has_moved_meanwhile_does_not_lose_on_time() -> None:
    late = ForfeitSeat(0, ForfeitCause.TIME, ply=0)
    moved = Table.of(READY, READY)
    moved.does(PlayMove("a", "0,0"))
    assert moved.does(late) == []
    paused = Table.of(*[Terms(ready=True, suspends=True)] * 2)
    paused.does(GoAway("b"))
    assert paused.does(late) == []
    assert kinds(Table.of(READY, READY).does(late)) == ["SeatForfeited", "MatchEnded"]
