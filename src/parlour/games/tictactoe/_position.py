"""One position of m,n,k: marks on a board of up to ten by ten, kept as two bit boards."""

import re
from collections.abc import Iterator
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import Cause, Outcome, Refusal, Refused, Seat, malformed
from parlour.games.tictactoe._options import Options

MOVE = re.compile(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?)", re.ASCII)
MARKS = "XO"
BOTH = (0, 1)


class Position(Struct, frozen=True, gc=False):
    """Marks on the board. Bit `y * (cols + 1) + x` of `marks[seat]` is that seat's mark.

    The spare column on the right stays empty, so that a line never runs on from one row's
    end into the next row.
    """

    options: Options
    marks: tuple[int, int] = (0, 0)
    turn: Seat | None = 0
    outcome: Outcome | None = None

    @property
    def ply(self) -> int:
        return (self.marks[0] | self.marks[1]).bit_count()

    def moves(self) -> Iterator[str]:
        if self.turn is None:
            return
        taken = self.marks[0] | self.marks[1]
        for y in range(self.options.rows):
            for x in range(self.options.cols):
                if not taken >> self._bit(x, y) & 1:
                    yield f"{x},{y}"

    def play(self, move: str) -> Self:
        seat = self.turn
        if seat is None:
            raise Refused(Refusal.MALFORMED_MOVE, "the game is over")
        x, y = self._cell(move)
        owner = self.mark(x, y)
        if owner is not None:
            raise Refused(Refusal.ILLEGAL_MOVE, f"cell {move} is taken by {MARKS[owner]}")
        own = self.marks[seat] | 1 << self._bit(x, y)
        marks = (own, self.marks[1]) if seat == 0 else (self.marks[0], own)
        outcome = self._judge(seat, marks)
        return replace(self, marks=marks, turn=None if outcome else 1 - seat, outcome=outcome)

    def without(self, seat: Seat) -> Self:
        if not self.playing(seat):
            return self
        causes = (Cause.LEFT, Cause.LAST_STANDING)
        outcome = Outcome(
            ranking=((1 - seat,), (seat,)), causes=causes if seat == 0 else causes[::-1]
        )
        return replace(self, turn=None, outcome=outcome)

    def playing(self, seat: Seat) -> bool:
        return self.turn is not None and seat in BOTH

    def mark(self, x: int, y: int) -> Seat | None:
        """Whose mark is on the cell, counted from 0 at the top left; None when it is empty."""
        bit = self._bit(x, y)
        for seat in BOTH:
            if self.marks[seat] >> bit & 1:
                return seat
        return None

    def cells(self) -> Iterator[tuple[int, int, Seat]]:
        """Column, row and owner of every mark, row by row."""
        first, second = self.marks
        cols = self.options.cols
        taken = first | second
        while taken:
            lowest = taken & -taken
            taken ^= lowest
            y, x = divmod(lowest.bit_length() - 1, cols + 1)
            yield x, y, 0 if first & lowest else 1

    def diagram(self) -> str:
        """Rows of `.`, `X` and `O`; X is seat 0 whoever begins."""
        return "\n".join(
            " ".join(self._symbol(x, y) for x in range(self.options.cols))
            for y in range(self.options.rows)
        )

    def _symbol(self, x: int, y: int) -> str:
        owner = self.mark(x, y)
        return "." if owner is None else MARKS[owner]

    def _bit(self, x: int, y: int) -> int:
        return y * (self.options.cols + 1) + x

    def _cell(self, move: str) -> tuple[int, int]:
        match = MOVE.fullmatch(move)
        if match is None:
            raise malformed(move, "x,y as in 2,0")
        x, y = int(match[1]), int(match[2])
        rows, cols = self.options.rows, self.options.cols
        if x >= cols or y >= rows:
            raise Refused(
                Refusal.ILLEGAL_MOVE, f"cell {move} is off a board of {rows} rows and {cols} cols"
            )
        return x, y

    def _judge(self, seat: Seat, marks: tuple[int, int]) -> Outcome | None:
        """Win before draw, and only the last mover can have completed a line."""
        if self._has_line(marks[seat]):
            return Outcome(ranking=((seat,), (1 - seat,)), causes=(Cause.LINE, Cause.LINE))
        if (marks[0] | marks[1]).bit_count() == self.options.rows * self.options.cols:
            return Outcome(ranking=(BOTH,), causes=(Cause.BOARD_FULL, Cause.BOARD_FULL))
        return None

    def _has_line(self, marks: int) -> bool:
        """Whether `strike` or more marks stand in a row, a column or on a diagonal."""
        width = self.options.cols + 1
        for step in (1, width, width + 1, width - 1):
            line = marks
            for _ in range(self.options.strike - 1):
                line &= line >> step
            if line:
                return True
        return False
