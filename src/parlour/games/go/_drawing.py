"""Boards drawn as text, read back into positions."""

from itertools import zip_longest

from parlour.games import Refused
from parlour.games.go._board import Board
from parlour.games.go._options import Options
from parlour.games.go._position import SYMBOLS, Position


def read(drawing: str) -> Position:
    """A position with the drawn stones and black to move, reached by single stones and passes.

    `drawing` has the symbols of `Position.diagram`; spaces and indentation do not count.

    Raises:
        ValueError: the board is not square, not of a size that Go is played on, holds another
            symbol, or has a chain without a liberty.
    """
    rows = ["".join(line.split()) for line in drawing.strip().splitlines()]
    size = len(rows)
    if any(len(row) != size or row.strip(SYMBOLS) for row in rows):
        raise ValueError(f"not a square of {SYMBOLS}:\n{drawing}")
    black, white = (
        [f"{x},{y}" for y in range(size) for x in range(size) if rows[y][x] == symbol]
        for symbol in SYMBOLS[1:]
    )
    position = Position.first(Board(Options(size=size)))
    try:
        for pair in zip_longest(black, white, fillvalue="pass"):
            for move in pair:
                position = position.play(move)
    except Refused as refused:
        raise ValueError(f"a chain has no liberty:\n{drawing}") from refused
    if position.diagram().replace(" ", "") != "\n".join(rows):
        raise ValueError(f"a chain has no liberty:\n{drawing}")
    return position
