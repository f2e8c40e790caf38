"""Time as a value: how long a seat may think, and when that ends. Milliseconds throughout."""

from typing import Annotated, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from parlour.games import Seat

Milliseconds = Annotated[int, Meta(ge=0, le=30 * 24 * 3600 * 1000)]


class TimeControl(Struct, frozen=True, omit_defaults=True):
    """What the players agreed on; every zero means "no such limit".

    `turn` limits each move. `total` is a budget for the whole game, to which `increment` is
    added after each own move; when it is used up, `periods` byo-yomi periods of `period` follow,
    each of which is kept when the move comes within it.
    """

    turn: Milliseconds = 0
    total: Milliseconds = 0
    increment: Milliseconds = 0
    periods: Annotated[int, Meta(ge=0, le=100)] = 0
    period: Milliseconds = 0

    @property
    def budgeted(self) -> bool:
        """Whether there is more to run out of than the time of one turn."""
        return self.total > 0 or (self.periods > 0 and self.period > 0)

    def within(self, limit: Milliseconds) -> Self:
        """The same with no turn longer than `limit`, where that is one."""
        if not limit or 0 < self.turn <= limit:
            return self
        return replace(self, turn=limit)


class Clock(Struct, frozen=True, gc=False):
    """Milliseconds and byo-yomi periods left by seat; `running` has been thinking since `since`.

    `spent` is what the running turn had used up before the clock was last stopped. A time before
    `since`, from a wall clock that was set back, is taken for `since`: thinking never earns time.
    """

    control: TimeControl
    left: tuple[int, ...]
    periods: tuple[int, ...]
    running: Seat | None = None
    since: int = 0
    spent: int = 0

    @classmethod
    def of(cls, control: TimeControl, players: int) -> Self:
        """A stopped clock at the start of a match."""
        return cls(control, (control.total,) * players, (control.periods,) * players)

    def deadline(self) -> int | None:
        """When the running seat has lost on time; None when nothing can run out."""
        if self.running is None:
            return None
        control, seat = self.control, self.running
        limit = control.turn
        if not (limit or control.total or control.periods):
            return None
        if control.budgeted:
            budget = self.left[seat] + self.periods[seat] * control.period
            limit = min(limit, budget) if limit else budget
        elif not limit:
            return None
        return self.since + limit - self.spent

    def pressed(self, now: int, turn: Seat | None) -> Self:
        """The running seat has moved at `now`, and `turn` begins to think."""
        control = self.control
        if self.running is None or not control.budgeted:
            return replace(self, running=turn, since=now, spent=0)
        seat, used = self.running, self._used(now)
        left = self.left[seat] - used
        periods = self.periods[seat]
        if left <= 0:
            whole = -left // control.period if control.period else 0
            left, periods = 0, max(periods - whole, 0)
        else:
            left += control.increment
        return replace(
            self,
            left=(*self.left[:seat], left, *self.left[seat + 1 :]),
            periods=(*self.periods[:seat], periods, *self.periods[seat + 1 :]),
            running=turn,
            since=now,
            spent=0,
        )

    def stopped(self, now: int) -> Self:
        """Nobody's time runs; the turn keeps what it has used."""
        if self.running is None:
            return self
        return replace(self, running=None, spent=self._used(now))

    def started(self, now: int, turn: Seat | None) -> Self:
        """The time of `turn` runs on after a stop."""
        return replace(self, running=turn, since=now)

    def _used(self, now: int) -> int:
        return self.spent + max(now - self.since, 0)
