"""Tic-tac-toe on boards of 3 to 10 rows and columns with 3 to 10 in a line (m,n,k)."""

from parlour.games.tictactoe._game import TicTacToe
from parlour.games.tictactoe._options import Options
from parlour.games.tictactoe._position import Position

__all__ = ["Options", "Position", "TicTacToe"]
