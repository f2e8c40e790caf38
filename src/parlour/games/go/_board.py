"""The board that all positions of one game share, so that a move costs the same at any depth.

A position is only a place in a line of play. The board stands at one such place, mostly the
newest; asked for another, it takes moves back to where the lines part and plays on from there.

Chains are not kept, and liberties are not counted. Each stone only knows a way to one liberty:
the empty point itself when that is beside it, else a stone beside it of the same colour whose
way leads to one. A move disturbs the few stones beside it whose way it blocks, so it costs about
the same on an empty and on a crowded board. A chain is dead when one of its stones has no way
and a search of the chain finds none. Every change is noted and can be undone exactly.
"""

import functools
from collections.abc import Iterator

from parlour.games.go._keys import SEATS, Keys, zobrist_keys
from parlour.games.go._line import PASS, Line
from parlour.games.go._options import Options

EMPTY, BORDER = 0, SEATS + 1  # A stone is its seat + 1.
NEXT_SLOT = 1 << 64  # Added to a hash that another board already has; no hash is as large.


@functools.lru_cache(maxsize=16)  # Servers play few sizes; the largest takes 2 MB.
def cells_by_text(size: int) -> dict[str, int]:
    """The cell of each point's canonical text."""
    return {f"{x},{y}": (y + 1) * (size + 1) + x for y in range(size) for x in range(size)}


@functools.lru_cache(maxsize=16)
def neighbours(width: int) -> list[tuple[int, int, int, int]]:
    """The four cells beside each cell from number 0 on; for cells of the border without meaning."""
    # One integer a cell, for all that name it: a third of the memory, and of the cache misses.
    cells = list(range(-width, width * (width + 2)))
    return [
        (cells[at], cells[at + width - 1], cells[at + width + 1], cells[at + 2 * width])
        for at in range(width * (width + 1))
    ]


class Board:
    """Stones, their ways and the hashes of all earlier boards at move `ply` of `line`.

    Cells are numbered row by row, `width` is `size + 1`: the border column on the right of
    a row is also the left border of the next. Not for use by several threads at once.

    `log` is what undoing needs beyond the cells played, as pairs of integers: a cell and the way
    that its stone had; of a stone that was taken, `-1 - (cell * SEATS + seat)` and its way; after
    all pairs of a move, where in the log they begin and the number of the move. One flat list,
    so a long game is one object for the garbage collector.
    """

    __slots__ = (
        "captured",
        "history",
        "key",
        "keys",
        "line",
        "log",
        "near",
        "options",
        "ply",
        "points",
        "stones",
        "way",
        "width",
    )

    def __init__(self, options: Options, keys: Keys | None = None) -> None:
        size = options.size
        self.options = options
        self.keys = keys or zobrist_keys()
        self.width = size + 1
        self.points = cells_by_text(size)
        self.near = neighbours(size + 1)
        border = bytes([BORDER])
        row = bytes([EMPTY]) * size + border
        self.stones = bytearray(border * self.width + row * size + border * (self.width + 1))
        self.way = [0] * len(self.stones)
        self.captured = [0] * SEATS
        self.key = 0
        self.history = {0: 0}
        self.log: list[int] = []
        self.line = Line()
        self.ply = 0

    def go_to(self, line: Line, ply: int) -> None:
        """Stand at move `ply` of `line`: back to where the lines part, then forward."""
        here, there, common, until = self.line, line, self.ply, ply
        route = []
        while here is not there:
            if there.parent is not None and there.start >= here.start:
                route.append((there, until))
                there, until = there.parent, there.start
            else:
                assert here.parent is not None, "all lines of a board leave one first line"
                here, common = here.parent, here.start
        route.append((there, until))
        self._take_back_to(min(common, until))
        for segment, end in reversed(route):
            for point in segment.points[self.ply - segment.start : end - segment.start]:
                if point != PASS:
                    self._place(point)
                    self._remember(self._free_slot())
                self.ply += 1
        self.line = line

    def stand(self, point: int) -> int | None:
        """Play a stone as the next move, unless that repeats a board; the caller moves on.

        Returns the number of the move that made the same board before; None when there is none
        and the stone now stands.
        """
        self._place(point)
        key, ply = self.key, self.ply + 1
        if self.history.setdefault(key, ply) == ply:
            return None
        board = bytes(self.stones)
        self._lift(point)
        then = self._made(board, key)
        if then is None:  # Only the hashes are equal.
            self._place(point)
            self._remember(self._free_slot())
        return then

    def empty(self) -> Iterator[int]:
        """The empty cells, row by row; not to be read on after a move."""
        cell = self.stones.find(EMPTY)
        while cell >= 0:
            yield cell
            cell = self.stones.find(EMPTY, cell + 1)

    def legal(self, point: int) -> bool:
        """Whether the next move may be a stone on an empty cell."""
        stones, way = self.stones, self.way
        seat = self.ply % SEATS
        near = self.near[point]
        if (
            any(not stones[cell] for cell in near)
            and self.key ^ self.keys[seat][point] not in self.history
            and all(way[cell] != point or stones[cell] == seat + 1 for cell in near)
        ):
            return True  # Nothing is taken and the board is new.
        if self.stand(point) is not None:
            return False
        self._forget(point)
        return True

    def _take_back_to(self, ply: int) -> None:
        points = self.line.backwards(self.ply)
        while self.ply > ply:
            point = next(points)
            self.ply -= 1
            if point != PASS:
                self._forget(point)

    def _free_slot(self) -> int:
        slot = self.key
        while slot in self.history:
            slot += NEXT_SLOT
        return slot

    def _remember(self, slot: int) -> None:
        self.history[slot] = self.ply + 1

    def _forget(self, point: int) -> None:
        """Take back the stone of move `ply + 1`."""
        self.history.popitem()  # Dictionaries are stacks: the newest board is on top.
        self._lift(point)

    def _made(self, board: bytes, key: int) -> int | None:
        """The number of the move that made `board`, whose hash is `key`."""
        slot = key
        while (then := self.history.get(slot)) is not None:
            if board == self._stones_after(then):
                return then
            slot += NEXT_SLOT
        return None

    def _stones_after(self, ply: int) -> bytearray:
        """The stones after an earlier move of this line, worked out on a copy."""
        stones, log = self.stones.copy(), self.log
        top = len(log)
        points = self.line.backwards(self.ply)
        for number in range(self.ply, ply, -1):
            if top and log[top - 1] == number:
                start, end = log[top - 2], top - 2
                for entry in log[start:end:2]:
                    if entry < 0:
                        cell, seat = divmod(-1 - entry, SEATS)
                        stones[cell] = seat + 1
                top = start
            point = next(points)
            if point != PASS:
                stones[point] = EMPTY
        return stones

    def _place(self, point: int) -> None:
        """Put down the stone of move `ply + 1`, take what it captures, else itself if dead."""
        stones, way = self.stones, self.way
        seat = self.ply % SEATS
        stones[point] = own = seat + 1
        leads = friend = 0
        blocked: tuple[int, ...] = ()
        for near in self.near[point]:
            colour = stones[near]
            if not colour:
                leads = near
            elif way[near] == point:
                if colour != own:
                    blocked = (*blocked, near)
            elif colour == own:
                friend = near
        self.key ^= self.keys[seat][point]
        if friend:
            cell = friend
            while cell != point and stones[cell]:
                cell = way[cell]
            if cell != point:
                leads = friend
        way[point] = leads
        if blocked or not leads:
            self._settle(point, blocked)

    def _settle(self, point: int, blocked: tuple[int, ...]) -> None:
        """Find other ways for stones that lost theirs to the one on `point`, and for that one."""
        stones, way, log, near_of = self.stones, self.way, self.log, self.near
        start = len(log)
        taken = False
        for stone in blocked:
            colour = stones[stone]
            alone = True
            for near in near_of[stone]:
                beside = stones[near]
                if not beside:
                    log += stone, way[stone]
                    way[stone] = near
                    break
                if beside == colour:
                    alone = False
            else:
                if alone:
                    self._remove([stone])
                    taken = True
                elif colour and way[stone] == point:
                    taken = not self._find_way(stone, point) or taken
        if taken and not way[point]:
            # A capture beside it: some stone that was taken has left its cell empty.
            way[point] = next((near for near in near_of[point] if not stones[near]), 0)
        if not way[point]:
            # GoProtocol, "Rules": suicide is allowed and takes the own group off.
            self._find_way(point, point)
        if len(log) > start:
            log += start, self.ply + 1

    def _find_way(self, stone: int, point: int) -> bool:
        """Give a stone a way that is not over `point`; where there is none, take its chain."""
        stones, way = self.stones, self.way
        colour = stones[stone]
        for near in self.near[stone]:
            if stones[near] == colour:
                cell = near
                while cell != point and stones[cell]:
                    cell = way[cell]
                if cell != point:
                    self.log += stone, way[stone]
                    way[stone] = near
                    return True
        return self._search(stone)

    def _search(self, stone: int) -> bool:
        """Lead a stone to the nearest liberty of its chain; take the chain if it has none."""
        stones, way, log, near_of = self.stones, self.way, self.log, self.near
        colour = stones[stone]
        came_from = {stone: stone}
        chain = [stone]
        for cell in chain:  # Grows while it is read.
            for near in near_of[cell]:
                if not stones[near]:
                    while cell != stone:
                        log += cell, way[cell]
                        way[cell] = near
                        near, cell = cell, came_from[cell]
                    log += stone, way[stone]
                    way[stone] = near
                    return True
                if stones[near] == colour and near not in came_from:
                    came_from[near] = cell
                    chain.append(near)
        self._remove(chain)
        return False

    def _remove(self, chain: list[int]) -> None:
        stones, way, log = self.stones, self.way, self.log
        seat = stones[chain[0]] - 1
        keys = self.keys[seat]
        for cell in chain:
            stones[cell] = EMPTY
            self.key ^= keys[cell]
            log += -1 - (cell * SEATS + seat), way[cell]
        self.captured[seat] += len(chain)

    def _lift(self, point: int) -> None:
        """Take back the stone of move `ply + 1` with all that it did."""
        stones, way, log = self.stones, self.way, self.log
        if log and log[-1] == self.ply + 1:
            start = log[-2]
            for at in range(len(log) - 4, start - 1, -2):
                cell = log[at]
                if cell < 0:
                    cell, seat = divmod(-1 - cell, SEATS)
                    stones[cell] = seat + 1
                    self.key ^= self.keys[seat][cell]
                    self.captured[seat] -= 1
                way[cell] = log[at + 1]
            del log[start:]
        self.key ^= self.keys[stones[point] - 1][point]
        stones[point] = EMPTY
