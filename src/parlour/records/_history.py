"""What every form of record asks of a match's history."""

from collections.abc import Sequence
from typing import TypeAlias

from parlour.games import Seat
from parlour.match import Event, Match, MatchStarted, SeatLeft, SeatTaken

History: TypeAlias = Sequence[tuple[Event, Match]]
"""The events of one match from its first, each with the match after it."""


def names(history: History) -> dict[Seat, str]:
    """Who sits in each seat, or did last where a seat was vacated in the middle of a game."""
    found: dict[Seat, str] = {}
    for event, match in history:
        match event:
            case SeatTaken():
                found[event.seat] = event.name
            case SeatLeft() if match.position is None:
                del found[event.seat]
            case MatchStarted():
                found = {seat: player.name for seat, player in match.players()}
    return dict(sorted(found.items()))
