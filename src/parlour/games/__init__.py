"""Pure rules: immutable positions and moves as text, one folder per game."""

from parlour.games._contract import (
    AnyGame,
    Cause,
    Game,
    Outcome,
    Position,
    Seat,
    Seating,
)
from parlour.games._refusal import Refusal, Refused, malformed

__all__ = [
    "AnyGame",
    "Cause",
    "Game",
    "Outcome",
    "Position",
    "Refusal",
    "Refused",
    "Seat",
    "Seating",
    "malformed",
]
