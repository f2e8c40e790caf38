"""One game at one table, from the first seat taken to the result: a log of facts.

`decide` says which facts a command adds, `evolve` folds a fact into the state, and
`MatchAggregate` is both of them as the host runs them. Nothing here reads a clock: time is
an argument, in milliseconds since the Unix epoch.
"""

from parlour.match._aggregate import MOVE_PREFIX, MatchAggregate
from parlour.match._clock import Clock, TimeControl
from parlour.match._commands import (
    AbortMatch,
    ComeBack,
    Command,
    CreateMatch,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    Newcomer,
    PlayMove,
    Resign,
    Restart,
    SetReady,
    TakeSeat,
    Tick,
)
from parlour.match._decide import decide
from parlour.match._events import (
    AbortCause,
    Event,
    ForfeitCause,
    Fork,
    MatchAborted,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    Pause,
    Resumed,
    SeatAway,
    SeatBack,
    SeatForfeited,
    SeatLeft,
    SeatReady,
    SeatTaken,
    Suspended,
    Visibility,
)
from parlour.match._evolve import evolve
from parlour.match._listing import Listing, Sitter, project
from parlour.match._match import Match, Player, Status
from parlour.match._names import fold_letters, fold_name, free_name
from parlour.match._rulebook import Rulebook
from parlour.match._terms import Fault, Terms
from parlour.match._time import wakes_at

__all__ = [
    "MOVE_PREFIX",
    "AbortCause",
    "AbortMatch",
    "Clock",
    "ComeBack",
    "Command",
    "CreateMatch",
    "Event",
    "Fault",
    "ForfeitCause",
    "ForfeitSeat",
    "Fork",
    "GoAway",
    "LeaveSeat",
    "Listing",
    "Match",
    "MatchAborted",
    "MatchAggregate",
    "MatchCreated",
    "MatchEnded",
    "MatchStarted",
    "MovePlayed",
    "Newcomer",
    "Pause",
    "PlayMove",
    "Player",
    "Resign",
    "Restart",
    "Resumed",
    "Rulebook",
    "SeatAway",
    "SeatBack",
    "SeatForfeited",
    "SeatLeft",
    "SeatReady",
    "SeatTaken",
    "SetReady",
    "Sitter",
    "Status",
    "Suspended",
    "TakeSeat",
    "Terms",
    "Tick",
    "TimeControl",
    "Visibility",
    "decide",
    "evolve",
    "fold_letters",
    "fold_name",
    "free_name",
    "project",
    "wakes_at",
]
