"""Stores for tests that wait or fail when told to, over one that really works."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial

from parlour.host import Done, Store, Stored, StoreError, Write
from parlour.stores import MemoryStore
from tests.host.wall import TURNS, turns


class HeldStore(MemoryStore):
    """While `held`, appends wait; `release` carries them out."""

    def __init__(self) -> None:
        super().__init__()
        self.held = False
        self.waiting: list[Callable[[], None]] = []

    def append(self, writes: Sequence[Write], done: Done) -> None:
        super_append = super().append
        if self.held:
            self.waiting.append(lambda: super_append(writes, done))
        else:
            super_append(writes, done)

    def release(self) -> None:
        self.held = False
        waiting, self.waiting = self.waiting, []
        for go_on in waiting:
            go_on()


class SlowStore(MemoryStore):
    """A log that is read while `go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()
        self.go.set()

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        await self.go.wait()
        return await super().read(stream, after)


class FailingStore(MemoryStore):
    """While `failing`, nothing is written."""

    failing = False

    def append(self, writes: Sequence[Write], done: Done) -> None:
        if self.failing:
            super().append((), lambda _: done(StoreError("no space left")))
        else:
            super().append(writes, done)


class Medium:
    """What outlives a service: any store, and all that it is known to have made durable.

    While `full` it writes nothing, while `silent` it cannot be read, while `slow` what is read is
    old when it arrives. While `held` what is to be written waits; while `late` it is written at
    once and reported later.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.log: dict[str, list[bytes]] = {}
        self.full = self.silent = self.slow = self.held = self.late = False
        self.on_way = 0
        self._waiting: list[Callable[[], None]] = []

    def mend(self) -> None:
        """Work again, and carry out what waited."""
        self.full = self.silent = self.slow = self.held = self.late = False
        waiting, self._waiting = self._waiting, []
        for go_on in waiting:
            go_on()

    def lose(self) -> None:
        """Whoever asked for what waits is dead."""
        self._waiting.clear()
        self.mend()

    async def quiet(self) -> None:
        """Wait until everything asked for is done, as far as it does not wait or fail."""
        still = 0
        while still < TURNS:
            await asyncio.sleep(0)
            still = 0 if self.on_way else still + 1

    def append(self, writes: Sequence[Write], done: Done) -> None:
        if self.held:
            self._waiting.append(partial(self._append, writes, done))
        else:
            self._append(writes, done)

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        self._works()
        self.on_way += 1
        try:
            data = await self.store.read(stream, after)
            self._keep(stream, after, data)
            await turns(TURNS if self.slow else 1)
        finally:
            self.on_way -= 1
        return data

    async def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        self._works()
        async for batch in self.store.read_all(after):
            yield batch

    async def close(self) -> None:
        """It outlives every service."""

    def _append(self, writes: Sequence[Write], done: Done) -> None:
        if self.full:
            asyncio.get_running_loop().call_soon(done, StoreError("no space left"))
            return

        def written(error: StoreError | None) -> None:
            self.on_way -= 1
            for stream, expected, events in writes if error is None else ():
                self._keep(stream, expected, events)
            if self.late:
                self._waiting.append(partial(done, error))
            else:
                done(error)

        self.on_way += 1
        self.store.append(writes, written)

    def _works(self) -> None:
        if self.silent:
            raise StoreError("the medium does not answer")

    def _keep(self, stream: str, after: int, events: Sequence[bytes]) -> None:
        known = self.log.setdefault(stream, [])
        assert len(known) >= after
        known += events[len(known) - after :]
        assert known[after : after + len(events)] == list(events)


class Door:
    """One service's way to a medium. Cut off, as by SIGKILL, it hears and says nothing more."""

    def __init__(self, medium: Medium) -> None:
        self._medium = medium
        self._cut = asyncio.Event()

    def cut(self) -> None:
        """Kill the service."""
        self._cut.set()

    def append(self, writes: Sequence[Write], done: Done) -> None:
        """See `Store`."""

        def reported(error: StoreError | None) -> None:
            if not self._cut.is_set():
                done(error)

        if not self._cut.is_set():
            self._medium.append(writes, reported)

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        """See `Store`."""
        data = await self._medium.read(stream, after)
        if self._cut.is_set():  # until the task is ended
            await asyncio.Event().wait()
        return data

    def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        """See `Store`."""
        return self._medium.read_all(after)

    async def close(self) -> None:
        """The medium stays."""
