"""What the watchers of one match are told: made once from the facts, whoever looks on."""

from collections.abc import Sequence
from typing import assert_never

from msgspec import to_builtins

from parlour.games import Position, Seating
from parlour.gateways.web._board import captured, cells, diagram, forfeit_changes, move_changes
from parlour.gateways.web._views import (
    AbortedEvent,
    AbortView,
    AwayEvent,
    BackEvent,
    Cells,
    ClockView,
    CreatedEvent,
    EndedEvent,
    EventView,
    ForfeitedEvent,
    ForfeitView,
    MatchView,
    MoveEvent,
    MoveView,
    PlayerView,
    ReadyEvent,
    RematchView,
    ResumedEvent,
    SeatLeftEvent,
    SeatTakenEvent,
    SeatView,
    Situation,
    StartedEvent,
    SuspendedEvent,
    control_view,
    name_shown,
    protocol_of,
    text_shown,
)
from parlour.host import Recorded
from parlour.match import (
    Event,
    Match,
    MatchAborted,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    Player,
    Resumed,
    SeatAway,
    SeatBack,
    SeatForfeited,
    SeatLeft,
    SeatReady,
    SeatTaken,
    Status,
    Suspended,
)


class Story:
    """A match folded for browsers: the newest state, and every event as it is told."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.match: Match | None = None
        self.version = 0
        self.lock = ""  # see `Lock`
        self._created_at = 0
        self._started_at: int | None = None
        self._ended_at: int | None = None
        self._start: Cells | None = None
        self._moves: list[MoveView] = []
        self._forfeits: list[ForfeitView] = []
        self._abort: AbortView | None = None

    def learn(self, records: Sequence[Recorded]) -> list[EventView]:
        """Take facts in, all from the first in order, and return what is told of them."""
        return [self._told(record) for record in records]

    def view(self, locked: bool, rematch: RematchView | None) -> MatchView:
        """The whole match as it is now; at least one event is known."""
        match = self.match
        assert match is not None
        position = match.position
        return MatchView(
            id=self.stream,
            version=self.version,
            game=match.game.name,
            options=to_builtins(match.options),
            room=name_shown(match.room),
            visibility=match.visibility,
            locked=locked,
            control=control_view(match.control),
            created_at=self._created_at,
            started_at=self._started_at,
            ended_at=self._ended_at,
            situation=situation(match),
            seats=seats(match),
            start=self._start,
            board=None if position is None else cells(position),
            diagram=None if position is None else diagram(position),
            captured=None if position is None else captured(position),
            moves=tuple(self._moves),
            forfeits=tuple(self._forfeits),
            outcome=match.outcome,
            abort=self._abort,
            rematch=rematch,
        )

    def _told(self, record: Recorded) -> EventView:
        before, after = self.match, record.state
        self.match, self.version = after, record.version
        event: Event = record.event
        if isinstance(event, MovePlayed):
            return self._moved(event, before, after)
        if isinstance(event, SeatForfeited):
            return self._forfeited(event, before, after)
        self._note(event, after)
        if isinstance(event, SeatTaken | SeatLeft | SeatReady | SeatAway | SeatBack):
            return self._seat_changed(event, after)
        about = (record.version, event.at, situation(after), seats(after))
        match event:
            case MatchCreated():
                return CreatedEvent(*about)
            case MatchStarted():
                position = _position(after)
                shown = self._start, captured(position), diagram(position)
                return StartedEvent(*about, *shown, control_view(after.control))
            case Suspended():
                return SuspendedEvent(*about)
            case Resumed():
                return ResumedEvent(*about)
            case MatchEnded(outcome=outcome):
                return EndedEvent(*about, outcome)
            case MatchAborted(cause=cause, detail=detail):
                return AbortedEvent(*about, cause, text_shown(detail))
            case _:
                assert_never(event)

    def _note(self, event: Event, after: Match) -> None:
        """Keep what the state of a match does not."""
        match event:
            case MatchCreated(at=at, lock=lock):
                self._created_at, self.lock = at, lock
            case MatchStarted(at=at):
                self._started_at, self._start = at, cells(_position(after))
            case MatchEnded(at=at):
                self._ended_at = at
            case MatchAborted(at=at, cause=cause, detail=detail):
                self._ended_at, self._abort = at, AbortView(cause, text_shown(detail))
            case _:
                pass

    def _seat_changed(
        self, event: SeatTaken | SeatLeft | SeatReady | SeatAway | SeatBack, after: Match
    ) -> EventView:
        about = (self.version, event.at, situation(after), seats(after), event.seat)
        match event:
            case SeatTaken():
                return SeatTakenEvent(*about)
            case SeatLeft():
                return SeatLeftEvent(*about)
            case SeatAway():
                return AwayEvent(*about)
            case SeatBack():
                return BackEvent(*about)
            case SeatReady(ready=ready):
                return ReadyEvent(*about, ready)
            case _:
                assert_never(event)

    def _moved(self, event: MovePlayed, before: Match | None, after: Match) -> MoveEvent:
        position = _position(after)
        changes = move_changes(_position(before), position, event.seat, event.move)
        self._moves.append(MoveView(event.seat, event.move, event.at, changes))
        return MoveEvent(
            version=self.version,
            at=event.at,
            situation=situation(after),
            seat=event.seat,
            move=event.move,
            changes=changes,
            captured=captured(position),
            diagram=diagram(position),
        )

    def _forfeited(
        self, event: SeatForfeited, before: Match | None, after: Match
    ) -> ForfeitedEvent:
        changes = forfeit_changes(_position(before), _position(after))
        cause, detail = event.cause, text_shown(event.detail)
        self._forfeits.append(
            ForfeitView(event.seat, cause, detail, len(self._moves), event.at, changes)
        )
        return ForfeitedEvent(
            version=self.version,
            at=event.at,
            situation=situation(after),
            seats=seats(after),
            seat=event.seat,
            cause=cause,
            detail=detail,
            changes=changes,
            diagram=diagram(_position(after)),
        )


def situation(match: Match) -> Situation:
    """What of a match changes with time."""
    clock = match.clock
    live = match.status is Status.LIVE
    shown = None
    if clock is not None and match.control.budgeted:
        shown = ClockView(clock.left, clock.periods, clock.running, clock.since, clock.spent)
    return Situation(
        status=match.status,
        turn=None if match.status.finished else match.turn,
        ply=0 if match.position is None else match.position.ply,
        clock=shown,
        deadline=clock.deadline() if clock is not None and live else None,
        pause=match.pause,
        pause_until=match.pause_until or None,
    )


def seats(match: Match) -> tuple[SeatView, ...]:
    """Every seat, taken or free."""
    chairs = match.position is None and match.game.seating is Seating.AT_START
    names = ("",) * len(match.seats) if chairs else match.seat_names
    return tuple(
        SeatView(name, None if player is None else _player(player))
        for name, player in zip(names, match.seats, strict=True)
    )


def _player(player: Player) -> PlayerView:
    return PlayerView(
        name=name_shown(player.name),
        protocol=protocol_of(player.identity),
        ready=player.ready,
        away_since=player.away_since,
        grace=player.terms.grace,
    )


def _position(match: Match | None) -> Position:
    assert match is not None
    assert match.position is not None
    return match.position
