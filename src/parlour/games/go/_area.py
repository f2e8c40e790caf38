"""Area counting: what stands lives, and empty points belong to the only colour they reach."""

from parlour.games.go._board import EMPTY
from parlour.games.go._keys import SEATS

# For each thing that a cell may hold: 1 where it does, 0 elsewhere.
DIGITS = [
    bytes(b"1"[0] if held == value else b"0"[0] for held in range(256))
    for value in range(SEATS + 1)
]


def area(stones: bytes, width: int) -> tuple[int, ...]:
    """Stones plus the empty points that reach only those stones, for each seat.

    `stones` is a board as `Board.stones`, row by row with a border. A board is one number here,
    a bit for each cell, so that a step in all directions from everywhere is a few shifts.
    """
    empty = _cells(stones, EMPTY)
    own = [_cells(stones, seat + 1) for seat in range(SEATS)]
    reached = [_spread(cells, empty, width) for cells in own]
    scores = []
    for seat in range(SEATS):
        alone = reached[seat]
        for other in range(SEATS):
            if other != seat:
                alone &= ~reached[other]
        scores.append(own[seat].bit_count() + alone.bit_count())
    return tuple(scores)


def _cells(stones: bytes, value: int) -> int:
    """The cells that hold `value`."""
    return int(stones.translate(DIGITS[value]), 2)


def _spread(start: int, empty: int, width: int) -> int:
    """The empty cells that can be reached from those of `start` over empty ones."""
    reached = 0
    front = start
    while front:
        near = front << 1 | front >> 1 | front << width | front >> width
        front = near & empty & ~reached
        reached |= front
    return reached
