"""Where pauses, restarts and departures meet: who must be there for a game to go on."""

import pytest

from parlour.games import Refusal
from parlour.match import (
    AbortCause,
    ComeBack,
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
    wakes_at,
)
from tests.match.tables import READY, Table, kinds

PATIENT = Terms(ready=True, grace=30_000)
SUSPENDS = Terms(ready=True, suspends=True)
ASKED = Terms(suspends=True)  # as SUSPENDS, but its player has to say ready
NAMELESS = Terms(ready=True, reclaims=False)
RECLAIM = 120_000


def table_of_three(*terms: Terms, control: TimeControl | None = None) -> Table:
    return Table.of(*terms, game="chinese_checkers", control=control or TimeControl(), players=3)


def restarted(table: Table) -> Table:
    table.does(Restart(until=table.now + RECLAIM))
    return table


# Suspended by an absence


def test_who_must_say_ready_resumes_only_by_saying_it() -> None:
    table = Table.of(ASKED, ASKED)
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    table.does(GoAway("a"))
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack"]
    assert kinds(table.does(SetReady("a"))) == ["SeatReady"]
    assert kinds(table.does(SetReady("a", ready=False))) == ["SeatReady"]
    table.does(SetReady("b"))
    assert kinds(table.does(SetReady("a"))) == ["SeatReady", "Resumed"]
    assert table.refuses(SetReady("a")) is Refusal.ALREADY_STARTED


def test_the_clock_of_a_suspended_turn_goes_on_where_it_stood() -> None:
    table = Table.of(SUSPENDS, SUSPENDS, control=TimeControl(turn=1_000))
    table.now += 400
    table.does(GoAway("b"))
    assert wakes_at(table.state) is None
    table.now += 5_000_000
    table.does(ComeBack("b"))
    assert wakes_at(table.state) == table.now + 600


def test_who_need_not_say_ready_is_ready_by_coming_back() -> None:
    table = Table.of(SUSPENDS, SUSPENDS)
    table.does(GoAway("a"))
    table.does(SetReady("b", ready=False))
    table.does(GoAway("b"))
    table.does(ComeBack("a"))
    assert kinds(table.does(ComeBack("b"))) == ["SeatBack", "Resumed"]


def test_resigning_ends_a_suspended_game() -> None:
    table = Table.of(SUSPENDS, SUSPENDS)
    table.does(GoAway("a"))
    assert kinds(table.does(Resign("a"))) == ["SeatForfeited", "MatchEnded"]


def test_a_seat_that_one_left_is_free_and_another_is_not() -> None:
    table = Table.of(SUSPENDS, SUSPENDS)
    table.does(LeaveSeat("b"))
    assert table.refuses(TakeSeat(Newcomer("c", "c", seat=0))) is Refusal.SEAT_TAKEN
    assert table.refuses(TakeSeat(Newcomer("c", "A", seat=1))) is Refusal.NAME_TAKEN
    assert table.refuses(PlayMove("a", "0,0")) is Refusal.SUSPENDED
    assert table.refuses(Resign("b")) is Refusal.NOT_SEATED


def test_the_vacated_seat_keeps_its_clock() -> None:
    table = Table.of(SUSPENDS, SUSPENDS, control=TimeControl(total=10_000))
    table.now += 4_000
    table.does(LeaveSeat("a"))
    table.now += 3_600_000
    assert kinds(table.does(TakeSeat(Newcomer("c", "c", SUSPENDS)))) == ["SeatTaken", "Resumed"]
    assert wakes_at(table.state) == table.now + 6_000


def one_left_and_one_is_lost() -> Table:
    table = Table.of(SUSPENDS, SUSPENDS)
    table.does(LeaveSeat("a"))
    table.does(GoAway("b"))
    return table


def test_a_seat_whose_player_is_lost_goes_to_who_wants_it_in_one() -> None:
    table = one_left_and_one_is_lost()
    takes = TakeSeat(Newcomer("c", "b", SUSPENDS, seat=1), instead_of="b")
    assert kinds(table.does(takes)) == ["SeatLeft", "SeatTaken"]
    assert table.state.status is Status.SUSPENDED
    assert table.refuses(ComeBack("b")) is Refusal.NOT_SEATED
    last = table.does(TakeSeat(Newcomer("a", "a", SUSPENDS, seat=0)))
    assert kinds(last) == ["SeatTaken", "Resumed"]


def test_nobody_loses_a_seat_to_who_is_refused_it() -> None:
    table = Table.of(SUSPENDS, SUSPENDS)
    table.does(GoAway("b"))
    assert (
        table.refuses(TakeSeat(Newcomer("c", "A", SUSPENDS, seat=1), instead_of="b"))
        is Refusal.NAME_TAKEN
    )
    assert (
        table.refuses(TakeSeat(Newcomer("a", "c", SUSPENDS, seat=1), instead_of="b"))
        is Refusal.ALREADY_SEATED
    )
    assert kinds(table.does(ComeBack("b"))) == ["SeatBack", "Resumed"]


@pytest.mark.parametrize("instead_of", ["", "a", "c", "nobody"])
def test_a_seat_is_taken_from_nobody_but_who_was_meant(instead_of: str) -> None:
    takes = TakeSeat(Newcomer("c", "c", SUSPENDS, seat=1), instead_of=instead_of)
    assert one_left_and_one_is_lost().refuses(takes) is Refusal.SEAT_TAKEN


def test_who_is_back_or_may_still_come_back_keeps_the_seat() -> None:
    takes = TakeSeat(Newcomer("c", "c", SUSPENDS, seat=1), instead_of="b")
    table = one_left_and_one_is_lost()
    table.does(ComeBack("b"))
    assert table.refuses(takes) is Refusal.SEAT_TAKEN
    table = restarted(one_left_and_one_is_lost())
    assert table.refuses(takes) is Refusal.SEAT_TAKEN
    table = restarted(Table.of(ASKED, ASKED))  # nothing has begun
    assert table.refuses(takes) is Refusal.SEAT_TAKEN
    live = Table.of(PATIENT, PATIENT)
    live.does(GoAway("b"))
    assert live.refuses(takes) is Refusal.ALREADY_STARTED


def test_who_is_lost_loses_the_seat_and_not_the_game_beside_who_waits_for_nobody() -> None:
    table = one_left_and_one_is_lost()
    table.does(TakeSeat(Newcomer("d", "d", PATIENT, seat=0)))
    takes = TakeSeat(Newcomer("c", "c", SUSPENDS, seat=1), instead_of="b")
    assert kinds(table.does(takes)) == ["SeatLeft", "SeatTaken", "Resumed"]


def test_when_the_last_player_leaves_a_suspended_game_it_is_aborted() -> None:
    table = Table.of(SUSPENDS, SUSPENDS)
    table.does(LeaveSeat("a"))
    assert kinds(table.does(LeaveSeat("b"))) == ["SeatLeft", "MatchAborted"]


def test_who_has_resigned_does_not_keep_a_game_alive_that_all_others_left() -> None:
    table = table_of_three(SUSPENDS, SUSPENDS, SUSPENDS)
    table.does(Resign("a"))
    table.does(LeaveSeat("b"))
    *_, aborted = table.does(LeaveSeat("c"))
    assert isinstance(aborted, MatchAborted)
    assert aborted.cause is AbortCause.EMPTY


def test_empty_seats_do_not_play_on_among_themselves() -> None:
    table = Table.of(*[SUSPENDS] * 4, game="chinese_checkers", players=4)
    for who in "abc":
        table.does(LeaveSeat(who))
    table.does(TakeSeat(Newcomer("e", "e", PATIENT)))
    assert kinds(table.does(LeaveSeat("d"))) == ["SeatForfeited"]
    assert kinds(table.does(LeaveSeat("e"))) == ["SeatForfeited", "MatchAborted"]


# Restarts


def test_the_game_goes_on_as_soon_as_all_are_back() -> None:
    table = restarted(table_of_three(PATIENT, PATIENT, PATIENT))
    assert kinds(table.does(ComeBack("c"))) == ["SeatBack"]
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack"]
    assert kinds(table.does(ComeBack("b"))) == ["SeatBack", "Resumed"]
    assert wakes_at(table.state) is None


def test_coming_back_twice_is_coming_back_once() -> None:
    table = restarted(Table.of(PATIENT, PATIENT))
    table.does(ComeBack("a"))
    assert table.does(ComeBack("a")) == []
    assert table.refuses(ComeBack("stranger")) is Refusal.NOT_SEATED


@pytest.mark.parametrize("gone", [LeaveSeat("c"), Resign("c"), ForfeitSeat(2, ForfeitCause.LEFT)])
def test_nobody_is_waited_for_who_is_out_of_the_game(
    gone: LeaveSeat | Resign | ForfeitSeat,
) -> None:
    table = restarted(table_of_three(PATIENT, PATIENT, PATIENT))
    table.does(ComeBack("a"))
    table.does(ComeBack("b"))
    assert kinds(table.does(gone)) == ["SeatForfeited", "Resumed"]
    assert table.state.status is Status.LIVE


def test_a_second_restart_gives_everybody_the_time_again() -> None:
    table = restarted(Table.of(PATIENT, PATIENT))
    table.does(ComeBack("a"))
    table.now += RECLAIM - 1
    restarted(table)
    assert wakes_at(table.state) == table.now + RECLAIM
    assert kinds(table.does(ComeBack("b"))) == ["SeatBack"]
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack", "Resumed"]


def test_without_grace_the_end_of_the_reclaim_time_is_the_end_of_the_absent() -> None:
    table = restarted(Table.of(READY, PATIENT))
    table.does(ComeBack("b"))
    table.now += RECLAIM
    assert kinds(table.does(Tick())) == ["Resumed", "SeatForfeited", "MatchEnded"]


def test_where_all_suspend_the_restart_becomes_an_absence() -> None:
    table = restarted(Table.of(SUSPENDS, SUSPENDS))
    table.now += RECLAIM
    (suspended,) = table.does(Tick())
    assert isinstance(suspended, Suspended)
    assert suspended.pause is Pause.ABSENCE
    assert wakes_at(table.state) is None
    table.now += 30 * RECLAIM
    table.does(ComeBack("a"))
    assert kinds(table.does(ComeBack("b"))) == ["SeatBack", "Resumed"]


def paused_and_restarted() -> Table:
    """Both have to start again, and the service is killed before they have."""
    table = Table.of(ASKED, ASKED)
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    table.does(GoAway("b"))
    table.does(ComeBack("b"))
    return restarted(table)


def test_who_was_ready_when_a_restart_becomes_an_absence_still_is() -> None:
    table = paused_and_restarted()
    table.does(ComeBack("a"))
    table.does(ComeBack("b"))
    assert kinds(table.does(SetReady("a"))) == ["SeatReady"]
    table.now += RECLAIM
    assert kinds(table.does(Tick())) == ["Suspended", "SeatReady"]
    assert kinds(table.does(SetReady("b"))) == ["SeatReady", "Resumed"]


def test_who_is_not_there_when_a_restart_becomes_an_absence_is_asked_again() -> None:
    table = Table.of(ASKED, ASKED)
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    restarted(table)
    table.does(ComeBack("a"))
    table.now += RECLAIM
    table.does(Tick())
    assert [player.ready for _, player in table.state.players()] == [True, False]
    assert kinds(table.does(ComeBack("b"))) == ["SeatBack"]
    assert kinds(table.does(SetReady("b"))) == ["SeatReady", "Resumed"]


def test_who_is_ready_before_the_others_are_back_is_ready_when_they_are() -> None:
    table = paused_and_restarted()
    table.does(ComeBack("a"))
    assert kinds(table.does(SetReady("a"))) == ["SeatReady"]
    table.does(ComeBack("b"))
    assert kinds(table.does(SetReady("b"))) == ["SeatReady", "Resumed"]


def test_one_of_three_who_cannot_come_back_is_out_and_the_others_wait() -> None:
    table = table_of_three(PATIENT, NAMELESS, PATIENT)
    suspended, forfeited = table.does(Restart(until=table.now + RECLAIM))
    assert isinstance(suspended, Suspended)
    assert isinstance(forfeited, SeatForfeited)
    assert (forfeited.seat, forfeited.cause) == (1, ForfeitCause.RESTART)
    table.does(ComeBack("a"))
    assert kinds(table.does(ComeBack("c"))) == ["SeatBack", "Resumed"]


def test_a_game_does_not_resume_over_an_empty_seat() -> None:
    table = table_of_three(SUSPENDS, SUSPENDS, SUSPENDS)
    table.does(LeaveSeat("a"))
    table.does(LeaveSeat("b"))
    table.does(TakeSeat(Newcomer("d", "d", PATIENT, seat=1)))
    restarted(table)
    table.does(ComeBack("d"))
    table.now += RECLAIM
    (suspended,) = table.does(Tick())
    assert isinstance(suspended, Suspended)
    assert suspended.pause is Pause.VACANCY
    table.does(ComeBack("c"))
    last = table.does(TakeSeat(Newcomer("e", "e", PATIENT)))
    assert kinds(last) == ["SeatTaken", "Resumed"]


def test_who_was_ready_still_is_when_a_seat_is_empty_after_a_restart() -> None:
    table = table_of_three(SUSPENDS, SUSPENDS, SUSPENDS)
    table.does(LeaveSeat("a"))
    table.does(LeaveSeat("b"))
    table.does(TakeSeat(Newcomer("d", "d", Terms(grace=30_000), seat=0)))
    table.does(SetReady("d"))
    restarted(table)
    table.does(ComeBack("c"))
    table.does(ComeBack("d"))
    table.now += RECLAIM
    assert kinds(table.does(Tick())) == ["Suspended", "SeatReady"]
    last = table.does(TakeSeat(Newcomer("e", "e", PATIENT)))
    assert kinds(last) == ["SeatTaken", "Resumed"]


def test_a_restart_ends_no_sooner_and_nothing_happens_twice() -> None:
    table = restarted(Table.of(PATIENT, PATIENT))
    table.does(ComeBack("a"))
    table.now += RECLAIM - 1
    assert table.does(Tick()) == []
    table.now += 1
    assert kinds(table.does(Tick())) == ["Resumed"]
    assert table.does(Tick()) == []


def test_a_finished_match_does_not_notice_a_restart() -> None:
    table = Table.of(READY, READY)
    table.does(Resign("a"))
    assert table.does(Restart(until=table.now + RECLAIM)) == []


# Tables where nothing has begun


def test_an_empty_table_ends_with_the_reclaim_time() -> None:
    table = restarted(Table.of())
    table.now += RECLAIM
    assert kinds(table.does(Tick())) == ["Resumed", "MatchAborted"]


def test_an_open_table_starts_without_waiting_for_the_reclaim_time() -> None:
    table = restarted(Table.of(SUSPENDS, control=TimeControl(turn=1_000)))
    table.does(ComeBack("a"))
    assert kinds(table.does(TakeSeat(Newcomer("b", "b", READY)))) == ["SeatTaken", "MatchStarted"]
    assert table.state.pause is None
    assert wakes_at(table.state) == table.now + 1_000


def test_an_open_table_does_not_start_while_somebody_is_missing() -> None:
    table = restarted(Table.of(SUSPENDS))
    assert kinds(table.does(TakeSeat(Newcomer("b", "b", READY)))) == ["SeatTaken"]
    assert kinds(table.does(ComeBack("a"))) == ["SeatBack", "MatchStarted"]


def test_at_the_end_of_the_reclaim_time_those_who_are_there_begin() -> None:
    table = Table.of(ASKED, ASKED, ASKED, game="chinese_checkers")
    table.does(SetReady("a"))
    table.does(SetReady("c"))
    restarted(table)
    table.does(ComeBack("a"))
    table.does(ComeBack("c"))
    table.now += RECLAIM
    assert kinds(table.does(Tick())) == ["Resumed", "SeatLeft", "MatchStarted"]
    assert [player.name for _, player in table.state.players()] == ["a", "c"]


def test_strict_seats_lose_nothing_while_the_game_stands_still() -> None:
    strict = Terms(illegal_move=Fault.FORFEIT, out_of_turn=Fault.FORFEIT, ready=True, suspends=True)
    table = Table.of(strict, strict)
    table.does(GoAway("a"))
    assert table.refuses(PlayMove("b", "9,9")) is Refusal.SUSPENDED
