"""The count: regions of any size, however they are nested."""

from parlour.games.go import read
from tests.games.go.play import start

RINGS = """
    . . . . . . . . .
    . X X X X X X X .
    . X O O O O O X .
    . X O . . . O X .
    . X O . X . O X .
    . X O . . . O X .
    . X O O O O O X .
    . X X X X X X X .
    . . . . . . . . .
"""


def test_nested_rings() -> None:
    """The outer 32 points are black's; the inner 8 reach both and count for neither."""
    assert read(RINGS).scores() == (32 + 24 + 1, 16)


def test_a_wall_across_the_largest_board() -> None:
    """A white stone far away shares its side of the wall; the other side is black's alone."""
    position = start(131)
    for y in range(131):
        position = position.play(f"65,{y}").play("130,130" if y == 0 else "pass")
    assert position.scores() == (131 + 65 * 131, 1)
