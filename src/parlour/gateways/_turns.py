"""Fairness: whoever has sent a lot is heard a bite at a time, and others in between."""

import asyncio
from collections import Counter
from collections.abc import Callable

AT_ONCE = 8  # bites of one customer in one turn of the loop


class Turns:
    """Calls what is added in order, one in each turn of the event loop."""

    def __init__(self) -> None:
        self._waiting: dict[Callable[[], None], None] = {}

    def add(self, act: Callable[[], None]) -> None:
        """Call `act` once, when its turn has come; it has one place in the row."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        self._waiting[act] = None

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return len(self._waiting)

    def _next(self) -> None:
        act = next(iter(self._waiting))
        del self._waiting[act]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        act()


class Shares:
    """What each customer (see `customer_of`) has taken of the present turn of the loop."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def takes(self, customer: str) -> bool:
        """Whether one more bite is heard in this turn; it is counted."""
        if not self._taken:
            asyncio.get_running_loop().call_soon(self._taken.clear)
        self._taken[customer] += 1
        return self._taken[customer] <= AT_ONCE
