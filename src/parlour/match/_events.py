"""What can happen to a match, as recorded: a closed union of facts.

The tag of an event is its name and its schema version, as in `MovePlayed/1`. A changed shape
gets a new version beside the old one; what was written once is read for ever.
"""

import enum
from typing import Any

from msgspec import Struct

from parlour.games import Outcome, Seat
from parlour.match._clock import TimeControl
from parlour.match._terms import Terms


class Visibility(enum.StrEnum):
    """Who finds the match."""

    PUBLIC = "public"
    HIDDEN = "hidden"  # only those who know its name or address


class ForfeitCause(enum.StrEnum):
    """Why a seat was lost. Each protocol says it in its own words."""

    RESIGNED = "resigned"
    ILLEGAL_MOVE = "illegal-move"
    OUT_OF_TURN = "out-of-turn"
    TIME = "time"
    ABSENCE = "absence"
    LEFT = "left"
    RESTART = "restart"
    OPERATOR = "operator"


class Pause(enum.StrEnum):
    """Why a match is suspended."""

    RESTART = "restart"
    ABSENCE = "absence"
    VACANCY = "vacancy"


class AbortCause(enum.StrEnum):
    """Why a match ended without a result."""

    EMPTY = "empty"  # everybody left, before the start or from a suspended game
    RESTART = "restart"  # nobody at the table could come back
    OPERATOR = "operator"
    STRANGER = "stranger"  # who sat down had gone or spoke no protocol of ours; nobody has moved


class Fork(Struct, frozen=True):
    """The match and the version in it that another match continues from."""

    stream: str
    version: int


def _tag(name: str) -> str:
    return f"{name}/1"


class _Event(Struct, frozen=True, gc=False, tag_field="type", tag=_tag, omit_defaults=True):
    at: int  # milliseconds since the Unix epoch


class MatchCreated(_Event, frozen=True, tag=_tag):
    """A table was opened. `opening` lists moves that stand on the board from the start.

    `lock` is what the gateway that opened it lets in by, in words of its own that leave the server
    nowhere; `rematch_of` names the finished match whose players sit here again.
    """

    game: str
    options: dict[str, Any]
    room: str = ""
    visibility: Visibility = Visibility.PUBLIC
    control: TimeControl = TimeControl()
    opening: tuple[str, ...] = ()
    fork_of: Fork | None = None
    rematch_of: str = ""
    lock: str = ""


class SeatTaken(_Event, frozen=True, tag=_tag):
    """Somebody sat down. `identity` is the secret key, `name` what others see."""

    seat: Seat
    identity: str
    name: str
    terms: Terms = Terms()


class SeatLeft(_Event, frozen=True, tag=_tag):
    """The seat is free again."""

    seat: Seat


class SeatReady(_Event, frozen=True, tag=_tag):
    """The player of the seat wants to begin, or no longer does."""

    seat: Seat
    ready: bool = True


class MatchStarted(_Event, frozen=True, tag=_tag):
    """The first position stands. Seat i of the game is sat in by the player of `seating[i]`."""

    seating: tuple[Seat, ...]


class MovePlayed(_Event, frozen=True, tag=_tag):
    """A legal move in canonical text."""

    seat: Seat
    move: str


class SeatAway(_Event, frozen=True, tag=_tag):
    """The player of the seat cannot be reached."""

    seat: Seat


class SeatBack(_Event, frozen=True, tag=_tag):
    """The player of the seat can be reached again."""

    seat: Seat


class Suspended(_Event, frozen=True, tag=_tag):
    """No turns and no clocks until `Resumed`; `until` is when a restart's pause ends by itself."""

    pause: Pause
    until: int = 0


class Resumed(_Event, frozen=True, tag=_tag):
    """The game goes on."""


class SeatForfeited(_Event, frozen=True, tag=_tag):
    """The seat is out of the game; `detail` is a sentence about the cause, or empty."""

    seat: Seat
    cause: ForfeitCause
    detail: str = ""


class MatchEnded(_Event, frozen=True, tag=_tag):
    """The game has a result."""

    outcome: Outcome


class MatchAborted(_Event, frozen=True, tag=_tag):
    """The match is over and has no result."""

    cause: AbortCause
    detail: str = ""


Event = (
    MatchCreated
    | SeatTaken
    | SeatLeft
    | SeatReady
    | MatchStarted
    | MovePlayed
    | SeatAway
    | SeatBack
    | Suspended
    | Resumed
    | SeatForfeited
    | MatchEnded
    | MatchAborted
)
