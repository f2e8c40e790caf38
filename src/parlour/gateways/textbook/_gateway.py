"""The textbook protocol's door: its options, and a session for each connection."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from parlour.gateways.textbook._session import TextbookSession


class TextbookOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What an operator can set for textbook tic-tac-toe."""

    turn_limit: Annotated[
        int, Meta(ge=0, le=86_400, description="seconds for one move; 0: no limit")
    ] = 300


class TextbookGateway:
    """Makes sessions; players have no names, so each connection is somebody new."""

    def __init__(self, options: TextbookOptions, new_id: Callable[[], str]) -> None:
        self._options = options
        self._new_id = new_id

    def session(self, address: str) -> TextbookSession:
        """The session of a connection from `address`."""
        key = self._new_id()
        return TextbookSession(
            identity=f"textbook:{key}",
            name=f"player-{key[:4]}",
            turn_limit=self._options.turn_limit * 1000,
        )
