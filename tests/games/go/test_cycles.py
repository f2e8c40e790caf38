"""Long cycles: each stone is played until the whole board would repeat, and no sooner."""

from parlour.games import Refused
from parlour.games.go import Position, read

TRIPLE_KO = """
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X . X O . . . . .
    . X O . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
"""


def cycle(position: Position, moves: list[str]) -> tuple[int, str]:
    """Play `moves` round and round: how many were played, and what refused the next."""
    for played in range(100):
        try:
            position = position.play(moves[played % len(moves)])
        except Refused as refused:
            return played, refused.detail
    raise AssertionError("the cycle went on")


def test_a_triple_ko_ends_where_the_whole_board_repeats() -> None:
    """Six takings bring the first board back, so the sixth is refused."""
    position = read(TRIPLE_KO)
    moves = ["2,1", "1,4", "2,7", "1,1", "2,4", "1,7"]
    assert cycle(position, moves) == (
        5,
        f"superko: repeats the position after move {stones_made(position)}",
    )


def test_sending_two_and_returning_one() -> None:
    """White sends a second, black takes both, and white may not take the one that came back."""
    position = read("""
        . O . X .
        O X X X .
        O O X . .
        . . . . .
        . . . . .
    """)
    assert cycle(position, ["pass", "2,0", "0,0", "1,0"]) == (
        3,
        f"superko: repeats the position after move {stones_made(position)}",
    )


def stones_made(position: Position) -> int:
    """The move that made the board of `position`: the last that was not a pass."""
    return position.ply - (position.last == "pass")
