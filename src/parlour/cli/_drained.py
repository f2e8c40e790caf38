"""Matches of a server that is being emptied: none begins any more."""

from collections.abc import Iterable

from parlour.games import AnyGame, Refusal, Refused
from parlour.gateways.admin import Drain
from parlour.match import Command, Event, Match, MatchAggregate, MatchStarted


class Drained(MatchAggregate):
    """Refuses what would start a game while `drain` is on; the rest goes on as ever."""

    def __init__(self, games: Iterable[AnyGame], drain: Drain) -> None:
        super().__init__(games)
        self._drain = drain

    def decide(self, match: Match | None, command: Command, now: int) -> list[Event]:
        """See `decide`."""
        events = super().decide(match, command, now)
        if self._drain.on and any(isinstance(event, MatchStarted) for event in events):
            raise Refused(Refusal.UNAVAILABLE, "no game begins now: the server is about to stop")
        return events
