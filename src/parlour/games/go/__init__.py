"""Go by area on odd boards of 5 to 131, with suicide and positional superko."""

from parlour.games.go._drawing import read
from parlour.games.go._game import Go
from parlour.games.go._options import Options
from parlour.games.go._position import Position

__all__ = ["Go", "Options", "Position", "read"]
