"""What a terminal client is: a pure object between a connection and somebody who types."""

from typing import Protocol

from msgspec import Struct


class Step(Struct, frozen=True):
    """What one input leads to: bytes for the server, text for the person, and whether it ends.

    `failed` says of an end that it came before its time: the connection is lost, for example.
    """

    send: bytes = b""
    show: str = ""
    done: bool = False
    failed: bool = False


class LineClient(Protocol):
    """One player's end of a protocol, for a terminal. `parlour play` pumps bytes and lines."""

    def connected(self) -> Step:
        """The connection stands."""

    def received(self, data: bytes) -> Step:
        """Bytes came from the server, however they were chopped."""

    def typed(self, line: str) -> Step:
        """The person typed a line, given without its end."""

    def lost(self) -> Step:
        """The server closed the connection."""
