"""One stream as a host holds it in memory."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from parlour.games import Refusal, Refused
from parlour.host._ports import AnyAggregate, StoreError

log = logging.getLogger("parlour.host")

# Enough for whoever was away for a few moves; older events are read from the store.
TAIL = 16
# One player has at most a few commands on the way; this many is a flood.
PENDING_MOST = 64

Refuse = Callable[[Refused], None]


def ignore(refused: Refused) -> None:
    """For commands whose refusal says nothing new."""


def nothing() -> None:
    """For commands whose success shows in the events."""


def settled(future: "asyncio.Future[None]") -> None:
    """Whoever waits for a stream to be read waits no more."""
    if not future.done():
        future.set_result(None)


def unavailable(error: StoreError) -> Refused:
    """What a player hears when the store has failed; the operator reads why."""
    log.error("cannot store: %s", error)
    return Refused(Refusal.UNAVAILABLE, "the server cannot store anything just now")


class Recorded(Struct, frozen=True):
    """A fact that is in the log: `event` is number `version` of `stream` and led to `state`."""

    stream: str
    version: int
    event: Any
    state: Any


Deliver = Callable[[Sequence[Recorded]], None]


class Follower:
    """Somebody who is told of every event past `version`, in order, once.

    Until `joined` they are still being told what came before they asked.
    """

    __slots__ = ("deliver", "joined", "live", "stopped", "version")

    def __init__(self, live: "Live", version: int, deliver: Deliver) -> None:
        self.live = live
        self.version = version
        self.deliver = deliver
        self.joined = False
        self.stopped = False

    def stop(self) -> None:
        """Tell nothing any more, not even what is on the way."""
        self.stopped = True
        if self in self.live.followers:
            self.live.followers.remove(self)
            self.live.left(self.live)


class Live:
    """The newest state of a stream, who follows it, and what waits to be decided.

    While `busy` the stream is being read or an append is on its way; commands then wait, so
    that nothing is ever decided on a state that may not come true.
    """

    __slots__ = (
        "aggregate",
        "busy",
        "followers",
        "left",
        "loaded",
        "pending",
        "rung",
        "state",
        "stream",
        "tail",
        "version",
    )

    def __init__(
        self, stream: str, aggregate: AnyAggregate, left: "Callable[[Live], None]"
    ) -> None:
        self.stream = stream
        self.left = left  # called when a follower has stopped
        self.aggregate = aggregate
        self.state: Any = None
        self.version = 0
        self.busy = False
        self.loaded = False
        self.rung = False
        self.pending: deque[Callable[[], None]] = deque()
        self.followers: list[Follower] = []
        self.tail: deque[Recorded] = deque(maxlen=TAIL)

    def fold(self, events: Sequence[Any]) -> list[Recorded]:
        """Apply events that are in the log."""
        records = []
        state, version = self.state, self.version
        for event in events:
            state = self.aggregate.evolve(state, event)
            version += 1
            records.append(Recorded(self.stream, version, event, state))
        self.state, self.version = state, version
        self.tail.extend(records)
        return records
