"""Whose turn it is, who is home, and how a game ends, on drawn stars."""

import pytest

from parlour.games import Cause, Refusal, Refused
from parlour.games.chinese_checkers import ChineseCheckers, Options
from tests.games.chinese_checkers.play import race
from tests.games.chinese_checkers.stars import position

# One step from home each: A to the bottom, C to the left, E to the right above.
FINISH = """
            .
           . .
          . . .
         . . . .
. . . . . . . . E . . . .
 . . . . . . . . . . . .
  . . C . . . . . . . .
   . . . . . . . . . .
    . . . . . . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . A . . . . . . .
         . . . .
          . . .
           . .
            .
"""
A_HOME, C_HOME, E_HOME = "1,-4>1,-5", "-4,2>-5,2", "0,4>1,4"


def test_one_survivor_ends_the_game() -> None:
    first = position(FINISH, turn="A").play(A_HOME)
    assert (first.turn, first.finished, first.outcome) == (1, (0,), None)
    assert not first.playing(0)
    second = first.play(C_HOME)
    assert (second.turn, second.finished) == (None, (0, 1))
    assert second.outcome is not None
    assert second.outcome.ranking == ((0,), (1,), (2,))
    assert second.outcome.causes == (Cause.HOME, Cause.HOME, Cause.LAST_STANDING)


def test_the_turn_passes_over_who_is_home() -> None:
    around = position(FINISH, turn="A").play(A_HOME).play("-4,2>-4,1").play("0,4>0,3")
    assert (around.turn, around.round) == (1, 2)


def test_a_lost_seat_ranks_behind_the_survivor() -> None:
    left = position(FINISH, turn="A").play(A_HOME).without(1)
    assert left.outcome is not None
    assert left.outcome.ranking == ((0,), (2,), (1,))
    assert left.outcome.causes == (Cause.HOME, Cause.LEFT, Cause.LAST_STANDING)
    assert left.cells(1) == ()


def test_the_latest_loss_ranks_first_among_the_lost() -> None:
    start = ChineseCheckers().start(Options(), 6)
    over = start.without(4).without(0).without(5).without(1).without(2)
    assert over.outcome is not None
    assert over.outcome.ranking == ((3,), (2,), (1,), (5,), (0,), (4,))
    assert over.ply == 0


def test_without_passes_the_turn_only_if_it_was_theirs() -> None:
    start = ChineseCheckers().start(Options(), 3)
    assert start.without(1).turn == 0
    assert start.without(0).turn == 1
    assert start.without(0).without(1).turn is None
    last = start.play("-4,5>-4,4").play("5,-1>4,-1")
    assert (last.turn, last.round) == (2, 1)
    assert (last.without(2).turn, last.without(2).round) == (0, 2)


def test_without_somebody_who_does_not_play_changes_nothing() -> None:
    first = position(FINISH, turn="A").play(A_HOME)
    assert first.without(0) is first
    assert first.without(3) is first
    over = first.play(C_HOME)
    assert over.without(2) is over


def test_nothing_can_be_played_after_the_end() -> None:
    over = position(FINISH, turn="A").play(A_HOME).play(C_HOME)
    assert list(over.moves()) == []
    with pytest.raises(Refused) as refused:
        over.play(E_HOME)
    assert refused.value.refusal is Refusal.MALFORMED_MOVE


STUCK = """
            A
           D D
          D . D
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . D . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""


def test_the_turn_passes_over_who_cannot_move() -> None:
    after = position(STUCK, turn="D").play("0,0>0,1")
    assert (after.zones[1], after.turn, after.round) == ("D", 1, 2)
    freed = after.play("-2,6>-2,5")
    assert (freed.turn, freed.moves()) == (0, ["-4,8>-2,6", "-4,8>-2,6>-2,4"])


# B is home by the rule `full` and stands still; C is about to leave.
JAMMED = """
            A
           D D
          B B B
         B B B B
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    . . . . C . . . .
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""


def test_a_game_in_which_nobody_can_move_is_judged() -> None:
    """D has two pieces in its target, the zone A; A has none in its own."""
    over = position(JAMMED, turn="C", finished="B").without(2)
    assert over.outcome is not None
    assert over.outcome.ranking == ((1,), (3,), (0,), (2,))
    assert over.outcome.causes == (
        Cause.ROUND_LIMIT,
        Cause.HOME,
        Cause.LEFT,
        Cause.ROUND_LIMIT,
    )


# D keeps one piece in the target of A.
BLOCKED = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . . . . .
    A . . . D D D D .
   . . . . . D D D . .
  . . . . . . D D . . .
 . . . . . . . . . . . .
. . . . . . . . A . . . .
         A A A .
          A A A
           A A
            D
"""


def test_a_foreign_piece_in_the_target_blocks_it_if_strict() -> None:
    """Fault C06."""
    after = position(BLOCKED, turn="A").play("4,-4>4,-5")
    assert (after.outcome, after.home(0)) == (None, 9)


def test_a_foreign_piece_in_the_target_does_not_block_it_if_full() -> None:
    """Fault C06."""
    after = position(BLOCKED, turn="A", options=Options(blocked_target="full")).play("4,-4>4,-5")
    assert after.outcome is not None
    assert after.outcome.ranking == ((0,), (1,))
    assert after.outcome.causes == (Cause.HOME, Cause.LAST_STANDING)


def test_a_foreign_piece_can_complete_a_full_target() -> None:
    """All seats are looked at after each move, not only the mover's."""
    star = BLOCKED.replace("A . . . D", "A A . . D").replace(". . A . . . .\n", ". . D . . . .\n")
    after = position(star, turn="D", options=Options(blocked_target="full")).play("4,-4>4,-5")
    assert after.finished == (0,)
    assert after.outcome is not None
    assert after.outcome.ranking == ((0,), (1,))


def test_a_full_target_without_a_piece_of_its_own_is_not_won() -> None:
    start = ChineseCheckers().start(Options(blocked_target="full"), 2)
    away = start.play("-4,5>-4,4").play("4,-5>4,-4")
    back = away.play("-4,4>-4,5").play("4,-4>4,-5")
    assert (back.outcome, back.finished) == (None, ())


def test_an_endless_game_is_judged_after_its_rounds() -> None:
    start = ChineseCheckers().start(Options(max_rounds=2), 2)
    before = start.play("-4,5>-4,4").play("4,-5>4,-4").play("-4,4>-4,3")
    assert (before.turn, before.round) == (1, 2)
    level = before.play("4,-4>4,-3")
    assert level.outcome is not None
    assert level.outcome.ranking == ((0, 1),)
    assert level.outcome.causes == (Cause.ROUND_LIMIT, Cause.ROUND_LIMIT)
    assert level.round == 2
    behind = before.play("4,-4>4,-5")
    assert behind.outcome is not None
    assert behind.outcome.ranking == ((0,), (1,))


# D has a piece home. After E's step to the right, C and E are both two steps from home.
VERDICT = """
            .
           . .
          . . .
         D . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . . . E . . .
    . C . . . . . . D
   . . . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . A . . . . . .
         . . . .
          . . .
           . .
            .
"""


def test_the_judge_looks_at_pieces_home_then_distance_and_shares_places() -> None:
    before = position(VERDICT, turn="E", options=Options(max_rounds=1), lost="B")
    over = before.play("1,1>2,1")
    assert [over.home(seat) for seat in range(5)] == [0, 0, 0, 1, 0]
    assert over.outcome is not None
    assert over.outcome.ranking == ((3,), (0,), (2, 4), (1,))


@pytest.mark.parametrize("seed", range(4))
def test_greedy_players_get_home(seed: int) -> None:
    *_, last = race(ChineseCheckers().start(Options(), 2), seed)
    assert last.outcome is not None
    winner = last.outcome.winner
    assert winner is not None
    assert last.outcome.causes[winner] is Cause.HOME
    assert last.home(winner) == 10


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(4))
def test_greedy_crowds_come_to_an_end(players: int, seed: int) -> None:
    """Some block each other for ever; then the rounds run out."""
    *_, last = race(ChineseCheckers().start(Options(), players), seed)
    assert last.outcome is not None
    assert sorted(sum(last.outcome.ranking, ())) == list(range(players))
    assert last.round <= last.options.max_rounds
