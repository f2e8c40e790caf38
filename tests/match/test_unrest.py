"""Nobody makes a match as long as they like without a move."""

import pytest

from parlour.games import Refusal, Refused
from parlour.match import (
    ComeBack,
    Command,
    GoAway,
    LeaveSeat,
    Newcomer,
    SetReady,
    Status,
    TakeSeat,
    Terms,
)
from tests.match.tables import READY, Table

PATIENT = Terms(ready=True, grace=1_000)


def rounds(table: Table, *commands: Command, most: int = 5_000) -> tuple[int, Refused | None]:
    """Repeat commands until one is refused; returns how often they all went, and the refusal."""
    for count in range(most):
        try:
            for command in commands:
                table.does(command)
        except Refused as no:
            return count, no
    return most, None


@pytest.mark.parametrize("gone", [LeaveSeat("b"), GoAway("b")], ids=["leave", "away"])
def test_before_the_start_a_player_sits_down_so_often(gone: Command) -> None:
    table = Table.of(Terms(), Terms(), game="chinese_checkers")
    count, no = rounds(table, gone, TakeSeat(Newcomer("b", "b")))
    assert no is not None
    assert (count, no.refusal) == (99, Refusal.NO_FREE_SEAT)
    assert "open another table" in no.detail


def test_before_the_start_a_player_says_ready_so_often() -> None:
    table = Table.of(Terms(), Terms(), game="chinese_checkers")
    count, no = rounds(table, SetReady("a"), SetReady("a", ready=False), most=6_000)
    assert no is not None
    assert (count, no.refusal) == (5_000, Refusal.TOO_OFTEN)
    assert "open another table" in no.detail


def test_that_somebody_is_ready_no_longer_is_always_recorded() -> None:
    """A room says it of players who did nothing, when others sit down or leave."""
    table = Table.of(Terms(), Terms(), game="chinese_checkers")
    rounds(table, SetReady("a"), SetReady("a", ready=False), most=4_999)
    table.does(SetReady("a"))
    table.does(SetReady("a", ready=False))
    assert not table.state.player(0).ready


def test_no_coming_and_going_of_others_takes_the_start_from_a_player() -> None:
    """Each time that somebody sits down or leaves, the room forgets who was ready."""
    table = Table.of(Terms(), game="chinese_checkers")

    def starts_anew() -> None:
        table.does(SetReady("a"))
        table.does(SetReady("a", ready=False))

    rounds_of_others = 0
    while table.state.unrest.get("a", 0) + 100 * rounds_of_others < 200_000:
        name = f"guest {rounds_of_others // 100}"
        table.does(TakeSeat(Newcomer(name, name)))
        starts_anew()
        table.does(LeaveSeat(name))
        starts_anew()
        rounds_of_others += 1
    assert table.refuses(TakeSeat(Newcomer("other", "other"))) is Refusal.NO_FREE_SEAT
    table.does(SetReady("a"))
    assert table.state.player(0).ready


def test_the_start_forgives_what_was_before_it() -> None:
    table = Table.of(PATIENT, Terms(grace=1_000))
    rounds(table, SetReady("a", ready=False), SetReady("a"), most=4_999)
    table.does(SetReady("b"))
    assert table.state.status is Status.LIVE
    assert rounds(table, GoAway("a"), ComeBack("a"), most=900) == (900, None)


def test_who_flickers_for_ever_is_away_at_last_and_each_move_forgives() -> None:
    table = Table.of(PATIENT, PATIENT)
    assert rounds(table, GoAway("b"), ComeBack("b"), most=900) == (900, None)
    table.plays("0,0")
    assert rounds(table, GoAway("b"), ComeBack("b"), most=900) == (900, None)
    count, no = rounds(table, GoAway("b"), ComeBack("b"))
    assert no is not None
    assert (count, no.refusal) == (100, Refusal.TOO_OFTEN)
    assert "until the next move" in no.detail
    assert table.state.player(1).away_since == table.now


def test_many_strangers_together_do_not_either() -> None:
    table = Table.of(READY, game="tictactoe")
    left = [f"guest {number}" for number in range(50)]
    for name in left:
        for _ in range(40):
            table.does(TakeSeat(Newcomer(name, name)))
            table.does(LeaveSeat(name))
    assert table.refuses(TakeSeat(Newcomer("other", "other"))) is Refusal.NO_FREE_SEAT
