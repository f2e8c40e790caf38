"""Long work that browsers ask for: only so much of it may wait."""

from collections.abc import Callable
from typing import TypeVar

from parlour.games import Refusal
from parlour.gateways.web._declined import Declined
from parlour.host import LONG, Aside

WAITING_MOST = 32

T = TypeVar("T")


class Errands:
    """Does one piece of long work at a time beside the loop."""

    def __init__(self) -> None:
        self._aside = Aside()

    async def do(self, work: Callable[[], T], events: int = LONG) -> T:
        """See `Aside.do`.

        Raises:
            Declined: LIMIT, too much waits already.
        """
        if events >= LONG and self._aside.waiting >= WAITING_MOST:
            raise Declined(Refusal.LIMIT, "too many ask for so much at once: try again")
        return await self._aside.do(work, events)
