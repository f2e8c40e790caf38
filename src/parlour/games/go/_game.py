"""The constants of Go."""

from parlour.games import Seating
from parlour.games.go._board import Board
from parlour.games.go._options import Options
from parlour.games.go._position import SEAT_NAMES, Position


class Go:
    """Go for two: black, seat 0, begins (GoProtocol, Nedap University, 2016-2018)."""

    name = "go"
    title = "Go"
    options = Options
    seating = Seating.FIXED

    def capacity(self, options: Options) -> int:
        return len(SEAT_NAMES)

    def can_start(self, options: Options, players: int) -> bool:
        return players == len(SEAT_NAMES)

    def seat_names(self, options: Options, players: int) -> tuple[str, ...]:
        return SEAT_NAMES

    def start(self, options: Options, players: int) -> Position:
        return Position.first(Board(options))
