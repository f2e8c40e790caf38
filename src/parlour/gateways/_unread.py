"""How long a connection may leave unread what it was sent."""

import asyncio
from collections.abc import Callable


class Unread:
    """Drops whoever leaves much unread for too long, or anything when the connection ends.

    A transport that closes waits for its reader without a limit, and says nothing below its
    high-water mark.
    """

    __slots__ = ("_drop", "_ending", "_seconds", "_timer", "stalls")

    def __init__(self, seconds: float, drop: Callable[[], None]) -> None:
        self.stalls = False  # much is unread, of a connection that is to go on
        self._seconds = seconds
        self._drop: Callable[[], None] | None = drop
        self._timer: asyncio.TimerHandle | None = None
        self._ending = False

    def piles_up(self) -> None:
        """Much is unread."""
        if not self._ending:
            self.stalls = True
            self._start(self._seconds)

    def is_read(self) -> None:
        """Little is unread again; that does not save a connection that ends."""
        if not self._ending:
            self.stalls = False
            self._stop()

    def ends(self, seconds: float | None = None) -> None:
        """The connection ends when all is read, and after `seconds` at the latest.

        What was said first holds: who goes on saying something gains no time by it.
        """
        if not self._ending:
            self._ending, self.stalls = True, False
            self._start(self._seconds if seconds is None else seconds)

    def gone(self) -> None:
        """The connection is no more, and is held no longer."""
        self.stalls, self._drop = False, None
        self._stop()

    def _start(self, seconds: float) -> None:
        self._stop()
        if self._drop is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._drop)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
