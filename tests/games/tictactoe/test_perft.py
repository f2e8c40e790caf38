"""The size of the tree of games, pinned, and counted once more by sets and lists of lines."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from parlour.games.tictactoe import Position
from tests.games.tictactoe.boards import Cell, lines, start

Perft = tuple[int, ...]
"""How many sequences of moves there are, by length from 0."""


@cache
def perft(position: Position, depth: int) -> Perft:
    """Counts up to `depth`; positions that are reached twice are counted once and added twice."""
    if depth == 0:
        return (1,)
    counts = [0] * depth
    for move in position.moves():
        for below, count in enumerate(perft(position.play(move), depth - 1)):
            counts[below] += count
    return (1, *counts)


class Plain:
    """The rules by sets of cells."""

    def __init__(self, rows: int, cols: int, strike: int) -> None:
        self.board = [(x, y) for y in range(rows) for x in range(cols)]
        self.lines = lines(rows, cols, strike)
        self.perft = cache(self._perft)

    def results(self, mover: frozenset[Cell], other: frozenset[Cell]) -> Iterator[frozenset[Cell]]:
        """The mover's cells after each move; the last mover was `other`."""
        if not any(line <= other for line in self.lines):
            for cell in self.board:
                if cell not in mover and cell not in other:
                    yield mover | {cell}

    def _perft(self, mover: frozenset[Cell], other: frozenset[Cell], depth: int) -> Perft:
        if depth == 0:
            return (1,)
        counts = [0] * depth
        for after in self.results(mover, other):
            for below, count in enumerate(self.perft(other, after, depth - 1)):
                counts[below] += count
        return (1, *counts)


Size = tuple[int, int, int]
"""Rows, cols, strike."""

PINNED: dict[Size, Perft] = {
    (3, 3, 3): (1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872),
    (3, 4, 3): (1, 12, 132, 1_320, 11_880, 95_040, 622_944),
    (4, 3, 3): (1, 12, 132, 1_320, 11_880, 95_040, 622_944),
    (4, 4, 3): (1, 16, 240, 3_360, 43_680),
}
DEEPER: dict[Size, Perft] = {
    (3, 4, 3): (*PINNED[3, 4, 3], 3_499_200),
    (4, 4, 3): (*PINNED[4, 4, 3], 524_160, 5_518_656),
}


def check_counts(size: Size, expected: Perft) -> None:
    depth = len(expected) - 1
    assert perft(start(*size), depth) == expected
    assert Plain(*size).perft(frozenset(), frozenset(), depth) == expected


@pytest.mark.parametrize("size", PINNED)
def test_counts_from_the_empty_board(size: Size) -> None:
    check_counts(size, PINNED[size])


@pytest.mark.slow
@pytest.mark.parametrize("size", DEEPER)
def test_deeper_counts_from_the_empty_board(size: Size) -> None:
    check_counts(size, DEEPER[size])


@cache
def endings(position: Position) -> Counter[str]:
    """How many games end in each way."""
    if position.outcome is not None:
        return Counter([f"{position.outcome.causes[0]} {position.outcome.winner}"])
    return sum((endings(position.play(move)) for move in position.moves()), Counter[str]())


def test_the_whole_tree_of_three_by_three() -> None:
    assert sum(perft(start(), 9)) == 549_946
    ends = endings(start())
    assert ends == {"line 0": 131_184, "line 1": 77_904, "board-full None": 46_080}
    assert ends.total() == 255_168
