"""Go over text lines: the client's end, for terminals, bots and tests."""

from parlour.clients.nedap._line_client import NedapLineClient
from parlour.clients.nedap._session import NedapClient, Phase

__all__ = ["NedapClient", "NedapLineClient", "Phase"]
