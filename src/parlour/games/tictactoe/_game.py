"""The constants of tic-tac-toe."""

from parlour.games import Seating
from parlour.games.tictactoe._options import Options
from parlour.games.tictactoe._position import Position

SEAT_NAMES = ("x", "o")


class TicTacToe:
    """m,n,k: two roles, x and o (Tic-tac-toe document, section 4)."""

    name = "tictactoe"
    title = "Tic-tac-toe"
    options = Options
    seating = Seating.FIXED

    def capacity(self, options: Options) -> int:
        return 2

    def can_start(self, options: Options, players: int) -> bool:
        return players == 2

    def seat_names(self, options: Options, players: int) -> tuple[str, ...]:
        return SEAT_NAMES

    def start(self, options: Options, players: int) -> Position:
        return Position(options, turn=SEAT_NAMES.index(options.first))
