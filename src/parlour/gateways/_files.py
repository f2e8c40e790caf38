"""How many files the operating system lets one process have, and for whom the last ones are."""

import logging
import socket
from collections.abc import Callable

from parlour.games import Refusal, Refused

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]  # a module that is missing there

log = logging.getLogger("parlour.tcp")

RESERVED = 32  # files that no connection of a player gets
SAID_AGAIN = 60_000  # ms until the operator is told again
FULL = "the server has no room for one more connection: try again later"


class NoFileLeft(Refused):
    """Whoever comes has one of the last files: it is needed, and they may not linger."""

    def __init__(self) -> None:
        super().__init__(Refusal.UNAVAILABLE, FULL)


class FileLimit:
    """Keeps the last files of the process for the log, the XMPP server and operators."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._said_at = 0

    def admit(self, sock: socket.socket | None) -> None:
        """Let a connection that has come keep its file, the newest of the process.

        Raises:
            NoFileLeft: the detail is for the peer.
        """
        if resource is None or sock is None:
            return
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        # The kernel gives the lowest number that is free: all below this one are taken.
        if soft == resource.RLIM_INFINITY or sock.fileno() < soft - RESERVED:
            return
        if self._now() >= self._said_at + SAID_AGAIN:
            self._said_at = self._now()
            log.warning(
                "all but %d of %d open files are taken and nobody more is let in;"
                " raise the limit (ulimit -n)",
                RESERVED,
                soft,
            )
        raise NoFileLeft
