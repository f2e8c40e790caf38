"""What browsers hear on the WebSocket, as tagged structs."""

from typing import Any

from msgspec import Struct

from parlour.games import Seat
from parlour.gateways.web._views import (
    EventView,
    ListingView,
    MatchView,
    RematchView,
    SeekView,
)


class SeekShown(Struct, frozen=True):
    """What a guest looks for."""

    game: str
    options: dict[str, Any]


class ChatLineView(Struct, frozen=True):
    """A line of chat; `seat` is None for onlookers, `name` empty for the server itself."""

    name: str
    seat: Seat | None
    protocol: str
    text: str
    at: int


class Counts(Struct, frozen=True):
    """How many there are, those that are not listed too."""

    open: int
    live: int
    seeking: int
    online: dict[str, int]


class _Told(Struct, frozen=True, tag_field="type"):
    pass


class Welcome(_Told, frozen=True, tag="welcome"):
    """The first message of a connection."""

    name: str | None
    now: int
    epoch: str
    seats: tuple[str, ...]
    seeking: SeekShown | None


class MatchState(_Told, frozen=True, tag="match"):
    """The whole state of a match."""

    match: MatchView
    now: int


class Events(_Told, frozen=True, tag="events"):
    """What happened, in order."""

    match: str
    version: int
    events: tuple[EventView, ...]


class You(_Told, frozen=True, tag="you"):
    """Where the reader sits."""

    match: str
    version: int
    seat: Seat | None


class Watchers(_Told, frozen=True, tag="watchers"):
    """How many look on without sitting there."""

    match: str
    count: int


class ChatLines(_Told, frozen=True, tag="chat"):
    """Lines of chat; with `history` all there are."""

    match: str
    history: bool
    lines: tuple[ChatLineView, ...]


class RematchOffered(_Told, frozen=True, tag="rematch"):
    """Who wants another game, and who does not."""

    match: str
    rematch: RematchView


class LobbyState(_Told, frozen=True, tag="lobby"):
    """The whole lobby. `draining`: no game begins, the server is about to stop."""

    version: int
    open: tuple[ListingView, ...]
    live: tuple[ListingView, ...]
    seeks: tuple[SeekView, ...]
    counts: Counts
    draining: bool


class LobbyChanged(_Told, frozen=True, tag="lobby-changed"):
    """What is different in the lobby; `seeks` None: as before.

    `over` says of those `gone` that have ended how they did.
    """

    version: int
    put: tuple[ListingView, ...]
    gone: tuple[str, ...]
    over: tuple[ListingView, ...]
    seeks: tuple[SeekView, ...] | None
    counts: Counts
    draining: bool


class Waiting(_Told, frozen=True, tag="waiting"):
    """Nobody to play with yet."""

    game: str
    id: int | None = None


class Paired(_Told, frozen=True, tag="paired"):
    """An opponent was found."""

    match: str


class Seeking(_Told, frozen=True, tag="seeking"):
    """The guest's seek has begun or ended."""

    seek: SeekShown | None


class Done(_Told, frozen=True, tag="done"):
    """The request is carried out."""

    id: int | None
    match: str | None


class RefusedRequest(_Told, frozen=True, tag="refused"):
    """The request is not carried out, and nothing has changed."""

    id: int | None
    match: str | None
    refusal: str
    detail: str


class Pong(_Told, frozen=True, tag="pong"):
    """The server is there."""

    now: int
    id: int | None = None


class Notice(_Told, frozen=True, tag="notice"):
    """The operator says something to everybody."""

    text: str


class Restarting(_Told, frozen=True, tag="restarting"):
    """The server stops; come back in a moment."""


Told = (
    Welcome | MatchState | Events | You | Watchers | ChatLines | RematchOffered | LobbyState
    | LobbyChanged | Waiting | Paired | Seeking | Done | RefusedRequest | Pong | Notice
    | Restarting
)  # fmt: skip
