"""The clients' ends of the protocols: for the terminal, for bots and for tests."""

from parlour.clients._line_client import LineClient, Step

__all__ = ["LineClient", "Step"]
