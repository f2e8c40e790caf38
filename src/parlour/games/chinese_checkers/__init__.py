"""Chinese checkers for two to six players, with the axes and zones of the RUC course network."""

from parlour.games.chinese_checkers._game import ChineseCheckers
from parlour.games.chinese_checkers._options import Options
from parlour.games.chinese_checkers._position import Position
from parlour.games.chinese_checkers._star import CELLS, DISTANCES, TARGETS, ZONES

__all__ = [
    "CELLS",
    "DISTANCES",
    "TARGETS",
    "ZONES",
    "ChineseCheckers",
    "Options",
    "Position",
]
