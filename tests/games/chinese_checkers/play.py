"""Ways to get a game of Chinese checkers somewhere."""

import random
from collections.abc import Iterator

from parlour.games.chinese_checkers import TARGETS, ZONES, ChineseCheckers, Options, Position


def ends_of(position: Position) -> set[tuple[str, str]]:
    """The (start, end) of every move."""
    return {(cells[0], cells[-1]) for cells in (move.split(">") for move in position.moves())}


def wander(players: int, seed: int, plies: int, options: Options | None = None) -> Position:
    """The position after some random moves."""
    rng = random.Random(seed)
    position = ChineseCheckers().start(options or Options(), players)
    for _ in range(plies):
        if position.turn is not None:
            position = position.play(rng.choice(position.moves()))
    return position


def steps_between(a: tuple[int, int], b: tuple[int, int]) -> int:
    """The steps from cell to cell on an endless board."""
    x, y = a[0] - b[0], a[1] - b[1]
    return max(abs(x), abs(y), abs(x + y))


def greedy(position: Position, rng: random.Random) -> str:
    """The move that gains most towards the deepest target cell still to be filled.

    Gains are differences of squares, so that stragglers come along.
    """
    seat = position.turn
    assert seat is not None
    zone = position.zones[seat]
    tip = max(ZONES[TARGETS[zone]], key=lambda cell: sum(map(abs, (*cell, sum(cell)))))
    missing = ZONES[TARGETS[zone]] - set(position.cells(seat))
    goal = min(missing, key=lambda cell: (steps_between(cell, tip), cell))

    def gain(move: str) -> tuple[int, float]:
        start, *_, end = (tuple(map(int, cell.split(","))) for cell in move.split(">"))
        before, after = (
            steps_between((start[0], start[1]), goal),
            steps_between((end[0], end[1]), goal),
        )
        return before**2 - after**2, rng.random()

    return max(position.moves(), key=gain)


def race(position: Position, seed: int) -> Iterator[Position]:
    """Every position of a greedy game to its end."""
    rng = random.Random(seed)
    yield position
    while position.turn is not None:
        position = position.play(greedy(position, rng))
        yield position
