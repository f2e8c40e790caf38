"""A second kind of stream beside the match: a sum that several people add to.

It is as small as an aggregate can be, and makes the mistakes that it is told to make.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.games import Refusal, Refused
from parlour.host import AnyAggregate, Host, Store
from parlour.match import MatchAggregate
from tests.service import wall_clock

MISTAKE = 13


class Add(Struct, frozen=True):
    """Add `number`; 0 changes nothing, and less is refused."""

    by: str
    number: int


class Finish(Struct, frozen=True):
    """Add nothing any more."""


class Again(Struct, frozen=True):
    """The service has started again."""


class Added(Struct, frozen=True, tag=True):
    """The sum has grown; by MISTAKE, it is what the aggregate cannot do."""

    number: int


class Finished(Struct, frozen=True, tag=True):
    """The sum stays as it is."""


class Restarted(Struct, frozen=True, tag=True):
    """It has outlived a service."""


Event = Added | Finished | Restarted


class Sum(Struct, frozen=True):
    """The state, and all of it is listed."""

    total: int = 0
    finished: bool = False
    room: str = ""
    restarts: int = 0


class Tallies:
    """See `Aggregate`. `fails` names the function that raises when it meets MISTAKE."""

    kind = "tally"

    def __init__(self, fails: str = "") -> None:
        self.fails = fails
        self.restarts_by_listing = False

    def encode(self, event: Event) -> bytes:
        self._may_fail("encode", event)
        return msgspec.json.encode(event)

    def decode(self, data: bytes) -> Event:
        return msgspec.json.decode(data, type=Event)

    def decide(self, state: Sum | None, command: Any, now: int) -> Sequence[Event]:
        self._may_fail("decide", command)
        if state is not None and state.finished:
            raise Refused(Refusal.OVER, "nothing is added any more")
        match command:
            case Add(_, 0):
                return []
            case Add(_, number) if number < 0:
                raise Refused(Refusal.ILLEGAL_MOVE, f"{number} is less than nothing")
            case Add(_, number):
                return [Added(number)]
            case Finish():
                return [Finished()]
            case _:
                self._may_fail("restart", Added(state.total if state else 0))
                return [Restarted()]

    def evolve(self, state: Sum | None, event: Event) -> Sum:
        self._may_fail("evolve", event)
        return self._after(state, event)

    def wakes_at(self, state: Sum) -> int | None:
        return None

    def tick(self) -> Add:
        return Add("", 0)

    def restart(self, until: int) -> Again:
        return Again()

    def restarted(self, listing: Sum, until: int, now: int) -> Sequence[Event] | None:
        self._may_fail("restarted", Added(listing.total))
        return [Restarted()] if self.restarts_by_listing else None

    def listed(self, data: bytes) -> bool:
        return True

    def project(self, listing: Sum | None, event: Event) -> Sum:
        self._may_fail("project", event)
        return self._after(listing, event)

    def _after(self, state: Sum | None, event: Event) -> Sum:
        state = state or Sum()
        match event:
            case Added(number):
                return replace(state, total=state.total + number)
            case Finished():
                return replace(state, finished=True)
            case Restarted():
                return replace(state, restarts=state.restarts + 1)

    def _may_fail(self, where: str, met: Any) -> None:
        if self.fails == where and getattr(met, "number", 0) == MISTAKE:
            raise ZeroDivisionError(where)


def tally_host(
    store: Store,
    *aggregates: AnyAggregate,
    bus: MemoryBus | None = None,
    now: Callable[[], int] = wall_clock,
) -> Host:
    """A host of matches and tallies."""
    numbers = itertools.count(1)
    kinds = (MatchAggregate(GAMES), *(aggregates or (Tallies(),)))
    return Host(store, bus or MemoryBus(), kinds, now, lambda: str(next(numbers)))
