"""The bodies of the REST calls, as structs."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from parlour.games import Seat
from parlour.gateways.web._requests import GameName, Password, SeatNumber
from parlour.gateways.web._views import ListingView
from parlour.match import TimeControl, Visibility

ROOM_LENGTH = 64

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Room = Annotated[str, Meta(max_length=ROOM_LENGTH)]


class Me(Struct, frozen=True):
    """A guest's name, and the token that writes need."""

    name: str
    token: str


class NewName(Struct, frozen=True):
    """What a guest wants to be called."""

    name: Name


class NewTable(Struct, frozen=True):
    """A table to be opened."""

    game: GameName
    options: dict[str, Any] = {}
    control: TimeControl = TimeControl()
    visibility: Visibility = Visibility.PUBLIC
    room: Room = ""
    password: Password = ""
    seat: SeatNumber | None = None


class Opened(Struct, frozen=True):
    """The table's match."""

    id: str


class GameInfo(Struct, frozen=True):
    """A game and the JSON Schema of its options."""

    name: str
    title: str
    seating: str
    players: tuple[int, ...]
    seats: tuple[str, ...]
    options: dict[str, Any]


class Games(Struct, frozen=True):
    """Every game that can be played here."""

    games: tuple[GameInfo, ...]


class ProtocolInfo(Struct, frozen=True):
    """Where a protocol is spoken, and which games it can express."""

    name: str
    host: str
    port: int
    games: tuple[str, ...]
    tls: bool = False


class Protocols(Struct, frozen=True):
    """Every other door of the server."""

    protocols: tuple[ProtocolInfo, ...]


class Listings(Struct, frozen=True):
    """Some of `total` matches."""

    matches: tuple[ListingView, ...]
    total: int


class LegalMoves(Struct, frozen=True):
    """The moves of whoever is in turn."""

    version: int
    turn: Seat | None
    moves: tuple[str, ...]


class Problem(Struct, frozen=True):
    """Why a request was not carried out."""

    refusal: str
    detail: str
