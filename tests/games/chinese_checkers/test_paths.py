"""Which paths are moves, on drawn stars, and what is said of those that are not."""

import pytest

from parlour.games import Refusal, Refused
from parlour.games.chinese_checkers import ChineseCheckers, Options
from tests.games.chinese_checkers.play import ends_of
from tests.games.chinese_checkers.stars import position, starred

# `*`: everywhere the piece on -4,0 can go.
LADDER = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   * * . . . . . . . .
    A D * D * A * . .
   * * . . . . . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

# The piece on 0,0 can go round the three pieces on its right and come back.
ROUNDABOUT = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . * * . . . .
    . . * D A D * . .
   . . . . * D D . . .
  . . . . . . * . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""

# D stands behind D on the right; nothing stands on the left.
WALL = """
            .
           . .
          . . .
         . . . .
. . . . . . . . . . . . .
 . . . . . . . . . . . .
  . . . . . . . . . . .
   . . . . * * . . . .
    . . . * A D D . .
   . . . . * * . . . .
  . . . . . . . . . . .
 . . . . . . . . . . . .
. . . . . . . . . . . . .
         . . . .
          . . .
           . .
            .
"""


@pytest.mark.parametrize(("star", "start"), [(LADDER, "-4,0"), (ROUNDABOUT, "0,0"), (WALL, "0,0")])
def test_a_piece_reaches_what_is_starred(star: str, start: str) -> None:
    """Fault C01: chains of any length; fault C02: no landing on another piece."""
    ends = {end for begin, end in ends_of(position(star, turn="A")) if begin == start}
    assert ends == starred(star)


def test_a_chain_is_one_move() -> None:
    """Fault C01."""
    before = position(LADDER, turn="A")
    after = before.play("-4,0>-2,0>0,0>2,0")
    assert set(after.cells(0)) == {(1, 0), (2, 0)}
    assert (after.zones[after.turn or 0], after.ply) == ("D", 1)


def test_moves_lists_the_shortest_path() -> None:
    """There are longer ones from 0,0 to 2,0: round the other way."""
    moves = position(ROUNDABOUT, turn="A").moves()
    assert "0,0>2,0" in moves
    assert "0,0>2,-2" in moves
    assert len(moves) == len(starred(ROUNDABOUT))


def test_the_vacated_start_may_be_passed() -> None:
    """Fault C04: the start is empty from the first hop on."""
    before = position(ROUNDABOUT, turn="A")
    assert before.play("0,0>2,0>2,-2>0,0>-2,0") == before.play("0,0>-2,0")


def test_a_path_may_revisit_cells_up_to_121_of_them() -> None:
    before = position(ROUNDABOUT, turn="A")
    there_and_back = "0,0" + ">2,0>0,0" * 58 + ">2,0"
    round_and_there = "0,0>2,0>2,-2>" + there_and_back
    assert round_and_there.count(">") == 120
    assert before.play(round_and_there) == before.play("0,0>2,0")
    with pytest.raises(Refused, match="a path has 2 to 121 cells, not 123"):
        before.play(round_and_there + ">0,0>2,0")


ILLEGAL = [
    (WALL, "0,0>2,0", "hop 1 lands on an occupied cell 2,0"),  # C02
    (WALL, "0,0>1,0", "hop 1 lands on an occupied cell 1,0"),
    (LADDER, "-4,0>-2,0>-2,1", "hop 2 from -2,0 to -2,1 is a step"),  # C03
    (LADDER, "-4,0>-4,1>-2,1", "hop 1 from -4,0 to -4,1 is a step"),
    (LADDER, "-4,0>-2,0>0,0>2,0>4,0", "hop 4 from 2,0 to 4,0 has no piece to jump over on 3,0"),
    (LADDER, "-4,0>0,0", "hop 1 from -4,0 to 0,0 is neither a step nor over one adjacent piece"),
    (LADDER, "-4,0>-2,0>-2,0", "hop 2 from -2,0 to -2,0 is neither"),
    (LADDER, "-4,0>-2,-1", "hop 1 from -4,0 to -2,-1 is neither"),
    (LADDER, "-4,0>-5,0", "hop 1 lands on -5,0, which is off the board"),
    (LADDER, "99,0>-5,0", "the path starts on 99,0, which is off the board"),
    (LADDER, "-3,0>-3,1", "another player's piece stands on -3,0"),
    (LADDER, "0,0>0,1", "no piece stands on 0,0"),
    (LADDER, "-4,0", "a path has 2 to 121 cells, not 1"),
    (ROUNDABOUT, "0,0>2,0>2,-2>0,0", "the path ends on 0,0, where it began"),  # C04
    (ROUNDABOUT, "0,0>2,0>0,0", "the path ends on 0,0, where it began"),
    (ROUNDABOUT, "0,0>2,0>2,-2>0,0>2,0>4,0", "hop 5 from 2,0 to 4,0 has no piece"),  # C10
]


@pytest.mark.parametrize(("star", "move", "why"), ILLEGAL)
def test_an_illegal_path_is_refused_by_the_hop_that_fails(star: str, move: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        position(star, turn="A").play(move)
    assert refused.value.refusal is Refusal.ILLEGAL_MOVE
    assert refused.value.detail.startswith(why)


MALFORMED = [
    "",
    ">",
    "0,0>",
    ">0,0",
    "-4 5 -4 4",
    "-4,5 > -4,4",
    "-4,5>-4,4\n",
    "-4,05>-4,4",
    "-0,5>-4,4",
    "+4,5>-4,4",
    "\uff14,5>-4,4",
    "-4,5>-4,1_0",
    "-4,5>-4,1000",
    "-4,5,4>-4,4",
    "-1",
    "pass",
    "x" * 5000,
]


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_not_canonical_is_malformed(text: str) -> None:
    with pytest.raises(Refused) as refused:
        ChineseCheckers().start(Options(), 2).play(text)
    assert refused.value.refusal is Refusal.MALFORMED_MOVE
    assert len(refused.value.detail) < 150
