"""One position of Go: a place in a line of play, seen through the board of its game."""

import re
from collections.abc import Iterator
from typing import NoReturn, Self

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import Cause, Outcome, Refusal, Refused, Seat, malformed
from parlour.games.go._area import area
from parlour.games.go._board import Board
from parlour.games.go._keys import SEATS
from parlour.games.go._line import PASS, Line
from parlour.games.go._options import Options

SEAT_NAMES = ("black", "white")
SYMBOLS = ".XO"  # Indexed by what a cell of the board holds: nothing, or a seat + 1.
# A minus is read so that a point beyond the left or upper edge is off the board like any other.
MOVE = re.compile(r"(?:0|-?[1-9][0-9]{0,3}),(?:0|-?[1-9][0-9]{0,3})", re.ASCII)


class Position(Struct, frozen=True, eq=False, gc=False):
    """Where a game stands after move `ply`. Two are equal when the same moves led to them.

    The positions of one game share a mutable board that goes to whichever is asked. What a
    position says never changes, but all positions of one game must stay in one thread.
    """

    _board: Board
    _line: Line
    ply: int
    turn: Seat | None
    outcome: Outcome | None = None

    @classmethod
    def first(cls, board: Board) -> Self:
        """The start of a game on a board that nothing was played on."""
        return cls(board, board.line, 0, 0)

    @property
    def options(self) -> Options:
        return self._board.options

    @property
    def last(self) -> str | None:
        """The newest move; None before the first."""
        for point in self._line.backwards(self.ply):
            return self._text(point)
        return None

    @property
    def captured(self) -> tuple[int, ...]:
        """How many stones each seat has lost so far, by suicide too."""
        return tuple(self._there().captured)

    def moves(self) -> list[str]:
        if self.turn is None:
            return []
        board = self._there()
        return [self._text(point) for point in board.empty() if board.legal(point)] + ["pass"]

    def play(self, move: str) -> Self:
        seat = self.turn
        if seat is None:
            raise Refused(Refusal.MALFORMED_MOVE, f"{move} comes after the end of the game")
        if move == "pass":
            return self._pass(seat)
        board, line, ply = self._board, self._line, self.ply
        point = board.points.get(move, PASS)
        if point == PASS:
            self._refuse(move)
        points = line.points
        played = ply - line.start
        grows = played == len(points)
        turn = (seat + 1) % SEATS
        if not grows and points[played] == point:
            return self.__class__(board, line, ply + 1, turn)  # Found legal before.
        if board.line is not line or board.ply != ply:
            board.go_to(line, ply)
        if board.stones[point]:
            self._refuse_occupied(move, point)
        then = board.stand(point)
        if then is not None:
            raise Refused(Refusal.ILLEGAL_MOVE, f"superko: repeats the position after move {then}")
        if grows:
            points.append(point)
        else:
            board.line = line = line.extended(ply, point)
        board.ply = ply = ply + 1
        return self.__class__(board, line, ply, turn)

    def without(self, seat: Seat) -> Self:
        if not self.playing(seat):
            return self
        others = tuple(other for other in range(SEATS) if other != seat)
        causes = tuple(
            Cause.LEFT if other == seat else Cause.LAST_STANDING for other in range(SEATS)
        )
        outcome = Outcome(ranking=(others, (seat,)), causes=causes)
        return replace(self, turn=None, outcome=outcome)

    def playing(self, seat: Seat) -> bool:
        return self.turn is not None and 0 <= seat < SEATS

    def scores(self) -> tuple[int, ...]:
        """The area of each seat if the game ended here."""
        return area(bytes(self._there().stones), self._board.width)

    def stone(self, x: int, y: int) -> Seat | None:
        """Whose stone is on the point, counted from 0 at the top left; None when it is empty.

        Raises:
            IndexError: the point is off the board.
        """
        if not (0 <= x < self.options.size and 0 <= y < self.options.size):
            raise IndexError(f"point {x},{y} is off a board of {self.options.size}")
        board = self._there()
        cell = board.stones[(y + 1) * board.width + x]
        return cell - 1 if cell else None

    def stones(self, seat: Seat) -> tuple[str, ...]:
        """The points that a seat's stones are on, row by row, written as moves are."""
        board = self._there()
        cells, colour = board.stones, seat + 1
        return tuple([move for move, point in board.points.items() if cells[point] == colour])

    def board(self) -> tuple[tuple[Seat | None, ...], ...]:
        """All rows from the top, each from the left."""
        owners = (None, *range(SEATS))
        return tuple(tuple(owners[cell] for cell in row) for row in self._rows())

    def diagram(self) -> str:
        """Rows of `.`, `X` for black and `O` for white."""
        return "\n".join(" ".join(SYMBOLS[cell] for cell in row) for row in self._rows())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._story() == other._story()

    def __hash__(self) -> int:
        return hash(self._story())

    def _story(self) -> tuple[Options, Outcome | None, tuple[int, ...]]:
        return self.options, self.outcome, tuple(self._line.backwards(self.ply))

    def _there(self) -> Board:
        """The shared board, standing at this position."""
        board = self._board
        if board.line is not self._line or board.ply != self.ply:
            board.go_to(self._line, self.ply)
        return board

    def _rows(self) -> Iterator[bytes]:
        board = self._there()
        size, width = self.options.size, board.width
        stones = bytes(board.stones)
        return (stones[start : start + size] for start in range(width, width * width, width))

    def _text(self, point: int) -> str:
        if point == PASS:
            return "pass"
        y, x = divmod(point, self._board.width)
        return f"{x},{y - 1}"

    def _pass(self, seat: Seat) -> Self:
        line = self._line
        # GoProtocol, README: white has the last pass, so white and then black end nothing.
        may_end = self.options.end == "any" or seat == SEATS - 1
        outcome = self._judge() if may_end and line.passed(self.ply) else None
        line = line.extended(self.ply, PASS)
        turn = (seat + 1) % SEATS if outcome is None else None
        return type(self)(self._board, line, self.ply + 1, turn, outcome)

    def _judge(self) -> Outcome:
        scores = self.scores()
        ranking = tuple(
            tuple(seat for seat in range(SEATS) if scores[seat] == score)
            for score in sorted(set(scores), reverse=True)
        )
        return Outcome(ranking=ranking, causes=(Cause.AREA,) * SEATS, scores=scores)

    def _refuse(self, move: str) -> NoReturn:
        if MOVE.fullmatch(move) is None:
            raise malformed(move, "x,y as in 2,0 or pass")
        raise Refused(
            Refusal.ILLEGAL_MOVE, f"point {move} is off a board of size {self.options.size}"
        )

    def _refuse_occupied(self, move: str, point: int) -> NoReturn:
        owner = SEAT_NAMES[self._board.stones[point] - 1]
        raise Refused(Refusal.ILLEGAL_MOVE, f"point {move} is occupied by {owner}")
