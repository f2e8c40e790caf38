"""The composition root and the commands: the only code that names stores, buses and gateways."""

from parlour.cli._games import GAMES
from parlour.cli._main import main

__all__ = ["GAMES", "main"]
