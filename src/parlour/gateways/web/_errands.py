"""Long work that browsers ask for: only so much of it may wait."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from parlour.games import Refusal
from parlour.gateways.web._declined import Declined
from parlour.host import LONG, Aside

WAITING_MOST = 32
CUSTOMER_MOST = 8  # of one customer (see `customer_of`): the others' places are not its own

T = TypeVar("T")


class Errands:
    """Does one piece of long work at a time beside the loop."""

    def __init__(self) -> None:
        self._aside = Aside()
        self._asked: Counter[str] = Counter()
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def turn(self, customer: str) -> asyncio.Semaphore:
        """Held while a customer's match is read: the next one is, when that is counted."""
        return self._turns.setdefault(customer, asyncio.Semaphore())

    async def do(self, work: Callable[[], T], events: int = LONG, customer: str = "") -> T:
        """See `Aside.do`; nobody is a customer when it is done for all who watch.

        Raises:
            Declined: LIMIT, too much waits already, and nothing is done.
        """
        if events < LONG:
            return await self._aside.do(work, events)
        most = CUSTOMER_MOST if customer else WAITING_MOST
        if self._asked[customer] >= most or self._aside.waiting >= WAITING_MOST:
            raise Declined(Refusal.LIMIT, "too many ask for so much at once: try again")
        self._asked[customer] += 1
        try:
            return await self._aside.do(work, events)
        finally:
            self._asked[customer] -= 1
            if not self._asked[customer]:
                del self._asked[customer]
