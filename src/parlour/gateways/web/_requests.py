"""What browsers say on the WebSocket, as tagged structs."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from parlour.gateways.web._declined import Declined, No
from parlour.match import TimeControl

SAID_LENGTH = 500

Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]
MatchId = Annotated[str, Meta(min_length=1, max_length=64)]
Password = Annotated[str, Meta(max_length=100)]
MoveText = Annotated[str, Meta(min_length=1, max_length=2000)]
SeatNumber = Annotated[int, Meta(ge=0, le=100)]
GameName = Annotated[str, Meta(max_length=64)]


class _Request(Struct, frozen=True, tag_field="type", kw_only=True):
    id: Number | None = None


class Watch(_Request, frozen=True, tag="watch"):
    """Be told of a match, from `after` on or from its whole state."""

    match: MatchId
    after: Annotated[int, Meta(ge=0, le=2**53)] = 0
    password: Password = ""
    preview: bool = False  # a small picture beside others: nobody who looks on


class Unwatch(_Request, frozen=True, tag="unwatch"):
    """Be told no more of it."""

    match: MatchId


class WatchLobby(_Request, frozen=True, tag="watch-lobby"):
    """Be told who plays and who waits."""


class UnwatchLobby(_Request, frozen=True, tag="unwatch-lobby"):
    """Be told no more of that."""


class TakeSeat(_Request, frozen=True, tag="take-seat"):
    """Sit down."""

    match: MatchId
    seat: SeatNumber | None = None
    password: Password = ""


class Leave(_Request, frozen=True, tag="leave"):
    """Give the seat up."""

    match: MatchId


class Ready(_Request, frozen=True, tag="ready"):
    """May begin, or go on."""

    match: MatchId
    ready: bool = True


class Move(_Request, frozen=True, tag="move"):
    """Play a move as number `ply` of the game."""

    match: MatchId
    move: MoveText
    ply: Annotated[int, Meta(ge=0, le=2**53)]


class Resign(_Request, frozen=True, tag="resign"):
    """Lose at once."""

    match: MatchId


class Rematch(_Request, frozen=True, tag="rematch"):
    """Offer, or accept, another game."""

    match: MatchId


class NoRematch(_Request, frozen=True, tag="no-rematch"):
    """Take an offer of another game back, or decline those of others."""

    match: MatchId


class Say(_Request, frozen=True, tag="say"):
    """Say something at a table."""

    match: MatchId
    text: Annotated[str, Meta(min_length=1, max_length=SAID_LENGTH)]


class Seek(_Request, frozen=True, tag="seek"):
    """Find an opponent, whatever protocol they speak."""

    game: GameName
    options: dict[str, Any] = {}
    control: TimeControl = TimeControl()


class StopSeeking(_Request, frozen=True, tag="stop-seeking"):
    """Look no more."""


class Ping(_Request, frozen=True, tag="ping"):
    """Are you there?"""


Request = (
    Watch | Unwatch | WatchLobby | UnwatchLobby | TakeSeat | Leave | Ready | Move | Resign | Rematch
    | NoRematch | Say | Seek | StopSeeking | Ping
)  # fmt: skip

OfSeat = Leave | Ready | Move | Resign  # for those who sit there


class Envelope(Struct, frozen=True):
    """What can be said of a message that is not carried out or cannot be read."""

    id: int | None = None
    match: Any = None


_requests = msgspec.json.Decoder(Request)
_envelopes = msgspec.json.Decoder(Envelope)


def read_request(data: str | bytes) -> Request:
    """One message of a browser.

    Raises:
        Declined: MALFORMED.
    """
    try:
        return _requests.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Declined(No.MALFORMED, f"no message of this protocol: {error}") from None


def envelope(data: str | bytes) -> Envelope:
    """What an answer to a message must name, as far as it is there."""
    try:
        return _envelopes.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Envelope()
