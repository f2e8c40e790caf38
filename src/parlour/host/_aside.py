"""Long work beside the event loop, which everybody's moves wait for."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

LONG = 200  # events of a match: some 3 ms to fold them and 6 ms to tell them

T = TypeVar("T")


class Aside:
    """Another thread for one piece of work at a time.

    Python lets one thread at a time go on: two of them share it, and of many the loop would get a
    small share. So a server has few of these, one for each kind of work that must not wait behind
    the others: a host's for the matches that players wait for and for what followers missed, and
    the web's for what pages ask for and for passwords, which are hashed without Python's lock.
    """

    def __init__(self) -> None:
        self._one = asyncio.Semaphore()
        self.waiting = 0  # pieces of work, that which is being done included

    async def do(self, work: Callable[[], T], events: int = LONG) -> T:
        """Do work that touches nothing of the loop's, when it is its turn.

        What has to do with few `events` is done at once.
        """
        if events < LONG:
            return work()
        self.waiting += 1
        try:
            await self._one.acquire()
            doing = asyncio.get_running_loop().run_in_executor(None, work)
            # A thread cannot be stopped: who asked may be gone long before it is done.
            doing.add_done_callback(self._done)
            return await asyncio.shield(doing)
        finally:
            self.waiting -= 1

    def _done(self, work: asyncio.Future[Any]) -> None:
        self._one.release()
