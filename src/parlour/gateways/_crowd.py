"""How a crowd that comes in one instant is let in: it queues, and few at a time are served."""

import socket
import sys
from collections.abc import Iterable
from typing import Protocol

QUEUE = 4096  # thousands connect in one instant; asyncio's 100 makes them wait for minutes

# What asyncio calls the backlog is also how many its own loop accepts before it serves the first of
# them: each has a file by then, and whoever looks after the last files must see them in time.
# Windows has no such limit, and keeps a queue as long as it was first.
ACCEPTED = QUEUE if sys.platform == "win32" else 2


class Listening(Protocol):
    """A socket as a server shows it."""

    @property
    def family(self) -> int: ...

    @property
    def type(self) -> int: ...

    def fileno(self) -> int: ...


def lengthen(queues: Iterable[Listening]) -> None:
    """Let more wait to be accepted than are accepted at once."""
    for one in queues:
        with socket.fromfd(one.fileno(), one.family, one.type) as again:
            again.listen(QUEUE)
