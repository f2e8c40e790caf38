"""A second, slow reading of the rules to judge the fast one by: sets of drawn cells."""

from collections.abc import Iterator

from parlour.games.chinese_checkers import Position
from tests.games.chinese_checkers.stars import CELLS, Cell

SIX = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
Pieces = tuple[frozenset[Cell], ...]
Pair = tuple[Cell, Cell]


def read(position: Position) -> Pieces:
    """The pieces by seat."""
    return tuple(frozenset(position.cells(seat)) for seat in range(len(position.zones)))


def hops(here: Cell, standing: frozenset[Cell]) -> set[Cell]:
    """Where one hop from `here` lands."""
    x, y = here
    landings = {(x + 2 * i, y + 2 * j) for i, j in SIX if (x + i, y + j) in standing}
    return {cell for cell in landings if cell in CELLS and cell not in standing}


def ends(start: Cell, pieces: Pieces) -> set[Cell]:
    """Every cell that one move can take the piece on `start` to."""
    standing = frozenset().union(*pieces) - {start}
    reached = {start}
    while more := set().union(*(hops(cell, standing) for cell in reached)) - reached:
        reached |= more
    x, y = start
    steps = {(x + i, y + j) for i, j in SIX} & set(CELLS) - standing
    return (reached | steps) - {start}


def pairs(seat: int, pieces: Pieces) -> set[Pair]:
    """Every (start, end) open to a seat."""
    return {(start, end) for start in pieces[seat] for end in ends(start, pieces)}


def after(seat: int, pair: Pair, pieces: Pieces) -> Pieces:
    """The pieces once `seat` has moved."""
    start, end = pair
    return (*pieces[:seat], pieces[seat] - {start} | {end}, *pieces[seat + 1 :])


def count(seat: int, pieces: Pieces, depth: int) -> int:
    """How many sequences of `depth` (start, end) there are while nobody gets home or stuck."""
    if depth == 1:
        return len(pairs(seat, pieces))
    following = (seat + 1) % len(pieces)
    return sum(
        count(following, after(seat, pair, pieces), depth - 1) for pair in pairs(seat, pieces)
    )


def chains(start: Cell, pieces: Pieces, longest: int) -> Iterator[list[Cell]]:
    """Every chain of hops of up to `longest` cells, revisiting allowed, wherever it ends."""
    standing = frozenset().union(*pieces) - {start}
    open_ends = [[start]]
    for path in open_ends:
        if len(path) > 1:
            yield path
        if len(path) < longest:
            open_ends.extend([*path, cell] for cell in sorted(hops(path[-1], standing)))
