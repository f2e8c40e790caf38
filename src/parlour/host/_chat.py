"""What people say to each other: no fact of a match, so it is kept in memory only."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct

log = logging.getLogger("parlour.host")

LINES_KEPT = 200
FEW = 16  # who hear a line at once, as everybody does at a table
BITE = 64  # times that a line is heard in one turn of the loop, or half a millisecond
HEARD = 20_000  # times a second that lines are heard where many listen: a tenth of a core
JOINED_MOST = 200  # lines that are heard together by who joins them
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


Heard = Callable[[Sequence[ChatLine]], None]

Reach = Callable[[], int]


def alone() -> int:
    """The reach of who tells nobody else."""
    return 1


class Listener:
    """Somebody who listens; `behind` is how many of the newest lines it has still to hear."""

    __slots__ = ("_left", "at_once", "behind", "heard", "reach")

    def __init__(
        self, heard: Heard, reach: Reach, at_once: int, left: Callable[["Listener"], None]
    ) -> None:
        self.heard = heard
        self.reach = reach
        self.at_once = at_once
        self.behind = 0
        self._left = left

    def stop(self) -> None:
        """Hear nothing any more."""
        self._left(self)


class _Topic:
    """Who listens there, and what was said last. `waiting` are those who are behind."""

    __slots__ = ("lines", "listeners", "waiting")

    def __init__(self) -> None:
        self.lines: deque[ChatLine] = deque(maxlen=BEHIND_MOST)
        self.listeners: dict[Listener, None] = {}
        self.waiting: dict[Listener, None] = {}

    def tell(self, listener: Listener) -> None:
        """Let a listener hear what comes next, unless it has stopped.

        A mistake of ours costs it that, and nobody else anything.
        """
        if listener not in self.listeners:
            return
        start = len(self.lines) - listener.behind
        lines = tuple(islice(self.lines, start, start + listener.at_once))
        listener.behind -= len(lines)
        try:
            listener.heard(lines)
        except Exception:
            log.exception("a line of chat was not heard")

    def catch_up(self) -> int:
        """Let the next who is behind hear a bite; returns how many times a line was heard."""
        listener = next(iter(self.waiting))
        del self.waiting[listener]
        reach = max(listener.reach(), 1)
        times = min(-(-listener.behind // listener.at_once), max(BITE // reach, 1))
        for _ in range(times):
            self.tell(listener)
        if listener.behind and listener in self.listeners:
            self.waiting[listener] = None
        return times * reach

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

    def listen(
        self, topic: str, heard: Heard, reach: Reach = alone, *, joins: bool = False
    ) -> Listener:
        """Hear what is said at `topic` from now on.

        `reach` is how many hear a line from this listener, all of them at once. Who `joins` lines
        hears up to `JOINED_MOST` of them at the price of one, the others one at a time. A topic
        is forgotten with its last listener.
        """
        here = self._topics.setdefault(topic, _Topic())
        at_once = JOINED_MOST if joins else 1
        listener = Listener(heard, reach, at_once, partial(self._left, topic, here))
        here.listeners[listener] = None
        return listener

    def say(self, line: ChatLine) -> int:
        """Tell everyone at the topic; returns how many hear it in the end."""
        here = self._topics.get(line.topic)
        if here is None:
            return 0
        here.lines.append(line)
        few, total, ready = len(here.listeners) <= FEW, 0, []
        for listener in here.listeners:
            reach = listener.reach()
            total += reach
            if few and reach <= FEW and not listener.behind:
                ready.append(listener)
            else:
                here.waiting[listener] = None
            listener.behind = min(listener.behind + 1, BEHIND_MOST)
        for listener in ready:
            here.tell(listener)
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

    def _left(self, topic: str, here: _Topic, listener: Listener) -> None:
        here.listeners.pop(listener, None)
        here.waiting.pop(listener, None)
        if not here.listeners and self._topics.get(topic) is here:
            del self._topics[topic]

    def _go_on(self) -> None:
        """Let those hear who are behind, one topic after the other."""
        self._timer = None
        topic = next(iter(self._waiting))
        del self._waiting[topic]
        here, told = self._topics.get(topic), 0
        if here is not None:
            while told < BITE and here.waiting:
                told += here.catch_up()
            if here.waiting:  # while somebody waits, to look for the most behind costs too much
                self._waiting[topic] = None
            else:
                here.forget()
        if self._waiting:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(told / HEARD, self._go_on)
