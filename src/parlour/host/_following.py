"""Telling followers: every event past a version, in order, once."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from functools import partial
from typing import Any

from parlour.host._ports import Store, StoreError
from parlour.host._stream import Deliver, Follower, Live, Recorded

log = logging.getLogger("parlour.host")


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
        asyncio.get_running_loop().call_soon(self._catch_up, follower)
        return follower

    def publish(self, live: Live, records: Sequence[Recorded]) -> None:
        """Tell everybody who is up to date."""
        version = live.version
        for follower in tuple(live.followers):
            if not follower.stopped:
                follower.version = version
                self._deliver(follower, records)

    async def history(self, live: Live, after: int) -> list[Recorded]:
        """The events past `after`, read from the store and folded anew.

        Raises:
            StoreError: the medium failed.
        """
        copy = Live(live.stream, live.aggregate)
        data = await self._store.read(live.stream)
        return copy.fold([live.aggregate.decode(one) for one in data])[after:]

    def _catch_up(self, follower: Follower) -> None:
        live = follower.live
        if follower.stopped:
            return
        if not live.loaded:
            live.pending.append(partial(self._catch_up, follower))
            return
        missed = live.version - follower.version
        if missed > len(live.tail):
            self._tasks.spawn(self._read_for(follower))
            return
        live.followers.append(follower)
        if missed > 0:
            follower.version = live.version
            self._deliver(follower, list(live.tail)[-missed:])

    async def _read_for(self, follower: Follower) -> None:
        try:
            records = await self.history(follower.live, follower.version)
        except StoreError as error:
            log.error("cannot read %s: %s", follower.live.stream, error)
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
