"""Long cycles: each stone is played until the whole board would repeat, and no sooner."""

from typing import NamedTuple

import pytest
from sgfmill.boards import Board

from parlour.games import Refused
from parlour.games.go import Position, read
from tests.games.go.play import play_all, refusal


class Cycle(NamedTuple):
    """Moves from a drawn board, black first, that would bring the board back."""

    drawing: str
    moves: list[str]


CYCLES = {
    # Three kos, each taken and retaken: six takings.
    "triple ko": Cycle(
        """
        . X O . . . . . .
        X O . O . . . . .
        . X O . . . . . .
        . X O . . . . . .
        X . X O . . . . .
        . X O . . . . . .
        . X O . . . . . .
        X O . O . . . . .
        . X O . . . . . .
        """,
        ["2,1", "1,4", "2,7", "1,1", "2,4", "1,7"],
    ),
    # White sends a second stone, black takes both, and white would take one back.
    "sending two and returning one": Cycle(
        """
        . O . X .
        O X X X .
        O O X . .
        . . . . .
        . . . . .
        """,
        ["pass", "2,0", "0,0", "1,0"],
    ),
    # Black sends a second stone, white takes both, black takes two back, white throws one in.
    "eternal life": Cycle(
        """
        X O . X .
        X X X O O
        X X X . X
        X O O O X
        X X O O O
        """,
        ["4,0", "2,0", "3,0", "1,0"],
    ),
}

named = pytest.mark.parametrize("name", CYCLES)


@named
def test_a_cycle_ends_where_the_whole_board_repeats(name: str) -> None:
    """All but the last move are legal, and the refusal names the move that made the board."""
    position = read(CYCLES[name].drawing)
    first = stones_made(position)
    *legal, last = CYCLES[name].moves
    for move in legal:
        position = position.play(move)
    with pytest.raises(Refused, match=f"superko: repeats the position after move {first}$"):
        position.play(last)


@named
def test_a_board_without_superko_comes_back(name: str) -> None:
    """sgfmill's board takes every move of the cycle and shows the first board again."""
    drawn = read(CYCLES[name].drawing).board()
    judge = Board(len(drawn))
    judge.apply_setup(
        *([(y, x) for y, row in enumerate(drawn) for x, own in enumerate(row) if own == seat]
          for seat in (0, 1, None))
    )  # fmt: skip
    before = judge.copy()
    for ply, move in enumerate(CYCLES[name].moves):
        if move != "pass":
            x, y = map(int, move.split(","))
            judge.play(y, x, "bw"[ply % 2])
            assert judge != before or ply == len(CYCLES[name].moves) - 1
    assert judge.board == before.board


def test_a_threat_elsewhere_lets_a_cycle_go_on_until_its_own_board_repeats() -> None:
    """White's threat and black's answer make another board of all that follow."""
    *legal, last = CYCLES["triple ko"].moves
    threat = play_all(read(CYCLES["triple ko"].drawing), " ".join([*legal, "8,8", "8,6"]))
    position = play_all(threat, " ".join([last, *legal[:-1]]))
    assert refusal(position, legal[-1]).endswith(f"repeats the position after move {threat.ply}")


def stones_made(position: Position) -> int:
    """The move that made the board of `position`: the last that was not a pass."""
    return position.ply - (position.last == "pass")
