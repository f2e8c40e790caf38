"""A match as one of its players hears of it: kept until it can be played, then line by line."""

from collections.abc import Sequence

from parlour.gateways.nedap._names import Names, speaker_name
from parlour.gateways.nedap._teller import Teller, says
from parlour.host import ChatLine, Recorded
from parlour.match import ForfeitCause, Match, MatchStarted, MovePlayed, SeatForfeited


class Table:
    """Where a session sits. `asked` counts its moves that no fact or refusal has answered."""

    __slots__ = ("_form", "_held", "_identity", "_names", "_noticed", "asked", "kicked", "match",
                 "stream", "teller")  # fmt: skip

    def __init__(self, stream: str, identity: str, names: Names, form: str) -> None:
        self.stream = stream
        self.match: Match | None = None
        self.teller: Teller | None = None
        self.asked = 0
        self.kicked = False
        self._identity = identity
        self._names = names
        self._form = form
        self._held: list[bytes] = []
        self._noticed = False

    def read(self, records: Sequence[Recorded]) -> Match:
        """Keep what has happened so far, and return where that has led."""
        match: Match = records[-1].state
        for record in records:
            if isinstance(record.event, MatchStarted):
                self._start(record.state)
            if self.teller is not None:
                self._held.append(self.teller.fact(record.event))
        self.match = match
        return match

    def notice(self, now: int) -> bytes:
        """For a player who is back and must wait: for whom and how long, said once."""
        match, teller = self.match, self.teller
        assert match is not None
        assert teller is not None
        if self._noticed or match.player(teller.seat).away_since is not None:
            return b""
        self._noticed = True
        seconds = max(match.pause_until - now, 0) // 1000
        return says(f"your game with {teller.opponent} goes on in {seconds} s at the latest")

    def story(self) -> bytes:
        """What was kept: READY, the game so far, and who is not there."""
        assert self.teller is not None
        assert self.match is not None
        self._held.append(self.teller.absences(self.match))
        told = b"".join(self._held)
        self._held.clear()
        return told

    def moved(self, event: MovePlayed) -> bytes:
        """The line for one move. The hot path of the server."""
        teller = self.teller
        assert teller is not None
        if event.seat == teller.seat:
            self.asked -= 1
        return teller.move(event.seat, event.move)

    def went_on(self, records: Sequence[Recorded]) -> bytes:
        """The lines for anything that happens in a game."""
        teller = self.teller
        assert teller is not None
        told = b""
        for record in records:
            event = record.event
            if isinstance(event, MovePlayed):
                told += self.moved(event)
                continue
            if isinstance(event, SeatForfeited) and event.seat == teller.seat:
                self.kicked = event.cause is ForfeitCause.ILLEGAL_MOVE
            told += teller.fact(event) + teller.news(record)
        return told

    def speaker(self, line: ChatLine) -> str:
        """What whoever says something is called: nobody who looks on passes for a player."""
        seat = None if self.match is None else self.match.seat_of(line.identity)
        if seat is not None and self.teller is not None:
            return self.teller.names[seat]
        return speaker_name(line.identity, line.name)

    def _start(self, match: Match) -> None:
        seat = match.seat_of(self._identity)
        assert seat is not None
        names = self._names.shown(self.stream, [player for _, player in match.players()])
        self.teller = Teller(match, seat, names)
        self._held.append(self.teller.ready(match, self._form))
