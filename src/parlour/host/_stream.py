"""One stream as a host holds it in memory."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from parlour.games import Refusal, Refused
from parlour.host._ports import AnyAggregate, UnreadableError, Write

# Enough for whoever was away for a few moves; older events are read from the store.
TAIL = 16

LOOK = None
"""In the place of a command: nothing is wanted but that the stream has been read."""


class Recorded(Struct, frozen=True, gc=False):
    """A fact that is in the log: `event` is number `version` of `stream` and led to `state`."""

    stream: str
    version: int
    event: Any
    state: Any


Deliver = Callable[[Sequence[Recorded]], None]


class Follower:
    """Somebody who is told of every event past `version`, in order, once.

    Until `joined` they are still being told what came before they asked. `lost` is called when
    what they were being told cannot go on; not where a stream could never be read.
    """

    __slots__ = ("deliver", "joined", "live", "lost", "reading", "stopped", "version")

    def __init__(
        self, live: "Live", version: int, deliver: Deliver, lost: Callable[[], None]
    ) -> None:
        self.live = live
        self.version = version
        self.deliver = deliver
        self.lost = lost
        self.joined = False
        self.reading = False
        self.stopped = False

    def stop(self) -> None:
        """Tell nothing any more, not even what is on the way."""
        self.stopped = True
        if self in self.live.followers:
            self.live.followers.remove(self)
            self.live.left(self.live)


class Live:
    """The newest state of a stream, who follows it, and what waits to be decided.

    While `busy` the stream is being read or an append is on its way; what is asked then is
    `pending`, so that nothing is ever decided on a state that may not come true. What cannot be
    read for good is `unreadable`: nothing is decided on it. `claims` counts those who have asked
    for something that takes several streams: the stream stays in memory until they are answered.
    """

    __slots__ = (
        "aggregate",
        "busy",
        "claims",
        "followers",
        "left",
        "loaded",
        "pending",
        "rung",
        "state",
        "stream",
        "tail",
        "unreadable",
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
        self.claims = 0
        self.loaded = False
        self.rung = False
        self.unreadable: UnreadableError | None = None
        self.pending: deque[Any] = deque()
        self.followers: list[Follower] = []
        self.tail: deque[Recorded] = deque(maxlen=TAIL)

    def foresee(self, events: Sequence[Any]) -> list[Recorded]:
        """What `events` will make of the stream when they are in the log; nothing changes yet."""
        stream, state, version, evolve = (
            self.stream,
            self.state,
            self.version,
            self.aggregate.evolve,
        )
        records = []
        for event in events:
            state = evolve(state, event)
            version += 1
            records.append(Recorded(stream, version, event, state))
        return records

    def decide(self, command: Any, now: int) -> tuple[list[Recorded], Write]:
        """What a command will make of the stream, and what to append for that; nothing changes yet.

        Raises:
            Refused: a rule said no.
        """
        if self.unreadable:
            raise self.unknown()
        aggregate = self.aggregate
        events = () if command is LOOK else aggregate.decide(self.state, command, now)
        data = [aggregate.encode(event) for event in events]
        return self.foresee(events), Write(self.stream, self.version, data)

    def advance(self, records: Sequence[Recorded]) -> None:
        """Take in what is in the log."""
        if records:
            newest = records[-1]
            self.state, self.version = newest.state, newest.version
            self.tail.extend(records)

    def read(self, data: Sequence[bytes]) -> list[Recorded]:
        """Take in recorded events that follow those known.

        Raises:
            UnreadableError: one of them means nothing to this version of the program.
        """
        records: list[Recorded] = []
        for one in data:
            try:
                event = self.aggregate.decode(one)
                record = self.foresee((event,))
            except Exception as error:  # whatever stands there, others' streams must go on
                number = self.version + 1
                raise UnreadableError(
                    f"event {number} of {self.stream} cannot be read: {error}: {one[:200]!r}"
                ) from error
            self.advance(record)
            records += record
        return records

    def unknown(self) -> Refused:
        """What they hear who ask for something that is not there, or cannot be read."""
        if self.unreadable:
            detail = f"{self.stream} cannot be read; the log of the service says why"
        else:
            detail = f"there is no {self.stream}"
        return Refused(Refusal.UNKNOWN_STREAM, detail)
