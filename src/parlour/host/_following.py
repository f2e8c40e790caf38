"""Telling followers: every event past a version, in order, once."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from parlour.host._ports import Store, StoreError
from parlour.host._stream import Deliver, Follower, Live, Recorded

log = logging.getLogger("parlour.host")

RETRY_AFTER = 1000  # ms until what the store could not do is tried again


class Tasks:
    """Background work that nobody awaits, kept from the garbage collector."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin `work`."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        """End all of it."""
        for task in tuple(self._tasks):
            task.cancel()


class Following:
    """Brings followers up to date, from memory or from the store, and then keeps them so."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store = store
        self._tasks = tasks

    def follow(self, live: Live, after: int, deliver: Deliver) -> Follower:
        """Begin to tell `deliver`; the first call comes after this returns."""
        follower = Follower(live, after, deliver)
        live.followers.append(follower)
        asyncio.get_running_loop().call_soon(self._catch_up, follower)
        return follower

    def publish(self, live: Live, records: Sequence[Recorded]) -> None:
        """Tell everybody who is up to date."""
        version = live.version
        for follower in tuple(live.followers):
            # Who has read the store may know events whose append was not reported here yet.
            if follower.joined and not follower.stopped and follower.version < version:
                fresh = records[follower.version - version :]
                follower.version = version
                self._deliver(follower, fresh)

    def loaded(self, live: Live) -> None:
        """Tell those who asked before the stream had been read."""
        for follower in tuple(live.followers):
            self._catch_up(follower)

    async def history(self, live: Live, after: int) -> list[Recorded]:
        """The events past `after`, read from the store and folded anew.

        Raises:
            StoreError: the medium failed.
        """
        copy = Live(live.stream, live.aggregate, live.left)
        data = await self._store.read(live.stream)
        return copy.fold([live.aggregate.decode(one) for one in data])[after:]

    def _catch_up(self, follower: Follower) -> None:
        live = follower.live
        if follower.stopped or follower.joined or not live.loaded:
            return
        missed = live.version - follower.version
        if missed > len(live.tail):
            self._tasks.spawn(self._read_for(follower))
            return
        follower.joined = True
        if missed > 0:
            follower.version = live.version
            self._deliver(follower, list(live.tail)[-missed:])

    async def _read_for(self, follower: Follower) -> None:
        try:
            records = await self.history(follower.live, follower.version)
        except StoreError as error:
            log.error("cannot read %s, will try again: %s", follower.live.stream, error)
            loop = asyncio.get_running_loop()
            loop.call_later(RETRY_AFTER / 1000, self._catch_up, follower)
            return
        if records and not follower.stopped:
            follower.version = records[-1].version
            self._deliver(follower, records)
        self._catch_up(follower)

    def _deliver(self, follower: Follower, records: Sequence[Recorded]) -> None:
        try:
            follower.deliver(records)
        except Exception:
            log.exception("a follower of %s failed and is told no more", follower.live.stream)
            follower.stop()
