"""A textbook tic-tac-toe player for the terminal."""

from parlour.clients.textbook._line_client import TextbookLineClient

__all__ = ["TextbookLineClient"]
