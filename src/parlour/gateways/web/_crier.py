"""Talk at tables that many watch: everybody hears all of it, but not each line by itself."""

import asyncio
import logging
from collections.abc import Callable

log = logging.getLogger("parlour.web")

FRAMES = 20_000  # a second, of talk at all of those tables: a tenth of a core


class Crier:
    """Lets one table after the other tell what was said there, so many frames a second."""

    def __init__(self) -> None:
        self._waiting: dict[Callable[[], int], None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def add(self, cry: Callable[[], int]) -> None:
        """Call `cry` once, in its turn; it returns how many frames it has sent."""
        self._waiting[cry] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(0, self._next)

    def _next(self) -> None:
        self._timer = None
        cry = next(iter(self._waiting), None)
        if cry is not None:
            del self._waiting[cry]
            rest = _sent(cry) / FRAMES
            self._timer = asyncio.get_running_loop().call_later(rest, self._next)


def _sent(cry: Callable[[], int]) -> int:
    """A mistake of ours costs one table what was said there, and not those behind it."""
    try:
        return cry()
    except Exception:
        log.exception("a table was not told what was said there")
        return 0
