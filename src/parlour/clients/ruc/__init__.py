"""A Chinese checkers player for the terminal."""

from parlour.clients.ruc._line_client import RucLineClient, draw

__all__ = ["RucLineClient", "draw"]
