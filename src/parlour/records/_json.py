"""The record of a match in any game, as JSON (`docs/reference/records.md`)."""

from typing import Any

import msgspec
from msgspec import Struct

from parlour.games import Outcome
from parlour.match import (
    Event,
    Match,
    MatchAborted,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatForfeited,
    TimeControl,
)
from parlour.records._dates import moment
from parlour.records._history import History, names

FORMAT = "parlour-record/1"


class SeatRecord(Struct, frozen=True):
    """A seat by its name in the game, and the public name of whoever sits there."""

    seat: str
    player: str


class Move(Struct, frozen=True):
    """A move in canonical text."""

    seat: str
    move: str
    at: str


class Forfeit(Struct, frozen=True):
    """A seat that left the game after so many of the `moves`; `detail` may be empty."""

    seat: str
    cause: str
    detail: str
    after_moves: int
    at: str


class Result(Struct, frozen=True):
    """Seats by place, best first; `scores` is empty where the game counts no points."""

    ranking: tuple[tuple[str, ...], ...]
    causes: dict[str, str]
    scores: dict[str, int]


class Abort(Struct, frozen=True):
    """Why there is no result; `detail` may be empty."""

    cause: str
    detail: str


class Record(Struct, frozen=True):
    """One match. Moments are ISO 8601 in UTC, limits of `time_control` milliseconds."""

    format: str
    id: str
    game: str
    options: dict[str, Any]
    room: str
    status: str
    created_at: str
    started_at: str | None
    ended_at: str | None
    time_control: dict[str, int]
    seats: tuple[SeatRecord, ...]
    opening: tuple[str, ...]
    moves: tuple[Move, ...]
    forfeits: tuple[Forfeit, ...]
    result: Result | None
    abort: Abort | None


def json_record(stream: str, history: History) -> bytes:
    """The match named `stream` as one JSON object, indented, with a line break at the end.

    Raises:
        ValueError: the history is empty.
    """
    if not history:
        raise ValueError("a match has at least one event")
    events = [event for event, _ in history]
    record = _record(stream, events, history[-1][1], names(history))
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n"


def _record(stream: str, events: list[Event], match: Match, players: dict[int, str]) -> Record:
    seats = match.seat_names
    aborts = [event for event in events if isinstance(event, MatchAborted)]
    return Record(
        format=FORMAT,
        id=stream,
        game=match.game.name,
        options=msgspec.to_builtins(match.options),
        room=match.room,
        status=match.status.value,
        created_at=_first(events, MatchCreated) or "",
        started_at=_first(events, MatchStarted),
        ended_at=_first(events, MatchEnded, MatchAborted),
        time_control={
            field: getattr(match.control, field) for field in TimeControl.__struct_fields__
        },
        seats=tuple(SeatRecord(seats[seat], name) for seat, name in players.items()),
        opening=match.opening,
        moves=tuple(
            Move(seats[event.seat], event.move, moment(event.at))
            for event in events
            if isinstance(event, MovePlayed)
        ),
        forfeits=_forfeits(events, seats),
        result=None if match.outcome is None else _result(match.outcome, seats),
        abort=Abort(aborts[0].cause, aborts[0].detail) if aborts else None,
    )


def _first(events: list[Event], *kinds: type[Event]) -> str | None:
    return next((moment(event.at) for event in events if isinstance(event, kinds)), None)


def _forfeits(events: list[Event], seats: tuple[str, ...]) -> tuple[Forfeit, ...]:
    played, found = 0, []
    for event in events:
        if isinstance(event, MovePlayed):
            played += 1
        elif isinstance(event, SeatForfeited):
            at = moment(event.at)
            found.append(Forfeit(seats[event.seat], event.cause, event.detail, played, at))
    return tuple(found)


def _result(outcome: Outcome, seats: tuple[str, ...]) -> Result:
    return Result(
        ranking=tuple(tuple(seats[seat] for seat in group) for group in outcome.ranking),
        causes={seats[seat]: cause.value for seat, cause in enumerate(outcome.causes)},
        scores={seats[seat]: score for seat, score in enumerate(outcome.scores)},
    )
