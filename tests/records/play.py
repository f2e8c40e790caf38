"""Matches played for the records: commands in, the history out."""

from collections.abc import Sequence
from typing import Any

from parlour.cli import GAMES
from parlour.games import Seat
from parlour.match import (
    Command,
    CreateMatch,
    Event,
    Fault,
    Match,
    MatchAggregate,
    Newcomer,
    PlayMove,
    Terms,
    TimeControl,
)

NOON = 1_800_014_400_000  # 2027-01-15 at 12:00 UTC
SECRET = "secret:"


class Table:
    """One match; every command is carried out `step` milliseconds after the one before."""

    def __init__(
        self,
        game: str,
        options: dict[str, Any],
        players: Sequence[str] = ("alice", "bob"),
        opening: Sequence[str] = (),
        control: TimeControl = TimeControl(),  # noqa: B008 - a frozen value
        step: int = 1000,
        now: int = NOON,
    ) -> None:
        self.aggregate = MatchAggregate(GAMES)
        self.history: list[tuple[Event, Match]] = []
        self.now = now
        self.step = step
        terms = Terms(ready=True, illegal_move=Fault.FORFEIT)
        newcomers = tuple(Newcomer(SECRET + name, name, terms) for name in players)
        self.do(CreateMatch(game, options, newcomers, control=control, opening=tuple(opening)))

    @property
    def match(self) -> Match:
        return self.history[-1][1]

    def do(self, command: Command) -> None:
        """Carry out `command` and remember what followed."""
        match = self.match if self.history else None
        for event in self.aggregate.decide(match, command, self.now):
            match = self.aggregate.evolve(match, event)
            self.history.append((event, match))
        self.now += self.step

    def identity(self, seat: Seat) -> str:
        return self.match.player(seat).identity

    def play(self, *moves: str) -> None:
        """The moves, each by the seat whose turn it is."""
        for move in moves:
            turn = self.match.turn
            assert turn is not None
            self.do(PlayMove(self.identity(turn), move))
