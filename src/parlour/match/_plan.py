"""Several facts decided in one go: each is decided on the state after the one before."""

from parlour.games import Seat, Seating
from parlour.match._events import (
    AbortCause,
    Event,
    ForfeitCause,
    MatchAborted,
    MatchEnded,
    MatchStarted,
    Pause,
    Resumed,
    SeatForfeited,
    SeatLeft,
    Suspended,
)
from parlour.match._evolve import evolve
from parlour.match._match import Match, Status
from parlour.match._rulebook import Rulebook


class Plan:
    """The facts decided so far, and the match as they leave it."""

    def __init__(self, match: Match, now: int, rules: Rulebook) -> None:
        self.match = match
        self.now = now
        self.events: list[Event] = []
        self._rules = rules

    def add(self, event: Event) -> None:
        """Decide on `event`."""
        self.events.append(event)
        self.match = evolve(self.match, event, self._rules)

    def start_if_ready(self) -> None:
        """Begin, or go on, when everybody needed is there and ready."""
        match = self.match
        if match.status is Status.OPEN and match.can_start():
            taken = match.players()
            if match.game.seating is Seating.AT_START:
                taken.sort(key=lambda pair: pair[1].joined)
            self.add(MatchStarted(self.now, tuple(seat for seat, _ in taken)))
        elif match.pause is not None and match.can_resume() and match.status.started:
            self.add(Resumed(self.now))

    def vacate(self, seat: Seat) -> None:
        """Free the seat; the last one who could play ends the match by leaving."""
        self.add(SeatLeft(self.now, seat))
        self._go_on()

    def forfeit(self, seat: Seat, cause: ForfeitCause, detail: str = "") -> None:
        """Take the seat out of the game, and end it when that decides it."""
        self.add(SeatForfeited(self.now, seat, cause, detail))
        if self.match.position is not None and self.match.position.outcome is not None:
            self.add(MatchEnded(self.now, self.match.position.outcome))
        else:
            self._go_on()

    def suspend(self, pause: Pause, until: int = 0) -> None:
        """Stop turns and clocks."""
        self.add(Suspended(self.now, pause, until))

    def abort(self, cause: AbortCause, detail: str = "") -> None:
        """End without a result."""
        self.add(MatchAborted(self.now, cause, detail))

    def _go_on(self) -> None:
        """After a departure: begin or resume what waited for it, end what nobody can play."""
        match = self.match
        if any(match.status is Status.OPEN or match.playing(seat) for seat, _ in match.players()):
            self.start_if_ready()
        else:
            self.abort(AbortCause.EMPTY)
