"""Boards drawn as text, and the rules of m,n,k once more, slowly and by other means."""

import random
from collections.abc import Iterator
from functools import cache

from parlour.games import Refused
from parlour.games.tictactoe import Options, Position, TicTacToe

Cell = tuple[int, int]
"""(x from the left, y from the top), both from 0."""


def start(rows: int = 3, cols: int = 3, strike: int = 3) -> Position:
    return TicTacToe().start(Options(rows=rows, cols=cols, strike=strike), 2)


def text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def marks(board: str) -> dict[Cell, str]:
    """Read a drawn board."""
    rows = [line.split() for line in board.strip().splitlines()]
    return {
        (x, y): mark for y, line in enumerate(rows) for x, mark in enumerate(line) if mark != "."
    }


def drawn(board: str, strike: int = 3) -> Position:
    """Reach a drawn board by play, each side from the top left; X begins."""
    lines = board.strip().splitlines()
    cells = {mark: [cell for cell, found in marks(board).items() if found == mark] for mark in "XO"}
    position = start(rows=len(lines), cols=len(lines[0].split()), strike=strike)
    for ply in range(len(marks(board))):
        position = position.play(text(cells["XO"[ply % 2]][ply // 2]))
    assert position.diagram() == "\n".join(line.strip() for line in lines)
    return position


def refusal(position: Position, move: str) -> str:
    """Why `move` is refused."""
    try:
        position.play(move)
    except Refused as refused:
        return f"{refused.refusal}: {refused.detail}"
    raise AssertionError(f"{move} was played")


@cache
def lines(rows: int, cols: int, strike: int) -> tuple[frozenset[Cell], ...]:
    """Every run of `strike` cells, found by walking from every cell in four directions."""
    runs = [
        [(x + dx * step, y + dy * step) for step in range(strike)]
        for y in range(rows)
        for x in range(cols)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1))
    ]
    return tuple(
        frozenset(run) for run in runs if all(0 <= x < cols and 0 <= y < rows for x, y in run)
    )


def wander(position: Position, seed: int) -> Iterator[Position]:
    """Every position of a random game, from `position` to the last."""
    rng = random.Random(seed)
    yield position
    while position.turn is not None:
        position = position.play(rng.choice(list(position.moves())))
        yield position
