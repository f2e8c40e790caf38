"""Nobody makes a match as long as they like without a move."""

from collections.abc import Sequence

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


@pytest.mark.parametrize(
    ("commands", "most", "refusal"),
    [
        ((SetReady("a"), SetReady("a", ready=False)), 100, Refusal.LIMIT),
        ((LeaveSeat("b"), TakeSeat(Newcomer("b", "b"))), 99, Refusal.NO_FREE_SEAT),
        ((GoAway("b"), TakeSeat(Newcomer("b", "b"))), 99, Refusal.NO_FREE_SEAT),
    ],
    ids=["ready", "leave", "away"],
)
def test_before_the_start_a_player_changes_their_mind_so_often(
    commands: Sequence[Command], most: int, refusal: Refusal
) -> None:
    table = Table.of(Terms(), Terms(), game="chinese_checkers")
    count, no = rounds(table, *commands)
    assert no is not None
    assert (count, no.refusal) == (most, refusal)


def test_who_has_changed_their_mind_too_often_may_still_play() -> None:
    table = Table.of(Terms(), Terms(), game="chinese_checkers")
    rounds(table, SetReady("a"), SetReady("a", ready=False))
    table.does(SetReady("a"))
    table.does(SetReady("b"))
    assert table.state.status is Status.LIVE


def test_who_flickers_for_ever_is_away_at_last_and_each_move_forgives() -> None:
    table = Table.of(PATIENT, PATIENT)
    assert rounds(table, GoAway("b"), ComeBack("b"), most=900) == (900, None)
    table.plays("0,0")
    assert rounds(table, GoAway("b"), ComeBack("b"), most=900) == (900, None)
    count, no = rounds(table, GoAway("b"), ComeBack("b"))
    assert no is not None
    assert (count, no.refusal) == (100, Refusal.LIMIT)
    assert table.state.player(1).away_since == table.now


def test_many_strangers_together_do_not_either() -> None:
    table = Table.of(READY, game="tictactoe")
    left = [f"guest {number}" for number in range(50)]
    for name in left:
        for _ in range(40):
            table.does(TakeSeat(Newcomer(name, name)))
            table.does(LeaveSeat(name))
    assert table.refuses(TakeSeat(Newcomer("other", "other"))) is Refusal.NO_FREE_SEAT
