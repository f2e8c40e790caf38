"""The board that all positions of one game share, so that a move costs the same at any depth.

A position is only a place in a line of play. The board stands at one such place, mostly the
newest; asked for another, it takes moves back to where the lines part and plays on from there.
Chains are a union-find forest without path compression: every change can be undone exactly.
A chain counts a liberty once for each of its stones that touches it, which makes joining two
chains an addition; the count is zero exactly when the chain has no liberty.
"""

import functools
from array import array
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from parlour.games import Seat
from parlour.games.go._keys import SEATS, Keys, zobrist_keys
from parlour.games.go._line import PASS, Line
from parlour.games.go._options import Options

EMPTY, BORDER = 0, SEATS + 1  # A stone is its seat + 1.
NEXT_SLOT = 1 << 64  # Added to a hash that another board already has; no hash is as large.


class Removal(NamedTuple):
    """A chain taken off the board, and what its cells held in `head` and `liberties`."""

    seat: Seat
    cells: list[int]
    heads: list[int]
    counts: list[int]


Change: TypeAlias = tuple[int, tuple[int, ...], tuple[Removal, ...]]
"""What undoing move `ply` needs beyond its cell: `(ply, joined roots, removals)`."""


@functools.lru_cache(maxsize=16)  # Servers play few sizes; the largest takes 2 MB.
def cells_by_text(size: int) -> dict[str, int]:
    """The cell of each point's canonical text."""
    return {f"{x},{y}": (y + 1) * (size + 1) + x for y in range(size) for x in range(size)}


@functools.lru_cache(maxsize=16)
def neighbours(width: int) -> list[tuple[int, int, int, int]]:
    """The four cells beside each cell from number 0 on; for cells of the border without meaning."""
    return [(cell - width, cell - 1, cell + 1, cell + width) for cell in range(width * (width + 1))]


class Board:
    """Stones, chains and the hashes of all earlier boards at move `ply` of `line`.

    Cells are numbered row by row, `width` is `size + 1`: the border column on the right of
    a row is also the left border of the next. Not for use by several threads at once.
    """

    __slots__ = (
        "captured",
        "changes",
        "head",
        "history",
        "key",
        "keys",
        "liberties",
        "line",
        "near",
        "options",
        "ply",
        "points",
        "stones",
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
        self.head = array("H", bytes(2 * len(self.stones)))
        self.liberties = array("H", bytes(2 * len(self.stones)))
        self.captured = [0] * SEATS
        self.key = 0
        self.history = {0: 0}
        self.changes: list[Change] = []
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
        stones, width = self.stones, self.width
        near = (point - width, point - 1, point + 1, point + width)
        seat = self.ply % SEATS
        around = [stones[cell] for cell in near]
        theirs = [cell for cell in near if stones[cell] not in (EMPTY, BORDER, seat + 1)]
        key = self.key ^ self.keys[seat][point]
        if (
            EMPTY in around
            and key not in self.history
            and all(self.liberties[self._root(cell)] > len(theirs) for cell in theirs)
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
        stones = self.stones.copy()
        changes = reversed(self.changes)
        change = next(changes, None)
        points = self.line.backwards(self.ply)
        for number in range(self.ply, ply, -1):
            if change is not None and change[0] == number:
                for seat, cells, _, _ in change[2]:
                    for cell in cells:
                        stones[cell] = seat + 1
                change = next(changes, None)
            point = next(points)
            if point != PASS:
                stones[point] = EMPTY
        return stones

    def _root(self, cell: int) -> int:
        head = self.head
        root = head[cell]
        while head[root] != root:
            root = head[root]
        return root

    def _place(self, point: int) -> None:
        """Put down the stone of move `ply + 1`, take what it captures, else itself if dead."""
        stones, head, liberties = self.stones, self.head, self.liberties
        seat = self.ply % SEATS
        stones[point] = own = seat + 1
        free = 0
        friends: tuple[int, ...] = ()
        taken: tuple[int, ...] = ()
        for near in self.near[point]:
            colour = stones[near]
            if not colour:
                free += 1
            elif colour != BORDER:
                root = head[near]
                while (above := head[root]) != root:
                    root = above
                liberties[root] = count = liberties[root] - 1
                if colour != own:
                    if not count:
                        taken = (*taken, root)
                elif root not in friends:
                    friends = (*friends, root)
        self.key ^= self.keys[seat][point]
        if friends:
            root = friends[0]
            joined = self._join(friends) if len(friends) > 1 else ()
            if joined:
                root = self._root(root)
            head[point] = root
            liberties[root] = free = liberties[root] + free
        else:
            head[point] = root = point
            liberties[point] = free
            joined = ()
        if not free and not taken:
            # GoProtocol, "Rules": suicide is allowed and takes the own group off.
            taken = (root,)
        if taken or joined:
            removals = tuple([self._remove(root) for root in taken])
            self.changes.append((self.ply + 1, joined, removals))

    def _join(self, roots: tuple[int, ...]) -> tuple[int, ...]:
        """Make one chain of several; the roots that no longer are one, in the order of joining.

        The root with the larger key stays: keys are as good as random, so paths stay short.
        """
        head, liberties, keys = self.head, self.liberties, self.keys[0]
        root = roots[0]
        joined = []
        for other in roots[1:]:
            if keys[other] > keys[root]:
                root, other = other, root
            head[other] = root
            liberties[root] += liberties[other]
            joined.append(other)
        return tuple(joined)

    def _remove(self, root: int) -> Removal:
        stones, width = self.stones, self.width
        colour = stones[root]
        seat = colour - 1
        keys = self.keys[seat]
        stones[root] = EMPTY
        cells = [root]
        beside = []
        for cell in cells:  # Grows while it is read.
            self.key ^= keys[cell]
            for near in (cell - width, cell - 1, cell + 1, cell + width):
                if stones[near] == colour:
                    stones[near] = EMPTY
                    cells.append(near)
                elif stones[near] not in (EMPTY, BORDER):
                    beside.append(near)
        for near in beside:
            self.liberties[self._root(near)] += 1
        self.captured[seat] += len(cells)
        heads, counts = self.head, self.liberties
        return Removal(
            seat, cells, [heads[cell] for cell in cells], [counts[cell] for cell in cells]
        )

    def _lift(self, point: int) -> None:
        """Take back the stone of move `ply + 1` with all that it did."""
        joined: tuple[int, ...] = ()
        if self.changes and self.changes[-1][0] == self.ply + 1:
            _, joined, removals = self.changes.pop()
            for removal in reversed(removals):
                self._restore(removal)
        stones, head, liberties, width = self.stones, self.head, self.liberties, self.width
        around = (point - width, point - 1, point + 1, point + width)
        root = head[point]
        if root != point:
            liberties[root] -= sum(stones[near] == EMPTY for near in around)
        for other in reversed(joined):
            liberties[head[other]] -= liberties[other]
            head[other] = other
        for near in around:
            if stones[near] not in (EMPTY, BORDER):
                liberties[self._root(near)] += 1
        self.key ^= self.keys[stones[point] - 1][point]
        stones[point] = EMPTY

    def _restore(self, removal: Removal) -> None:
        seat, cells, heads, counts = removal
        stones, width = self.stones, self.width
        colour = seat + 1
        keys = self.keys[seat]
        for cell, head, count in zip(cells, heads, counts, strict=True):
            stones[cell] = colour
            self.head[cell] = head
            self.liberties[cell] = count
            self.key ^= keys[cell]
        for cell in cells:
            for near in (cell - width, cell - 1, cell + 1, cell + width):
                if stones[near] not in (EMPTY, BORDER, colour):
                    self.liberties[self._root(near)] -= 1
        self.captured[seat] -= len(cells)
