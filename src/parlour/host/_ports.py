"""What the host needs from outside: a store, a bus, and aggregates to run."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar


class StoreError(Exception):
    """The store could not do it; nothing was written. The message is for the operator's log."""


class StaleVersionError(StoreError):
    """Somebody else has appended to the stream since it was read."""


class UnreadableError(StoreError):
    """A recorded event means nothing to this version of the program."""


class Write(NamedTuple):
    """Events for one stream that has `expected` events so far."""

    stream: str
    expected: int
    events: Sequence[bytes]


class Stored(NamedTuple):
    """One event as it was committed; `position` rises through the whole store."""

    position: int
    stream: str
    version: int
    data: bytes


Done = Callable[[StoreError | None], None]


class Store(Protocol):
    """An append-only log of many streams. `tests/contracts/stores.py` holds it to this.

    What `append` has reported done is durable. Streams begin at version 1 and have no gaps.
    """

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        """The events of one stream past version `after`.

        Raises:
            StoreError: the medium failed.
        """

    def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        """Every event past position `after` in the order of commits, in batches.

        Raises:
            StoreError: the medium failed.
        """

    def append(self, writes: Sequence[Write], done: Done) -> None:
        """Append all of `writes`, or nothing.

        Returns at once. `done` is called in the event loop, with None when the events are
        durable, with StaleVersionError when a stream is not at its expected version, or with
        StoreError when nothing was written. Appends are carried out in the order of the calls.
        """

    async def close(self) -> None:
        """Finish what was asked for and let go of the medium."""


class Bell(Protocol):
    """One host's place on a bus."""

    def ring(self, stream: str) -> None:
        """Tell every other host that the stream has grown."""

    def close(self) -> None:
        """Hear and say nothing any more."""


class Bus(Protocol):
    """A doorbell between hosts. At most once is enough: the log has the facts."""

    def connect(self, heard: Callable[[str], None]) -> Bell:
        """Join; `heard` is called in the event loop with the stream that another host rang."""


State = TypeVar("State")
Event = TypeVar("Event")
Command = TypeVar("Command")


class Listed(Protocol):
    """What the directory keeps of a stream: a match's `Listing`, or what another kind needs."""

    @property
    def room(self) -> str:
        """The name that nobody else's room may have as long as it is unfinished; empty for none."""

    @property
    def finished(self) -> bool:
        """Whether nothing can happen any more."""


class Aggregate(Protocol[State, Event, Command]):
    """One kind of stream: how to read, decide and fold it, and what the directory keeps of it."""

    @property
    def kind(self) -> str:
        """The word that begins the stream's name, as in `match-7k2m`."""

    def encode(self, event: Event) -> bytes: ...

    def decode(self, data: bytes) -> Event: ...

    def decide(self, state: State | None, command: Command, now: int) -> Sequence[Event]:
        """The events that `command` adds.

        Raises:
            Refused: a rule said no.
        """

    def evolve(self, state: State | None, event: Event) -> State: ...

    def wakes_at(self, state: State) -> int | None:
        """When `tick()` will next change the state; None when never."""

    def tick(self) -> Command: ...

    def restart(self, until: int) -> Command:
        """The command for each unfinished stream when the service starts again."""

    def restarted(self, listing: Any, until: int, now: int) -> Sequence[Event] | None:
        """What `restart` would add, when the listing alone can tell; None when it cannot."""

    def listed(self, data: bytes) -> bool:
        """Whether the directory must see this recorded event."""

    def project(self, listing: Any, event: Event) -> Listed:
        """What the directory keeps after `event`; `listing` None is before the first."""


AnyAggregate = Aggregate[Any, Any, Any]
