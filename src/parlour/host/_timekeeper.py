"""One heap of alarms for all streams."""

import asyncio
import heapq
from collections.abc import Callable

# After an hour of sleep in a laptop, thousands of alarms may be due: leave room for others.
DUE_AT_ONCE = 200
STALE = 1000  # alarms that may stay in the heap when nobody waits for them


class Timekeeper:
    """Calls `due` with a stream when its alarm has come.

    A stream's alarm moves with every move of a game and nearly always to a later time, so only
    an earlier one touches the heap; `due` finds out whether the alarm still stands.
    """

    def __init__(self, now: Callable[[], int], due: Callable[[str], None]) -> None:
        self._now = now
        self._due = due
        self._alarms: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, stream: str, at: int) -> None:
        """Call `due(stream)` at `at`, in milliseconds, or a little before a later `at`."""
        if at >= self._alarms.get(stream, at + 1):
            return
        self._alarms[stream] = at
        heapq.heappush(self._heap, (at, stream))
        if self._heap[0] == (at, stream):
            self._set()

    def forget(self, stream: str) -> None:
        """There is nothing to wake the stream for any more."""
        if self._alarms.pop(stream, None) is not None and len(self._heap) > STALE + 2 * len(
            self._alarms
        ):
            self._heap = [(at, stream) for stream, at in self._alarms.items()]
            heapq.heapify(self._heap)

    def close(self) -> None:
        """Wake nobody any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._alarms.clear()
        self._heap.clear()

    def _set(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        delay = max(self._heap[0][0] - self._now(), 0) / 1000
        self._timer = asyncio.get_running_loop().call_later(delay, self._ring)

    def _ring(self) -> None:
        self._timer = None
        now, rung = self._now(), 0
        try:
            while self._heap and self._heap[0][0] <= now and rung < DUE_AT_ONCE:
                at, stream = heapq.heappop(self._heap)
                if self._alarms.get(stream) == at:
                    del self._alarms[stream]
                    rung += 1
                    self._due(stream)
        finally:  # a mistake in one match must not stop the clocks of all others
            if self._heap and self._timer is None:
                self._set()
