"""The star: 121 cells, what stands next to what, and the six zones, as tables.

A cell is a pair (x, y) in the axes of the RUC course network protocol, MOVE_OP: the origin in
the middle, x to the right, y up and to the right at 60 degrees. Inside this package a cell is
its number 0 to 120 in reading order, and a set of cells is an int with those bits.
"""

from collections.abc import Iterable, Iterator

RADIUS = 4
TIP = 2 * RADIUS
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

Cell = tuple[int, int]
Hop = tuple[int, int, str]
"""The landing as a bit, as a number, and as the text that continues a path."""


def on_board(x: int, y: int) -> bool:
    """Whether the cell is in one of the two large triangles that make the star."""
    upward = min(x, y) >= -RADIUS and x + y <= RADIUS
    downward = max(x, y) <= RADIUS and x + y >= -RADIUS
    return upward or downward


CELLS: tuple[Cell, ...] = tuple(
    (x, y) for y in range(TIP, -TIP - 1, -1) for x in range(-TIP, TIP + 1) if on_board(x, y)
)
"""The 121 cells (x, y) in reading order: from the tip of zone A down, from the left."""

NUMBERS = {cell: number for number, cell in enumerate(CELLS)}
NAMES = tuple(f"{x},{y}" for x, y in CELLS)
BY_NAME = {name: number for number, name in enumerate(NAMES)}
EVERYWHERE = (1 << len(CELLS)) - 1


def bits(cells: Iterable[Cell]) -> int:
    """The set as a bit board."""
    return sum(1 << NUMBERS[cell] for cell in cells)


def numbers(board: int) -> Iterator[int]:
    """The cells in a bit board, in reading order."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def _zone(letter: str, x: int, y: int) -> bool:
    beyond = {"A": y, "B": x + y, "C": x, "D": -y, "E": -x - y, "F": -x}
    return beyond[letter] > RADIUS


ZONES: dict[str, frozenset[Cell]] = {
    letter: frozenset(cell for cell in CELLS if _zone(letter, *cell)) for letter in "ABCDEF"
}
"""The ten cells of each point of the star: A at the top, then clockwise."""

TARGETS = {"A": "D", "B": "E", "C": "F", "D": "A", "E": "B", "F": "C"}
"""The opposite zone, where the pieces must go."""

HOMES = {letter: bits(cells) for letter, cells in ZONES.items()}
GOALS = {letter: HOMES[TARGETS[letter]] for letter in ZONES}


def _beside(cell: Cell) -> list[tuple[Cell, Cell]]:
    """Each neighbour with the cell mirrored behind it, which may be off the board."""
    x, y = cell
    pairs = [((x + i, y + j), (x + 2 * i, y + 2 * j)) for i, j in DIRECTIONS]
    return [pair for pair in pairs if on_board(*pair[0])]


NEIGHBOURS = tuple(bits(near for near, _ in _beside(cell)) for cell in CELLS)
"""By cell: the cells next to it."""

WITHIN_REACH = tuple(
    NEIGHBOURS[number] | bits(far for _, far in _beside(cell) if on_board(*far))
    for number, cell in enumerate(CELLS)
)
"""By cell: the neighbours, and the cells behind them that are on the board."""


def _legs(cell: Cell) -> dict[int, int]:
    """What lies between `cell` and each cell one step (0) or one hop (the bit) away."""
    legs = {NUMBERS[near]: 0 for near, _ in _beside(cell)}
    for near, far in _beside(cell):
        if on_board(*far):
            legs[NUMBERS[far]] = 1 << NUMBERS[near]
    return legs


LEGS = tuple(_legs(cell) for cell in CELLS)
"""By cell, by cell: 0 for a step, the piece to hop over as a bit for a hop."""


def _steps(cell: Cell) -> dict[int, tuple[str, ...]]:
    """By occupied neighbours, doubled neighbour by neighbour: the steps to the free ones."""
    steps: dict[int, tuple[str, ...]] = {0: ()}
    for near, _ in _beside(cell):
        text = f"{NAMES[NUMBERS[cell]]}>{NAMES[NUMBERS[near]]}"
        taken = bits([near])
        blocked = {board | taken: texts for board, texts in steps.items()}
        steps = {board: (*texts, text) for board, texts in steps.items()} | blocked
    return steps


def _hops(cell: Cell) -> dict[int, tuple[Hop, ...]]:
    """By occupied neighbours, doubled neighbour by neighbour: the hops over them."""
    hops: dict[int, tuple[Hop, ...]] = {0: ()}
    for near, far in _beside(cell):
        new: tuple[Hop, ...] = ()
        if on_board(*far):
            there = NUMBERS[far]
            new = ((1 << there, there, f">{NAMES[there]}"),)
        over = bits([near])
        hops |= {board | over: (*known, *new) for board, known in hops.items()}
    return hops


STEPS = tuple(_steps(cell) for cell in CELLS)
"""By cell, by its occupied neighbours: the steps, as whole moves."""

HOPS = tuple(_hops(cell) for cell in CELLS)
"""By cell, by its occupied neighbours: where hops over them would land."""


def _distances(goal: int) -> tuple[int, ...]:
    """By cell: the steps to the nearest cell of `goal` on an empty board."""
    steps = [0] * len(CELLS)
    reached = edge = goal
    while edge:
        for number in numbers(EVERYWHERE & ~reached):
            steps[number] += 1
        around = 0
        for number in numbers(edge):
            around |= NEIGHBOURS[number]
        edge = around & ~reached
        reached |= edge
    return tuple(steps)


DISTANCES = {letter: _distances(GOALS[letter]) for letter in ZONES}
"""By zone of origin, by cell as in `CELLS`: the steps to the nearest target cell."""
