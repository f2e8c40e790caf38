"""Long work beside the event loop, which everybody's moves wait for."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from parlour.games import Refusal
from parlour.gateways.web._declined import Declined

WAITING_MOST = 32
MANY = 200  # events of a match: some 6 ms to tell them

T = TypeVar("T")


class Aside:
    """Another thread for one piece of work at a time.

    Python lets one thread at a time go on: two of them share it, and of many the loop would get a
    small share.
    """

    def __init__(self) -> None:
        self._one = asyncio.Semaphore()
        self._waiting = 0

    async def do(self, work: Callable[[], T], events: int = MANY) -> T:
        """Do work that touches nothing of the loop's, when it is its turn.

        What has to do with few `events` is done at once.

        Raises:
            Declined: LIMIT, too much waits already.
        """
        if events < MANY:
            return work()
        if self._waiting >= WAITING_MOST:
            raise Declined(Refusal.LIMIT, "too many ask for so much at once: try again")
        self._waiting += 1
        try:
            async with self._one:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1
