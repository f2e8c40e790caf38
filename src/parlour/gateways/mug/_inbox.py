"""Stanzas for one room, handled one after the other."""

import logging
from collections import Counter, deque
from collections.abc import Callable

from parlour.gateways.mug._outbox import Outbox
from parlour.wire.mug import Condition, Stanza, bare

log = logging.getLogger("parlour.mug")

# Stanzas that wait for a slow store: of one room, and of one bare JID in it.
MOST = 1_000
OF_ONE_MOST = 60


class Inbox:
    """What waits for its turn; nobody can keep others out by asking."""

    def __init__(
        self, outbox: Outbox, waits: Callable[[], bool], handle: Callable[[Stanza], None]
    ) -> None:
        self._outbox = outbox
        self._waits = waits
        self._handle = handle
        self._waiting: deque[Stanza] = deque()
        self._of_each: Counter[str] = Counter()
        self._at_work = ""  # whose stanza was handled last

    @property
    def waiting(self) -> bool:
        """Whether anything is left to be handled."""
        return bool(self._waiting)

    def put(self, stanza: Stanza) -> None:
        """Handle it when those before it are done; a leave waits however many do."""
        user = bare(stanza.sender)
        crowded = len(self._waiting) >= MOST or self._of_each[user] >= OF_ONE_MOST
        if crowded and not stanza.leaves:
            self._outbox.refuse(stanza, Condition.RESOURCE_CONSTRAINT, "too many wait")
            return
        self._waiting.append(stanza)
        self._of_each[user] += 1
        self.work()

    def work(self) -> None:
        """Handle what waits, until something is on its way that the next may depend on."""
        while self._waiting and not self._waits():
            stanza = self._waiting.popleft()
            self._taken(bare(stanza.sender))
            self._at_work = stanza.sender
            try:
                self._handle(stanza)
            except Exception:
                log.exception("cannot handle a %s for %s", stanza.kind, stanza.to)

    def stays(self, sender: str) -> bool | None:
        """Whether the last that a full JID said is not its leave; None when it said nothing."""
        before = next((one for one in reversed(self._waiting) if one.sender == sender), None)
        if before is not None:
            return not before.leaves
        return True if sender == self._at_work else None

    def take_all(self) -> list[Stanza]:
        """What nobody has looked at; nothing waits any more."""
        rest, self._waiting = list(self._waiting), deque()
        self._of_each.clear()
        return rest

    def _taken(self, user: str) -> None:
        self._of_each[user] -= 1
        if not self._of_each[user]:
            del self._of_each[user]
