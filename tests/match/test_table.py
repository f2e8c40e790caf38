"""What a table does with commands, from the first seat taken to the result."""

import pytest

from parlour.games import Cause, Refusal
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    CreateMatch,
    Fault,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    MatchAborted,
    Newcomer,
    Pause,
    PlayMove,
    Resign,
    Restart,
    SeatForfeited,
    SetReady,
    Status,
    Suspended,
    TakeSeat,
    Terms,
    Tick,
    TimeControl,
)
from tests.match.tables import READY, Table, kinds

STRICT = Terms(illegal_move=Fault.FORFEIT, out_of_turn=Fault.FORFEIT, ready=True)
PATIENT = Terms(ready=True, grace=30_000)
SUSPENDS = Terms(ready=True, suspends=True)
NAMELESS = Terms(ready=True, reclaims=False)


# Sitting down


def test_two_who_are_ready_begin_at_once() -> None:
    table = Table()
    newcomers = (Newcomer("a", "alice", READY), Newcomer("b", "bob", READY))
    events = table.does(CreateMatch("tictactoe", newcomers=newcomers))
    assert kinds(events) == ["MatchCreated", "SeatTaken", "SeatTaken", "MatchStarted"]
    assert table.state.turn == 0


def test_options_are_recorded_complete() -> None:
    table = Table.of(READY, rows=4)
    assert b'"options":{"rows":4,"cols":3,"strike":3,"first":"x"}' in table.log[0]


@pytest.mark.parametrize(
    ("game", "options"),
    [("chess", {}), ("tictactoe", {"rows": 11}), ("tictactoe", {"strike": 5}), ("go", {"x": 1})],
)
def test_what_cannot_be_played_is_not_created(game: str, options: dict[str, int]) -> None:
    assert Table().refuses(CreateMatch(game, options)) is Refusal.BAD_OPTIONS


def test_an_opening_that_cannot_be_played_is_not_created() -> None:
    impossible = CreateMatch("tictactoe", opening=("0,0", "0,0"))
    assert Table().refuses(impossible) is Refusal.ILLEGAL_MOVE
    over = CreateMatch("tictactoe", opening=("0,0", "0,1", "1,0", "1,1", "2,0"))
    assert Table().refuses(over) is Refusal.BAD_OPTIONS


def test_a_seat_a_name_and_a_person_are_there_once() -> None:
    table = Table.of(Terms())
    assert table.refuses(TakeSeat(Newcomer("a", "other"))) is Refusal.ALREADY_SEATED
    assert table.refuses(TakeSeat(Newcomer("x", "A"))) is Refusal.NAME_TAKEN
    assert table.refuses(TakeSeat(Newcomer("x", "x", seat=0))) is Refusal.SEAT_TAKEN
    table.does(TakeSeat(Newcomer("b", "b")))
    assert table.refuses(TakeSeat(Newcomer("c", "c"))) is Refusal.NO_FREE_SEAT


def test_the_last_word_starts_the_game() -> None:
    table = Table.of(Terms(), Terms())
    assert kinds(table.does(SetReady("a"))) == ["SeatReady"]
    assert kinds(table.does(SetReady("a"))) == []
    assert kinds(table.does(SetReady("a", ready=False))) == ["SeatReady"]
    table.does(SetReady("a"))
    assert kinds(table.does(SetReady("b"))) == ["SeatReady", "MatchStarted"]


def test_who_leaves_before_the_start_frees_the_seat() -> None:
    table = Table.of(Terms(), Terms())
    assert kinds(table.does(LeaveSeat("a"))) == ["SeatLeft"]
    assert table.state.status is Status.OPEN
    assert kinds(table.does(GoAway("b"))) == ["SeatLeft", "MatchAborted"]


def test_a_leaver_may_leave_only_those_who_are_ready() -> None:
    table = Table.of(Terms(), Terms(), Terms(), game="chinese_checkers")
    table.does(SetReady("a"))
    table.does(SetReady("c"))
    assert kinds(table.does(LeaveSeat("b"))) == ["SeatLeft", "MatchStarted"]
    assert [player.name for _, player in table.state.players()] == ["a", "c"]


def test_seats_dealt_at_the_start_follow_the_order_of_joining() -> None:
    table = Table.of(Terms(), Terms(), game="chinese_checkers")
    table.does(LeaveSeat("a"))
    table.does(TakeSeat(Newcomer("c", "c")))
    table.does(SetReady("b"))
    table.does(SetReady("c"))
    assert [player.name for _, player in table.state.players()] == ["b", "c"]
    assert table.state.seat_names == ("A", "D")
    assert {sitter.name: sitter.seat for sitter in table.listing.sitters} == {"b": 0, "c": 1}


# Playing


def test_a_move_in_turn_is_recorded() -> None:
    table = Table.of(READY, READY)
    assert kinds(table.does(PlayMove("a", "1,1"))) == ["MovePlayed"]
    assert table.state.turn == 1


def test_a_deciding_move_and_its_result_are_one() -> None:
    table = Table.of(READY, READY)
    table.plays("0,0", "0,1", "1,0", "1,1")
    assert kinds(table.does(PlayMove("a", "2,0"))) == ["MovePlayed", "MatchEnded"]
    assert table.state.outcome is not None
    assert table.state.outcome.winner == 0
    assert table.refuses(PlayMove("b", "2,2")) is Refusal.OVER
    assert table.does(GoAway("b")) == []


def test_faults_are_answered_where_the_terms_say_so() -> None:
    table = Table.of(READY, READY)
    assert table.refuses(PlayMove("b", "0,0")) is Refusal.OUT_OF_TURN
    assert table.refuses(PlayMove("a", "9,9")) is Refusal.ILLEGAL_MOVE
    assert table.refuses(PlayMove("stranger", "0,0")) is Refusal.NOT_SEATED


@pytest.mark.parametrize(
    ("by", "move", "cause"),
    [("b", "0,0", ForfeitCause.OUT_OF_TURN), ("a", "9,9", ForfeitCause.ILLEGAL_MOVE)],
)
def test_faults_lose_where_the_terms_say_so(by: str, move: str, cause: ForfeitCause) -> None:
    table = Table.of(STRICT, STRICT)
    forfeited, _ = table.does(PlayMove(by, move))
    assert isinstance(forfeited, SeatForfeited)
    assert (forfeited.seat, forfeited.cause) == ("ab".index(by), cause)
    assert table.state.outcome is not None
    assert table.state.outcome.winner == 1 - forfeited.seat


def test_a_double_click_plays_once() -> None:
    table = Table.of(READY, READY)
    table.does(PlayMove("a", "0,0", ply=0))
    assert table.refuses(PlayMove("a", "0,0", ply=0)) is Refusal.STALE_MOVE


def test_resigning_needs_no_turn() -> None:
    table = Table.of(READY, READY)
    assert kinds(table.does(Resign("b"))) == ["SeatForfeited", "MatchEnded"]
    assert table.refuses(Resign("a")) is Refusal.OVER


def test_nobody_resigns_what_has_not_begun() -> None:
    assert Table.of(Terms(), Terms()).refuses(Resign("a")) is Refusal.NOT_STARTED


# Time


def test_a_move_in_the_last_millisecond_counts_and_the_next_is_too_late() -> None:
    table = Table.of(READY, READY, control=TimeControl(turn=1_000))
    table.now += 999
    table.plays("0,0")
    table.now += 1_000
    forfeited, _ = table.does(PlayMove("b", "1,1"))
    assert isinstance(forfeited, SeatForfeited)
    assert (forfeited.seat, forfeited.cause) == (1, ForfeitCause.TIME)


def test_the_clock_ends_a_game_where_nobody_moves() -> None:
    table = Table.of(READY, READY, control=TimeControl(turn=1_000))
    table.now += 999
    assert table.does(Tick()) == []
    table.now += 1
    assert kinds(table.does(Tick())) == ["SeatForfeited", "MatchEnded"]
    assert table.does(Tick()) == []


def test_a_refused_move_does_not_wind_the_clock() -> None:
    table = Table.of(READY, READY, control=TimeControl(turn=1_000))
    table.now += 900
    table.refuses(PlayMove("a", "9,9"))
    assert table.state.clock is not None
    assert table.state.clock.deadline() == 1_001_000


# Absence


def test_without_grace_absence_loses_at_once() -> None:
    table = Table.of(READY, READY)
    assert kinds(table.does(GoAway("a"))) == ["SeatForfeited", "MatchEnded"]


def test_grace_is_a_time_to_come_back_in() -> None:
    table = Table.of(PATIENT, PATIENT)
    table.does(GoAway("a"))
    assert table.does(GoAway("a")) == []
    table.now += 29_999
    assert table.does(Tick()) == []
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack"]
    table.now += 60_000
    assert table.does(Tick()) == []


def test_whose_grace_ends_first_loses() -> None:
    table = Table.of(PATIENT, PATIENT)
    table.does(GoAway("b"))
    table.now += 1
    table.does(GoAway("a"))
    table.now += 60_000
    forfeited, _ = table.does(Tick())
    assert isinstance(forfeited, SeatForfeited)
    assert (forfeited.seat, forfeited.cause) == (1, ForfeitCause.ABSENCE)


def test_all_who_suspend_wait_for_the_absent_one() -> None:
    table = Table.of(SUSPENDS, SUSPENDS, control=TimeControl(turn=1_000))
    assert kinds(table.does(GoAway("a"))) == ["SeatAway", "Suspended"]
    table.now += 1_000_000
    assert table.does(Tick()) == []
    assert table.refuses(PlayMove("a", "0,0")) is Refusal.SUSPENDED
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack", "Resumed"]
    table.plays("0,0")


def test_one_who_does_not_suspend_does_not_wait() -> None:
    table = Table.of(Terms(ready=True, suspends=True), READY)
    assert kinds(table.does(GoAway("a"))) == ["SeatForfeited", "MatchEnded"]


def test_a_vacated_seat_is_taken_by_somebody_new() -> None:
    table = Table.of(Terms(suspends=True), Terms(suspends=True))
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    table.plays("0,0")
    assert kinds(table.does(LeaveSeat("b"))) == ["SeatLeft", "Suspended"]
    table.does(TakeSeat(Newcomer("c", "c", Terms(suspends=True))))
    assert kinds(table.does(SetReady("c"))) == ["SeatReady"]
    assert kinds(table.does(SetReady("a"))) == ["SeatReady", "Resumed"]
    assert kinds(table.does(PlayMove("c", "1,1"))) == ["MovePlayed"]


def test_leaving_for_good_loses() -> None:
    table = Table.of(PATIENT, PATIENT)
    forfeited, _ = table.does(LeaveSeat("a"))
    assert isinstance(forfeited, SeatForfeited)
    assert forfeited.cause is ForfeitCause.LEFT


def test_in_a_game_of_three_the_others_play_on() -> None:
    table = Table.of(READY, READY, READY, game="chinese_checkers")
    assert kinds(table.does(GoAway("a"))) == ["SeatForfeited"]
    assert table.state.turn == 1
    assert kinds(table.does(Resign("c"))) == ["SeatForfeited", "MatchEnded"]
    outcome = table.state.outcome
    assert outcome is not None
    assert outcome.ranking == ((1,), (2,), (0,))
    assert outcome.causes == (Cause.LEFT, Cause.LAST_STANDING, Cause.LEFT)


# Restarts


def test_after_a_restart_the_clock_waits_for_the_players() -> None:
    table = Table.of(PATIENT, PATIENT, control=TimeControl(turn=1_000))
    suspended, *rest = table.does(Restart(until=table.now + 120_000))
    assert isinstance(suspended, Suspended)
    assert suspended.pause is Pause.RESTART
    assert rest == []
    table.now += 100_000
    assert table.does(Tick()) == []
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack"]
    assert kinds(table.does(ComeBack("b"))) == ["SeatBack", "Resumed"]
    table.now += 999
    table.plays("0,0")


def test_who_does_not_come_back_is_absent_from_then_on() -> None:
    table = Table.of(PATIENT, PATIENT)
    table.does(Restart(until=table.now + 120_000))
    table.does(ComeBack("a"))
    table.now += 120_000
    assert kinds(table.does(Tick())) == ["Resumed"]
    table.now += 30_000
    forfeited, _ = table.does(Tick())
    assert isinstance(forfeited, SeatForfeited)
    assert (forfeited.seat, forfeited.cause) == (1, ForfeitCause.ABSENCE)


def test_nobody_came_back() -> None:
    table = Table.of(PATIENT, PATIENT)
    table.does(Restart(until=table.now + 120_000))
    table.now += 120_000
    (aborted,) = table.does(Tick())
    assert isinstance(aborted, MatchAborted)
    assert aborted.cause is AbortCause.RESTART


def test_a_nameless_player_cannot_come_back() -> None:
    table = Table.of(NAMELESS, PATIENT)
    events = table.does(Restart(until=table.now + 120_000))
    assert kinds(events) == ["Suspended", "SeatForfeited", "MatchEnded"]


def test_a_match_of_nameless_players_is_aborted() -> None:
    table = Table.of(NAMELESS, NAMELESS)
    assert kinds(table.does(Restart(until=0))) == ["Suspended", "MatchAborted"]


def test_an_open_table_is_left_by_those_who_do_not_suspend() -> None:
    waits = Terms(suspends=True)
    table = Table.of(Terms(), waits, waits, game="chinese_checkers")
    assert kinds(table.does(Restart(until=table.now + 120_000))) == ["Suspended", "SeatLeft"]
    assert table.state.status is Status.OPEN
    table.does(ComeBack("b"))
    table.now += 120_000
    assert kinds(table.does(Tick())) == ["Resumed", "SeatLeft"]
    assert [player.name for _, player in table.state.players()] == ["b"]


def test_a_table_is_kept_for_those_whose_client_comes_back_by_itself() -> None:
    rejoins = Terms(rejoins=True, ready=True)
    table = Table.of(rejoins, game="tictactoe")
    assert kinds(table.does(Restart(until=table.now + 120_000))) == ["Suspended"]
    table.does(ComeBack("a"))
    assert kinds(table.does(TakeSeat(Newcomer("b", "b", rejoins)))) == ["SeatTaken", "MatchStarted"]


def test_a_table_that_nobody_comes_back_to_is_called_off() -> None:
    table = Table.of(Terms(rejoins=True), game="tictactoe")
    table.does(Restart(until=table.now + 120_000))
    table.now += 120_000
    assert kinds(table.does(Tick())) == ["Resumed", "SeatLeft", "MatchAborted"]
    gone = Table.of(Terms(), game="tictactoe")
    assert kinds(gone.does(Restart(until=0))) == ["Suspended", "SeatLeft", "MatchAborted"]


# Operators


def test_an_operator_ends_a_seat_or_a_match() -> None:
    table = Table.of(READY, READY)
    table.does(ForfeitSeat(1, ForfeitCause.OPERATOR, "shouting"))
    assert table.state.status is Status.OVER
    table = Table.of(READY, READY)
    table.does(AbortMatch(AbortCause.OPERATOR, "closing time"))
    assert table.state.status is Status.ABORTED
    assert table.state.clock is not None
    assert table.state.clock.running is None


def test_a_waiting_table_is_taken_away_and_a_match_that_has_begun_is_not() -> None:
    waits = AbortMatch(AbortCause.OPERATOR, only_waiting=True)
    table = Table.of(READY)
    table.does(waits)
    assert table.state.status is Status.ABORTED
    table = Table.of(READY, READY)
    assert table.refuses(waits) is Refusal.ALREADY_STARTED


def test_a_match_of_certain_players_is_taken_away_and_none_with_others() -> None:
    table = Table.of(READY, READY)
    names = tuple(player.identity for _, player in table.state.players())
    assert table.refuses(AbortMatch(AbortCause.EMPTY, only_with=names[:1])) is Refusal.SEAT_TAKEN
    assert table.refuses(AbortMatch(AbortCause.EMPTY, only_with=())) is Refusal.SEAT_TAKEN
    table.does(AbortMatch(AbortCause.EMPTY, only_with=names))
    assert table.state.status is Status.ABORTED
