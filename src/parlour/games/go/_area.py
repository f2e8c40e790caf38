"""Area counting: what stands lives, and empty points belong to the only colour they reach."""

from parlour.games.go._board import BORDER, EMPTY
from parlour.games.go._keys import SEATS

COUNTED = BORDER + 1


def area(stones: bytes, width: int) -> tuple[int, ...]:
    """Stones plus the empty points that reach only those stones, for each seat.

    `stones` is a board as `Board.stones`, row by row with a border.
    """
    cells = bytearray(stones)
    scores = [cells.count(seat + 1) for seat in range(SEATS)]
    start = cells.find(EMPTY)
    while start >= 0:
        cells[start] = COUNTED
        region = [start]
        reached = set()
        for cell in region:  # Grows while it is read.
            for near in (cell - width, cell - 1, cell + 1, cell + width):
                colour = cells[near]
                if colour == EMPTY:
                    cells[near] = COUNTED
                    region.append(near)
                elif colour < BORDER:
                    reached.add(colour)
        if len(reached) == 1:
            scores[reached.pop() - 1] += len(region)
        start = cells.find(EMPTY, start)
    return tuple(scores)
