"""The games this server plays. A new game is added here."""

from parlour.games import AnyGame
from parlour.games.chinese_checkers import ChineseCheckers
from parlour.games.go import Go
from parlour.games.tictactoe import TicTacToe

GAMES: tuple[AnyGame, ...] = (TicTacToe(), Go(), ChineseCheckers())
