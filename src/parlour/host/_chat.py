"""What people say to each other: no fact of a match, so it is kept in memory only."""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

LINES_KEPT = 200


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


class Chat:
    """Hands every line to whoever listens at its topic, the speaker included."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[ChatLine]] = {}
        self._listeners: dict[str, list[Heard]] = {}

    def listen(self, topic: str, heard: Heard) -> Callable[[], None]:
        """Hear what is said at `topic` from now on; returns how to stop.

        A topic is forgotten with its last listener.
        """
        listeners = self._listeners.setdefault(topic, [])
        listeners.append(heard)

        def stop() -> None:
            if heard in listeners:
                listeners.remove(heard)
            if not listeners and self._listeners.get(topic) is listeners:
                del self._listeners[topic]
                self._lines.pop(topic, None)

        return stop

    def say(self, line: ChatLine) -> None:
        """Tell everyone at the topic."""
        listeners = self._listeners.get(line.topic)
        if not listeners:
            return
        self._lines.setdefault(line.topic, deque(maxlen=LINES_KEPT)).append(line)
        for heard in tuple(listeners):
            heard(line)

    def lines(self, topic: str) -> list[ChatLine]:
        """The last lines said there, oldest first."""
        return list(self._lines.get(topic, ()))
