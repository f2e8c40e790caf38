"""No game begins any more, and when the last has ended, so does the server."""

import asyncio
from collections.abc import Callable

from parlour.host import Directory, nothing
from parlour.match import Listing

FAREWELL = 1.0  # seconds in which those of the last game hear how it ended


class Drain:
    """Off until `begin`. Whoever decides and makes matches looks at `on`.

    `ended` is called when games may begin again.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        """`stop` ends the server."""
        self.on = False
        self._stop = stop
        self.ended: Callable[[], None] = nothing
        self._unwatch: Callable[[], None] = nothing

    def begin(self, directory: Directory) -> None:
        """Wait for the end of what is played."""
        if self.on:
            return
        self.on = True

        def look() -> None:
            if self.on and not games(directory):
                self._stop()

        def changed(stream: str, listing: Listing) -> None:
            if listing.finished:
                loop.call_later(FAREWELL, look)

        loop = asyncio.get_running_loop()
        self._unwatch = directory.watch(changed)
        # Whoever asked hears first that it has begun.
        loop.call_soon(look)

    def end(self) -> None:
        """Wait no more."""
        if not self.on:
            return
        self.on = False
        self._unwatch()
        self._unwatch = nothing
        self.ended()


def games(directory: Directory) -> int:
    """How many games have begun and not ended."""
    return sum(listing.status.started for listing in directory.unfinished.values())
