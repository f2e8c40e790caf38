"""Stores for tests that wait or fail when told to, over one that really works."""

from collections.abc import Callable, Sequence

from parlour.host import Done, StoreError, Write
from parlour.stores import MemoryStore


class HeldStore(MemoryStore):
    """While `held`, appends wait; `release` carries them out."""

    def __init__(self) -> None:
        super().__init__()
        self.held = False
        self.waiting: list[Callable[[], None]] = []

    def append(self, writes: Sequence[Write], done: Done) -> None:
        super_append = super().append
        if self.held:
            self.waiting.append(lambda: super_append(writes, done))
        else:
            super_append(writes, done)

    def release(self) -> None:
        self.held = False
        waiting, self.waiting = self.waiting, []
        for go_on in waiting:
            go_on()


class FailingStore(MemoryStore):
    """While `failing`, nothing is written."""

    failing = False

    def append(self, writes: Sequence[Write], done: Done) -> None:
        if self.failing:
            super().append((), lambda _: done(StoreError("no space left")))
        else:
            super().append(writes, done)
