"""Who looks for whom, in memory only."""

from parlour.lobby._lobby import Lobby, Pairing, Seek

__all__ = ["Lobby", "Pairing", "Seek"]
