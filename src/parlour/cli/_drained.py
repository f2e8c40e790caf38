"""Matches of a server that is being emptied: none begins any more."""

from collections.abc import Iterable
from itertools import takewhile

from parlour.games import AnyGame, Refusal, Refused
from parlour.gateways.admin import Drain
from parlour.host import DRAINS
from parlour.match import (
    Command,
    Event,
    GoAway,
    LeaveSeat,
    Match,
    MatchAggregate,
    MatchStarted,
    Tick,
)


class Drained(MatchAggregate):
    """Refuses what would start a game while `drain` is on; the rest goes on as ever.

    Nobody can be kept from leaving, nor time from passing: a table that could begin then waits,
    and begins at the `Tick` that it is given when the drain has ended.
    """

    def __init__(self, games: Iterable[AnyGame], drain: Drain) -> None:
        super().__init__(games)
        self._drain = drain

    def decide(self, match: Match | None, command: Command, now: int) -> list[Event]:
        """See `decide`."""
        events = super().decide(match, command, now)
        if not self._drain.on:
            return events
        before = list(takewhile(lambda event: not isinstance(event, MatchStarted), events))
        if len(before) < len(events) and not isinstance(command, LeaveSeat | GoAway | Tick):
            raise Refused(Refusal.UNAVAILABLE, DRAINS)
        return before
