"""How many connections the operating system lets one process have."""

import logging
from collections.abc import Callable

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]  # a module that is missing there

log = logging.getLogger("parlour.tcp")

SPARE = 32  # when fewer files are left the operator is told
SAID_AGAIN = 60_000  # ms until that is said again


class FileLimit:
    """Tells the operator, and nobody else can, that soon no more connections are let in."""

    def __init__(self, now: Callable[[], int], connections: Callable[[], int]) -> None:
        self.doors = [connections]
        self._now = now
        self._said_at = 0

    def check(self) -> None:
        """Somebody has come to one of the doors."""
        if resource is None:
            return
        connections = sum(count() for count in self.doors)
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft == resource.RLIM_INFINITY or soft - connections >= SPARE:
            return
        if self._now() >= self._said_at + SAID_AGAIN:
            self._said_at = self._now()
            log.warning(
                "%d connections and at most %d open files: soon nobody is let in;"
                " raise the limit (ulimit -n)",
                connections,
                soft,
            )
