"""What people say to each other: no fact of a match, so it is kept in memory only."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from itertools import islice

from msgspec import Struct

log = logging.getLogger("parlour.host")

LINES_KEPT = 200
FEW = 16  # who hear a line at once, as everybody does at a table
BITE = 64  # times that a line is heard in one turn of the loop, or half a millisecond
HEARD = 20_000  # times a second that lines are heard where many listen: a tenth of a core
BEHIND_MOST = 1000  # lines for which listeners wait; of more, the oldest are not heard


class ChatLine(Struct, frozen=True):
    """Something said at `topic`: the stream of a match, or a waiting room's name.

    `identity` is empty when the service itself speaks.
    """

    topic: str
    identity: str
    name: str
    text: str
    at: int


Heard = Callable[[ChatLine], None]


Reach = Callable[[], int]


def alone() -> int:
    """The reach of who tells nobody else."""
    return 1


class _Listener:
    """Who listens; `behind` is how many of the newest lines it has not heard yet."""

    __slots__ = ("behind", "heard", "reach")

    def __init__(self, heard: Heard, reach: Reach) -> None:
        self.heard = heard
        self.reach = reach
        self.behind = 0


class _Topic:
    """Who listens there, and what was said last. `waiting` are those who are behind."""

    __slots__ = ("lines", "listeners", "waiting")

    def __init__(self) -> None:
        self.lines: deque[ChatLine] = deque(maxlen=BEHIND_MOST)
        self.listeners: dict[_Listener, None] = {}
        self.waiting: dict[_Listener, None] = {}

    def forget(self) -> None:
        """Keep the last lines, and those that somebody has still to hear."""
        if len(self.lines) > LINES_KEPT:
            behind = max((listener.behind for listener in self.waiting), default=0)
            for _ in range(len(self.lines) - max(LINES_KEPT, behind)):
                self.lines.popleft()


class Chat:
    """Hands every line to whoever listens at its topic, the speaker included, in order.

    Where many listen, what all of them say to all of them is heard a bite at a time, with
    everybody else's business in between.
    """

    def __init__(self) -> None:
        self._topics: dict[str, _Topic] = {}
        self._waiting: dict[str, None] = {}  # topics where somebody is behind
        self._timer: asyncio.TimerHandle | None = None

    def listen(self, topic: str, heard: Heard, reach: Reach = alone) -> Callable[[], None]:
        """Hear what is said at `topic` from now on; returns how to stop.

        `reach` is how many hear a line from this listener, all of them at once. A topic is
        forgotten with its last listener.
        """
        here = self._topics.setdefault(topic, _Topic())
        listener = _Listener(heard, reach)
        here.listeners[listener] = None

        def stop() -> None:
            here.listeners.pop(listener, None)
            here.waiting.pop(listener, None)
            if not here.listeners and self._topics.get(topic) is here:
                del self._topics[topic]

        return stop

    def say(self, line: ChatLine) -> int:
        """Tell everyone at the topic; returns how many hear it in the end."""
        here = self._topics.get(line.topic)
        if here is None:
            return 0
        here.lines.append(line)
        few, total = len(here.listeners) <= FEW, 0
        for listener in tuple(here.listeners):
            reach = listener.reach()
            total += reach
            if few and reach <= FEW and not listener.behind:
                listener.heard(line)
            else:
                listener.behind = min(listener.behind + 1, BEHIND_MOST)
                here.waiting[listener] = None
        here.forget()
        if here.waiting:
            self._waiting[line.topic] = None
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(0, self._go_on)
        return total

    def lines(self, topic: str) -> list[ChatLine]:
        """The last lines said there, oldest first."""
        here = self._topics.get(topic)
        return [] if here is None else list(here.lines)[-LINES_KEPT:]

    def _go_on(self) -> None:
        """Let those hear who are behind, one topic after the other."""
        self._timer = None
        topic = next(iter(self._waiting))
        del self._waiting[topic]
        here = self._topics.get(topic)
        told = 0 if here is None else self._catch_up(here)
        if here is not None and here.waiting:
            self._waiting[topic] = None
        if self._waiting:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(told / HEARD, self._go_on)

    def _catch_up(self, here: _Topic) -> int:
        """Let some hear what they have not; returns how many times a line was heard."""
        told = 0
        while told < BITE and here.waiting:
            listener = next(iter(here.waiting))
            del here.waiting[listener]
            reach = max(listener.reach(), 1)
            count = min(listener.behind, max(BITE // reach, 1))
            start = len(here.lines) - listener.behind
            lines = tuple(islice(here.lines, start, start + count))
            listener.behind -= count
            if listener.behind:
                here.waiting[listener] = None
            told += count * reach
            for line in lines:
                if listener in here.listeners:
                    _hear(listener, line)
        if not here.waiting:  # while somebody waits, to look for the most behind costs too much
            here.forget()
        return told


def _hear(listener: _Listener, line: ChatLine) -> None:
    """A mistake of ours costs one line, and not those behind it."""
    try:
        listener.heard(line)
    except Exception:
        log.exception("a line of chat was not heard")
