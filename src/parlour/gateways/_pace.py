"""How fast the connections of one address are heard: what is too much waits, and nobody else."""

import asyncio
from collections.abc import Callable

from parlour.gateways._rate import Allowance

READERS = 20  # people who hear a line that costs its speaker as much as another line
LINE = 64  # bytes that count as a line where there are no ends of lines
PACED_BITE = 256  # bytes that are heard at once: a millisecond of everybody's time


class Pace:
    """Lets the connections of an address speak in turn, so many lines a second together."""

    def __init__(self, rate: int, at_once: int, now: Callable[[], int]) -> None:
        self._allowance = Allowance(rate, at_once)
        self._now = now
        self._waiting: dict[str, dict[Callable[[], None], None]] = {}

    def takes(self, holder: str, data: bytes) -> bool:
        """Whether `data` may be heard at once; it is counted then."""
        if len(data) > PACED_BITE or holder in self._waiting:
            return False
        if self._allowance.wait(holder, self._now()):
            return False
        self.charge(holder, data)
        return True

    def charge(self, holder: str, data: bytes) -> None:
        """Count what is heard now."""
        lines = max(data.count(b"\n"), len(data) // LINE, 1)
        self._allowance.charge(holder, lines, self._now())

    def pay(self, holder: str, readers: int) -> None:
        """Count that so many hear what was said."""
        if readers >= READERS:
            self._allowance.charge(holder, readers // READERS, self._now())

    def add(self, holder: str, act: Callable[[], None]) -> None:
        """Call `act` once, when the turn of its connection has come; it is to `charge`."""
        waiting = self._waiting.get(holder)
        if waiting is None:
            waiting = self._waiting[holder] = {}
            self._call_next(holder)
        waiting[act] = None

    def discard(self, holder: str, act: Callable[[], None]) -> None:
        """Its connection is gone."""
        self._waiting.get(holder, {}).pop(act, None)

    def _call_next(self, holder: str) -> None:
        delay = self._allowance.wait(holder, self._now()) / 1000
        asyncio.get_running_loop().call_later(delay, self._next, holder)

    def _next(self, holder: str) -> None:
        waiting = self._waiting[holder]
        act = next(iter(waiting), None)
        if act is None:
            del self._waiting[holder]
            return
        del waiting[act]
        act()
        self._call_next(holder)
