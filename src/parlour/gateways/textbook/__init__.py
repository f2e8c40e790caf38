"""Textbook tic-tac-toe over a plain socket: four-byte integers, meaning by position."""

from parlour.gateways.textbook._gateway import TextbookGateway, TextbookOptions
from parlour.gateways.textbook._session import TextbookSession

__all__ = ["TextbookGateway", "TextbookOptions", "TextbookSession"]
