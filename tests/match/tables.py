"""Matches for tests: commands go in, and what they decided is kept as it would be in a log."""

from collections.abc import Sequence
from typing import Any

from parlour.cli import GAMES
from parlour.games import Refusal, Refused
from parlour.match import (
    Command,
    CreateMatch,
    Event,
    Listing,
    Match,
    MatchAggregate,
    Newcomer,
    PlayMove,
    Terms,
    TimeControl,
)

MATCHES = MatchAggregate(GAMES)
READY = Terms(ready=True)
UNLIMITED = TimeControl()


class Table:
    """One match and the clock on the wall."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.match: Match | None = None
        self.log: list[bytes] = []

    @classmethod
    def of(
        cls,
        *terms: Terms,
        game: str = "tictactoe",
        control: TimeControl = UNLIMITED,
        **options: Any,
    ) -> "Table":
        """A table with a player per `terms`, called a, b, c, ..."""
        table = cls()
        newcomers = tuple(
            Newcomer(name, name, one) for name, one in zip("abcdef", terms, strict=False)
        )
        table.does(CreateMatch(game, options, newcomers, control=control))
        return table

    def does(self, command: Command) -> list[Event]:
        """Decide a command, record the events, apply them as they were recorded."""
        events = MATCHES.decide(self.match, command, self.now)
        for event in events:
            data = MATCHES.encode(event)
            self.log.append(data)
            self.match = MATCHES.evolve(self.match, MATCHES.decode(data))
        return events

    def refuses(self, command: Command) -> Refusal:
        """Why a command is refused."""
        try:
            events = MATCHES.decide(self.match, command, self.now)
        except Refused as no:
            return no.refusal
        raise AssertionError(f"{command} was not refused but led to {events}")

    def plays(self, *moves: str) -> None:
        """Moves of whoever is on turn."""
        for move in moves:
            turn = self.state.turn
            assert turn is not None
            self.does(PlayMove(self.state.player(turn).identity, move))

    @property
    def state(self) -> Match:
        assert self.match is not None
        return self.match

    @property
    def listing(self) -> Listing:
        """What a directory that read the log keeps of the match."""
        listing: Listing | None = None
        for data in self.log:
            if MATCHES.listed(data):
                listing = MATCHES.project(listing, MATCHES.decode(data))
        assert listing is not None
        return listing


def kinds(events: Sequence[Event]) -> list[str]:
    """The names of events, for comparing a story."""
    return [type(event).__name__ for event in events]
