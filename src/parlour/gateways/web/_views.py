"""The shapes in which matches reach a browser: `docs/reference/web-api.md`, Match and Events."""

import enum
from typing import Any

from msgspec import Struct, field

from parlour.games import Outcome, Seat
from parlour.match import AbortCause, ForfeitCause, Pause, Status, TimeControl, Visibility
from parlour.wire import clean

NAME_SHOWN = 64
TEXT_SHOWN = 1000

Cells = tuple[tuple[str, ...], ...]
"""For each seat the cells that its pieces are on, as canonical text."""

Changes = dict[str, Seat | None]
"""Cells whose holder has changed: a seat, or None where a cell is empty now."""


class PlayerView(Struct, frozen=True):
    """Who sits in a seat. `grace` is how many ms an absence may last."""

    name: str
    protocol: str
    ready: bool
    away_since: int | None
    grace: int


class SeatView(Struct, frozen=True):
    """A seat; its name is empty while seats are mere chairs."""

    name: str
    player: PlayerView | None


class ClockView(Struct, frozen=True):
    """Milliseconds and byo-yomi periods left by seat; `running` thinks since `since`."""

    left: tuple[int, ...]
    periods: tuple[int, ...]
    running: Seat | None
    since: int
    spent: int


class Situation(Struct, frozen=True):
    """All that changes with time."""

    status: Status
    turn: Seat | None
    ply: int
    clock: ClockView | None
    deadline: int | None
    pause: Pause | None
    pause_until: int | None


class MoveView(Struct, frozen=True):
    """A move that was played."""

    seat: Seat
    move: str
    at: int
    changes: Changes | None = field(name="set")


class ForfeitView(Struct, frozen=True):
    """A seat that was lost after so many moves."""

    seat: Seat
    cause: ForfeitCause
    detail: str
    after_moves: int
    at: int
    changes: Changes | None = field(name="set")


class AbortView(Struct, frozen=True):
    """Why there is no result."""

    cause: AbortCause
    detail: str


class OfferEnd(enum.StrEnum):
    """Why an offer stands no more: its giver or somebody who was asked said so, or was gone."""

    WITHDRAWN = "withdrawn"
    DECLINED = "declined"
    LEFT = "left"


class EndedView(Struct, frozen=True):
    """Who ended an offer, or all of them."""

    seat: Seat
    cause: OfferEnd


class RematchView(Struct, frozen=True):
    """Who wants another game; `match` is that game when it has begun.

    `ended` says why there are fewer offers than there were, until somebody offers again.
    """

    offers: tuple[Seat, ...] = ()
    match: str | None = None
    ended: EndedView | None = None


class MatchView(Struct, frozen=True):
    """One match as it is at `version`."""

    id: str
    version: int
    game: str
    options: dict[str, Any]
    room: str
    visibility: Visibility
    locked: bool
    control: dict[str, int]
    created_at: int
    started_at: int | None
    ended_at: int | None
    situation: Situation
    seats: tuple[SeatView, ...]
    start: Cells | None
    board: Cells | None
    diagram: str | None
    captured: tuple[int, ...] | None
    moves: tuple[MoveView, ...]
    forfeits: tuple[ForfeitView, ...]
    outcome: Outcome | None
    abort: AbortView | None
    rematch: RematchView | None


class SitterView(Struct, frozen=True):
    """Who sits where in a listed match."""

    seat: Seat
    name: str
    protocol: str


class LostView(Struct, frozen=True):
    """A seat that was lost, and why."""

    seat: Seat
    cause: ForfeitCause


class ListingView(Struct, frozen=True):
    """A match in a list. `locked`: it takes a password.

    How it ended is in `outcome` or `abort`; seats may be lost before that.
    """

    id: str
    game: str
    options: dict[str, Any]
    room: str
    status: Status
    visibility: Visibility
    locked: bool
    created_at: int
    ended_at: int
    control: dict[str, int]
    capacity: int
    players: tuple[SitterView, ...]
    outcome: Outcome | None
    forfeits: tuple[LostView, ...]
    abort: AbortCause | None
    abort_detail: str


class SeekView(Struct, frozen=True):
    """Somebody who waits for an opponent."""

    game: str
    options: dict[str, Any]
    name: str
    protocol: str
    control: dict[str, int]


class _Event(Struct, frozen=True, tag_field="type"):
    version: int
    at: int
    situation: Situation


class MoveEvent(_Event, frozen=True, tag="move"):
    """A move was played."""

    seat: Seat
    move: str
    changes: Changes | None = field(name="set")
    captured: tuple[int, ...] | None
    diagram: str | None


class _SeatsEvent(_Event, frozen=True):
    seats: tuple[SeatView, ...]


class CreatedEvent(_SeatsEvent, frozen=True, tag="created"):
    """The table was opened. Nobody hears of it: a watcher begins with the whole state."""


class SeatTakenEvent(_SeatsEvent, frozen=True, tag="seat-taken"):
    """Somebody sat down."""

    seat: Seat


class SeatLeftEvent(_SeatsEvent, frozen=True, tag="seat-left"):
    """The seat is free again."""

    seat: Seat


class AwayEvent(_SeatsEvent, frozen=True, tag="away"):
    """The player cannot be reached."""

    seat: Seat


class BackEvent(_SeatsEvent, frozen=True, tag="back"):
    """The player is there again."""

    seat: Seat


class ReadyEvent(_SeatsEvent, frozen=True, tag="ready"):
    """The player wants to begin, or no longer does."""

    seat: Seat
    ready: bool


class StartedEvent(_SeatsEvent, frozen=True, tag="started"):
    """The first position stands."""

    start: Cells | None
    captured: tuple[int, ...] | None
    diagram: str | None
    control: dict[str, int]


class SuspendedEvent(_SeatsEvent, frozen=True, tag="suspended"):
    """No turns and no clocks."""


class ResumedEvent(_SeatsEvent, frozen=True, tag="resumed"):
    """The game goes on."""


class ForfeitedEvent(_SeatsEvent, frozen=True, tag="forfeited"):
    """A seat is out of the game."""

    seat: Seat
    cause: ForfeitCause
    detail: str
    changes: Changes | None = field(name="set")
    diagram: str | None


class EndedEvent(_SeatsEvent, frozen=True, tag="ended"):
    """The game has a result."""

    outcome: Outcome


class AbortedEvent(_SeatsEvent, frozen=True, tag="aborted"):
    """The match is over and has no result."""

    cause: AbortCause
    detail: str


EventView = (
    MoveEvent | CreatedEvent | SeatTakenEvent | SeatLeftEvent | AwayEvent | BackEvent | ReadyEvent
    | StartedEvent | SuspendedEvent | ResumedEvent | ForfeitedEvent | EndedEvent | AbortedEvent
)  # fmt: skip


def control_view(control: TimeControl) -> dict[str, int]:
    """Every limit, those that are not set as 0."""
    return {name: getattr(control, name) for name in TimeControl.__struct_fields__}


def name_shown(name: str) -> str:
    """A player's name or a room's, whatever protocol it comes from, on one printable line."""
    return clean(name, NAME_SHOWN)


def text_shown(text: str) -> str:
    """What somebody has said, or a reason, on one printable line."""
    return clean(text, TEXT_SHOWN)


def protocol_of(identity: str) -> str:
    """The protocol that a player speaks: the realm of the identity."""
    return identity.partition(":")[0]
