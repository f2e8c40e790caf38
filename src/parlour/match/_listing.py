"""What a directory keeps of a match: enough to find it, without its position."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import Outcome, Seat
from parlour.match._clock import TimeControl
from parlour.match._events import (
    AbortCause,
    Event,
    ForfeitCause,
    MatchAborted,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    Pause,
    Resumed,
    SeatBack,
    SeatForfeited,
    SeatLeft,
    SeatReady,
    SeatTaken,
    Suspended,
    Visibility,
)
from parlour.match._match import Status


class Sitter(Struct, frozen=True):
    """Who sits in a seat of a listed match.

    Before the start `away` says that the player has not come back since a restart, and `ready`
    that the match may begin as far as they are concerned: `ready_when_back` says it by coming back.
    """

    seat: Seat
    identity: str
    name: str
    reclaims: bool
    away: bool = False
    ready: bool = False
    ready_when_back: bool = False


class Listing(Struct, frozen=True):
    """One match in the directory. Times are milliseconds since the Unix epoch."""

    game: str
    options: dict[str, Any]
    room: str
    visibility: Visibility
    created_at: int
    status: Status = Status.OPEN
    sitters: tuple[Sitter, ...] = ()
    started: bool = False
    ended_at: int = 0
    set_up: bool = False
    """Whether it begins with moves that were not played at the table."""
    rematch_of: str = ""
    lock: str = ""
    """Secret, see `MatchCreated`."""
    control: TimeControl = TimeControl()
    outcome: Outcome | None = None
    forfeits: tuple[tuple[Seat, ForfeitCause], ...] = ()
    """The seats that were lost, and why, in the order in which that happened."""
    abort: AbortCause | None = None
    abort_detail: str = ""

    @property
    def finished(self) -> bool:
        """Whether nothing can happen any more."""
        return self.status.finished

    def sits(self, identity: str) -> bool:
        """Whether somebody of that identity sits there."""
        return any(sitter.identity == identity for sitter in self.sitters)


def project(listing: Listing | None, event: Event) -> Listing:
    """The listing after `event`. Moves need not be shown to it."""
    if isinstance(event, MovePlayed) and listing is not None:
        return listing
    if isinstance(event, MatchCreated):
        return _created(event)
    if listing is None:
        raise ValueError(f"a match begins with MatchCreated, not {event!r}")
    if isinstance(event, SeatTaken | SeatLeft | SeatReady | SeatBack):
        return replace(listing, sitters=tuple(_sitters(listing, event)))
    match event:
        case MatchStarted():
            seat_of = event.seating.index
            sitters = tuple(replace(one, seat=seat_of(one.seat)) for one in listing.sitters)
            return replace(listing, sitters=sitters, status=Status.LIVE, started=True)
        case Suspended(pause=Pause.RESTART) if listing.status is Status.OPEN:
            return replace(
                listing, sitters=tuple(replace(one, away=True) for one in listing.sitters)
            )
        case Suspended() if listing.status is Status.LIVE:
            return replace(listing, status=Status.SUSPENDED)
        case Resumed() if listing.status is Status.SUSPENDED:
            return replace(listing, status=Status.LIVE)
        case SeatForfeited():
            return replace(listing, forfeits=(*listing.forfeits, (event.seat, event.cause)))
        case MatchEnded():
            return replace(listing, status=Status.OVER, ended_at=event.at, outcome=event.outcome)
        case MatchAborted():
            return replace(
                listing,
                status=Status.ABORTED,
                ended_at=event.at,
                abort=event.cause,
                abort_detail=event.detail,
            )
        case _:
            return listing


def _sitters(
    listing: Listing, event: SeatTaken | SeatLeft | SeatReady | SeatBack
) -> Iterator[Sitter]:
    """Who sits there after `event`. Nobody waits for anybody once it has begun."""
    waits = listing.status is Status.OPEN
    for one in listing.sitters:
        if one.seat != event.seat:
            yield one
        elif isinstance(event, SeatReady):
            yield replace(one, ready=event.ready) if waits else one
        elif isinstance(event, SeatBack):
            ready = one.ready or one.ready_when_back
            yield replace(one, ready=ready, away=False) if waits else one
    if isinstance(event, SeatTaken):
        terms = event.terms
        yield Sitter(
            event.seat,
            event.identity,
            event.name,
            terms.reclaims,
            ready=terms.ready,
            ready_when_back=terms.ready,
        )


def _created(event: MatchCreated) -> Listing:
    return Listing(
        event.game,
        event.options,
        event.room,
        event.visibility,
        event.at,
        set_up=bool(event.opening),
        rematch_of=event.rematch_of,
        lock=event.lock,
        control=event.control,
    )
