"""What a browser's session wants done; `_connection.py` does it."""

from typing import Any

from msgspec import Struct

from parlour.gateways.web._requests import TakeSeat, Watch
from parlour.gateways.web._told import Told
from parlour.lobby import Seek


class Tell(Struct, frozen=True):
    """Send a message to this connection."""

    message: Told


class Ask(Struct, frozen=True):
    """Ask for a command. The answer is `accepted` or `refused`."""

    id: int | None
    stream: str
    command: Any


class Knock(Struct, frozen=True):
    """Look at the password of a request. The answer is `knocked`; nothing is heard before it."""

    request: Watch | TakeSeat


class WatchMatch(Struct, frozen=True):
    """Be told of a match past version `after`, or of its whole state. The answer is `opened`."""

    id: int | None
    stream: str
    after: int


class UnwatchMatch(Struct, frozen=True):
    """Be told no more of it."""

    stream: str


class WatchLobby(Struct, frozen=True):
    """Be told of the lobby."""


class UnwatchLobby(Struct, frozen=True):
    """Be told no more of it."""


class Find(Struct, frozen=True):
    """Look for an opponent; all connections of the guest hear of it."""

    id: int | None
    seek: Seek


class StopFinding(Struct, frozen=True):
    """Look no more."""


class Say(Struct, frozen=True):
    """Say something at a table."""

    stream: str
    text: str


class OfferRematch(Struct, frozen=True):
    """Offer or accept another game; the answer is `done` or `declined`."""

    id: int | None
    stream: str


class EndRematch(Struct, frozen=True):
    """Withdraw the offer of another game, or decline it; the answer is `done` or `declined`."""

    id: int | None
    stream: str


class Close(Struct, frozen=True):
    """End the connection with a code of RFC 6455."""

    code: int


Effect = (
    Tell | Ask | Knock | WatchMatch | UnwatchMatch | WatchLobby | UnwatchLobby | Find | StopFinding
    | Say | OfferRematch | EndRematch | Close
)  # fmt: skip
