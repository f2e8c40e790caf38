"""Telling followers: every event past a version, in order, once."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

from parlour.host._aside import Aside
from parlour.host._loader import RETRY_AFTER, Tasks
from parlour.host._outage import Outage
from parlour.host._ports import Store, StoreError, UnreadableError
from parlour.host._stream import Deliver, Follower, Live, Recorded

log = logging.getLogger("parlour.host")


class Following:
    """Brings followers up to date, from memory or from the store, and then keeps them so."""

    def __init__(self, store: Store, tasks: Tasks, outage: Outage) -> None:
        """`outage` is that of reading."""
        self._store = store
        self._tasks = tasks
        self._outage = outage
        self._aside = Aside()

    def follow(
        self, live: Live, after: int, deliver: Deliver, lost: Callable[[], None]
    ) -> Follower:
        """Begin to tell `deliver`; the first call comes after this returns."""
        follower = Follower(live, after, deliver, lost)
        live.followers.append(follower)
        asyncio.get_running_loop().call_soon(self._catch_up, follower)
        return follower

    def publish(self, live: Live, records: Sequence[Recorded]) -> None:
        """Tell everybody who is up to date."""
        version = live.version
        before = version - len(records)
        for follower in tuple(live.followers):
            # Who has read the store may know events whose append was not reported here yet.
            known = follower.version
            if not follower.joined or follower.stopped or known >= version:
                continue
            if known < before:  # a mistake of ours has cost them something: they hear it now
                follower.joined = False
                self._catch_up(follower)
                continue
            follower.version = version
            self._deliver(follower, records if known == before else records[known - version :])

    def loaded(self, live: Live) -> None:
        """Tell those who asked before the stream had been read."""
        for follower in tuple(live.followers):
            self._catch_up(follower)

    def lose(self, live: Live) -> None:
        """The stream cannot be read any more: whoever was being told it hears that."""
        for follower in tuple(live.followers):
            if follower.joined or follower.reading:  # others hear it in the answer to what they ask
                self._lose(follower)

    async def history(self, live: Live, after: int) -> list[Recorded]:
        """The events past `after`, read from the store and folded anew.

        Raises:
            StoreError: the medium failed, or an event cannot be understood.
        """
        copy = Live(live.stream, live.aggregate, live.left)
        data = await self._store.read(live.stream)
        return (await self._aside.do(partial(copy.read, data), len(data)))[after:]

    def _catch_up(self, follower: Follower) -> None:
        live = follower.live
        done = follower.stopped or follower.joined or follower.reading
        if done or not live.loaded or live.unreadable:
            return
        missed = live.version - follower.version
        if missed > len(live.tail):
            follower.reading = True  # once: whoever reads twice is told twice
            self._tasks.spawn(self._read_for(follower))
            return
        follower.joined = True
        if missed > 0:
            follower.version = live.version
            self._deliver(follower, list(live.tail)[-missed:])

    async def _read_for(self, follower: Follower) -> None:
        try:
            records = await self.history(follower.live, follower.version)
        except UnreadableError as error:
            log.error("%s", error)
            self._lose(follower)
            return
        except StoreError as error:
            self._outage.begin(error)
            loop = asyncio.get_running_loop()
            loop.call_later(RETRY_AFTER / 1000, self._go_on, follower)
            return
        except Exception:  # a mistake of ours would be made again
            log.exception("a follower of %s is told no more", follower.live.stream)
            self._lose(follower)
            return
        self._outage.end()
        if not records:  # whoever keeps the log has taken the stream out
            log.info("%s is no longer in the log", follower.live.stream)
            self._lose(follower)
            return
        if not follower.stopped:
            follower.version = records[-1].version
            self._deliver(follower, records)
        self._go_on(follower)

    def _go_on(self, follower: Follower) -> None:
        follower.reading = False
        self._catch_up(follower)

    def _deliver(self, follower: Follower, records: Sequence[Recorded]) -> None:
        try:
            follower.deliver(records)
        except Exception:
            log.exception("a follower of %s failed and is told no more", follower.live.stream)
            self._lose(follower)

    def _lose(self, follower: Follower) -> None:
        """Tell nothing any more, unless it has stopped by itself, and let it know."""
        if follower.stopped:
            return
        follower.stop()
        try:
            follower.lost()
        except Exception:
            log.exception("a follower of %s was not told that it is lost", follower.live.stream)
