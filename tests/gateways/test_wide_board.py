"""A board that is no square, through every view of it: rows stay rows."""

from xml.etree import ElementTree

import pytest

from parlour.games.tictactoe import Options, Position, TicTacToe
from parlour.gateways.mug._plays import TicTacToePlay
from parlour.gateways.web._board import cells
from parlour.wire.mug import TICTACTOE, serialise

OPTIONS = Options(rows=4, cols=7, strike=4)
DOWN = ("6,0", "0,0", "6,1", "1,0", "6,2", "2,0", "6,3")
ALONG = ("3,3", "0,0", "4,3", "1,0", "5,3", "2,0", "6,3")
DOWN_DRAWN = "O O O . . . X\n. . . . . . X\n. . . . . . X\n. . . . . . X"
ALONG_DRAWN = "O O O . . . .\n. . . . . . .\n. . . . . . .\n. . . X X X X"


def play(moves: tuple[str, ...]) -> Position:
    position = TicTacToe().start(OPTIONS, 2)
    for move in moves:
        assert position.outcome is None
        position = position.play(move)
    return position


def drawn(marks: dict[str, str]) -> str:
    """A board of those marks; keys are x,y."""
    rows = [[marks.get(f"{x},{y}", ".") for x in range(7)] for y in range(4)]
    return "\n".join(" ".join(row) for row in rows)


@pytest.mark.parametrize(
    ("moves", "board"), [(DOWN, DOWN_DRAWN), (ALONG, ALONG_DRAWN)], ids=["down", "along"]
)
def test_a_line_at_the_edge_wins_and_looks_the_same_to_all(
    moves: tuple[str, ...], board: str
) -> None:
    position = play(moves)
    assert position.outcome is not None
    assert position.outcome.winner == 0
    assert position.diagram() == board

    seats = cells(position) or ()
    assert drawn({cell: "XO"[seat] for seat, own in enumerate(seats) for cell in own}) == board

    state = ElementTree.fromstring(serialise(TicTacToePlay().state(position.options, position)))
    fields = {
        f"{int(one.attrib['col']) - 1},{int(one.attrib['row']) - 1}": (one.text or "").upper()
        for one in state.iterfind(f"{{{TICTACTOE}}}board/*")
    }
    assert drawn(fields) == board
