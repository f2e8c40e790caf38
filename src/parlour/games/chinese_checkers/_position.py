"""One position of Chinese checkers: the pieces of two to six seats, as bit boards."""

from typing import Self

from msgspec import Struct

from parlour.games import Outcome, Refusal, Refused, Seat
from parlour.games.chinese_checkers._moves import can_move, find_moves, follow
from parlour.games.chinese_checkers._options import Options
from parlour.games.chinese_checkers._ranking import distance_home, pieces_home, rank
from parlour.games.chinese_checkers._star import CELLS, GOALS, TIP, Cell, numbers

COLUMNS = 25  # a cell (x, y) is drawn in column 2x + y, counted from the middle one


class Position(Struct, frozen=True, gc=False):
    """Pieces on the star, and how the race stands.

    `zones` and `pieces` are indexed by seat; bit n of `pieces[seat]` is a piece on `CELLS[n]`.
    `finished` lists the seats whose pieces are home, `lost` those taken out, both in order.
    `round` counts from 1; a new one begins whenever the turn comes round to an earlier seat.
    """

    options: Options
    zones: tuple[str, ...]
    pieces: tuple[int, ...]
    turn: Seat | None = 0
    outcome: Outcome | None = None
    ply: int = 0
    round: int = 1
    finished: tuple[Seat, ...] = ()
    lost: tuple[Seat, ...] = ()

    def moves(self) -> list[str]:
        """One shortest path for every piece and every cell it can reach."""
        if self.turn is None:
            return []
        return find_moves(self.pieces[self.turn], union(self.pieces))

    def play(self, move: str) -> Self:
        """Accepts any valid path of up to 121 cells, not only the shortest.

        Raises:
            Refused: ILLEGAL_MOVE with the hop that fails, MALFORMED_MOVE when the text is not
                canonical or the game is over.
        """
        seat = self.turn
        if seat is None:
            raise Refused(Refusal.MALFORMED_MOVE, "the game is over")
        own = self.pieces[seat]
        own ^= follow(move, own, union(self.pieces))
        pieces = (*self.pieces[:seat], own, *self.pieces[seat + 1 :])
        finished = self._arrivals(pieces)
        return self._go_on(seat + 1, pieces, finished, self.lost, self.ply + 1)

    def without(self, seat: Seat) -> Self:
        """The pieces of `seat` leave the board; the turn passes on if it was theirs."""
        if self.turn is None or not self.playing(seat):
            return self
        first = seat + 1 if seat == self.turn else self.turn
        pieces = (*self.pieces[:seat], 0, *self.pieces[seat + 1 :])
        return self._go_on(first, pieces, self.finished, (*self.lost, seat), self.ply)

    def playing(self, seat: Seat) -> bool:
        return (
            self.turn is not None
            and 0 <= seat < len(self.zones)
            and seat not in self.finished
            and seat not in self.lost
        )

    def cells(self, seat: Seat) -> tuple[Cell, ...]:
        """Where the pieces of `seat` stand, in reading order."""
        return tuple(CELLS[number] for number in numbers(self.pieces[seat]))

    def home(self, seat: Seat) -> int:
        """How many pieces of `seat` stand in its target."""
        return pieces_home(self.zones[seat], self.pieces[seat])

    def distance(self, seat: Seat) -> int:
        """The steps from each piece of `seat` to the nearest target cell, added up."""
        return distance_home(self.zones[seat], self.pieces[seat])

    def diagram(self) -> str:
        """The star with a letter for each piece, its zone of origin, and `.` for free cells."""
        letters = {cell: zone for seat, zone in enumerate(self.zones) for cell in self.cells(seat)}
        lines = []
        for row in range(TIP, -TIP - 1, -1):
            line = [" "] * COLUMNS
            for x, y in CELLS:
                if y == row:
                    line[2 * x + y + COLUMNS // 2] = letters.get((x, y), ".")
            lines.append("".join(line).rstrip())
        return "\n".join(lines)

    def _arrivals(self, pieces: tuple[int, ...]) -> tuple[Seat, ...]:
        """`finished` and every seat that is home now.

        A foreign piece can complete a `full` target, so all seats are looked at. One move
        fills one cell of one target, so there is at most one newcomer.
        """
        finished = self.finished
        for seat in range(len(pieces)):
            if seat not in finished and seat not in self.lost and self._is_home(seat, pieces):
                finished = (*finished, seat)
        return finished

    def _is_home(self, seat: Seat, pieces: tuple[int, ...]) -> bool:
        goal = GOALS[self.zones[seat]]
        if self.options.blocked_target == "strict":
            return pieces[seat] | goal == goal
        return goal & pieces[seat] != 0 and goal & ~union(pieces) == 0

    def _go_on(
        self,
        first: Seat,
        pieces: tuple[int, ...],
        finished: tuple[Seat, ...],
        lost: tuple[Seat, ...],
        ply: int,
    ) -> Self:
        """Pass the turn to the first seat from `first` on that can move, or end the game.

        It ends when one seat is left, when the rounds are used up, or when none of those still
        on the way can move.
        """
        seats = len(pieces)
        turn, round_ = None, self.round
        if len(finished) + len(lost) < seats - 1:
            occupied = union(pieces)
            for place in range(first, first + seats):
                seat = place % seats
                if seat not in finished and seat not in lost and can_move(pieces[seat], occupied):
                    turn, round_ = seat, self.round + place // seats
                    break
            if round_ > self.options.max_rounds:
                turn, round_ = None, self.round
        outcome = rank(self.zones, pieces, finished, lost) if turn is None else None
        return type(self)(
            self.options, self.zones, pieces, turn, outcome, ply, round_, finished, lost
        )


def union(boards: tuple[int, ...]) -> int:
    """All the cells of several bit boards."""
    cells = 0
    for board in boards:
        cells |= board
    return cells
