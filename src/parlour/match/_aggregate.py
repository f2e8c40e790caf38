"""The match as the host runs it: codec, decide, evolve, and what the directory keeps."""

from collections.abc import Iterable

import msgspec

from parlour.games import AnyGame
from parlour.match._commands import Command, Restart, Tick
from parlour.match._decide import decide
from parlour.match._events import Event, Pause, Suspended
from parlour.match._evolve import evolve
from parlour.match._listing import Listing, project
from parlour.match._match import Match
from parlour.match._rulebook import Rulebook
from parlour.match._time import wakes_at

MOVE_PREFIX = b'{"type":"MovePlayed/'
"""How every recorded move begins, whatever its schema version."""


class MatchAggregate:
    """Matches in the given games."""

    kind = "match"

    def __init__(self, games: Iterable[AnyGame]) -> None:
        self.rules = Rulebook(games)
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(Event)

    def encode(self, event: Event) -> bytes:
        """One event as JSON, its tag first."""
        return self._encoder.encode(event)

    def decode(self, data: bytes) -> Event:
        """The event that `data` records.

        Raises:
            msgspec.ValidationError, msgspec.DecodeError: no version of this program wrote it.
        """
        return self._decoder.decode(data)

    def decide(self, match: Match | None, command: Command, now: int) -> list[Event]:
        """See `decide`."""
        return decide(match, command, now, self.rules)

    def evolve(self, match: Match | None, event: Event) -> Match:
        """See `evolve`."""
        return evolve(match, event, self.rules)

    def wakes_at(self, match: Match) -> int | None:
        """See `wakes_at`."""
        return wakes_at(match)

    def tick(self) -> Tick:
        """The command that carries out what is due."""
        return Tick()

    def restart(self, until: int) -> Restart:
        """The command for each match that the last run of the service left unfinished."""
        return Restart(until)

    def restarted(self, listing: Listing, until: int, now: int) -> list[Event] | None:
        """What a restart adds where everybody can come back; None where the match must be read.

        Ten thousand matches of sixty moves are recovered by this without folding any of them.
        """
        waits = listing.status.started and all(sitter.reclaims for sitter in listing.sitters)
        if not waits or not listing.sitters:
            return None
        return [Suspended(now, Pause.RESTART, until)]

    def listed(self, data: bytes) -> bool:
        """Whether the directory must see this recorded event. Moves, the most of them, not."""
        return not data.startswith(MOVE_PREFIX)

    project = staticmethod(project)
