"""Time that passes only when a test says so, for the clock on the wall and for the event loop."""

import asyncio

TURNS = 20  # of the loop: more than anything takes that waits for nothing outside


class Wall:
    """Drives the time of a running asyncio loop; `now` is what hosts read, in milliseconds."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._elapsed = 0
        self._skew = 1_000_000_000
        loop.time = self._seconds  # type: ignore[method-assign]  # the loop asks itself

    def now(self) -> int:
        """Milliseconds since the Unix epoch, as a wall clock that may be set shows them."""
        return self._elapsed + self._skew

    def is_set(self, by: int) -> None:
        """The wall clock is put forward, or back, while no time passes."""
        self._skew += by

    async def passes(self, milliseconds: int) -> None:
        """Let time pass, and let everything happen that is due then."""
        await turns()
        self._elapsed += milliseconds
        await turns()

    def _seconds(self) -> float:
        return self._elapsed / 1000


async def turns(count: int = TURNS) -> None:
    """Let the loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)
