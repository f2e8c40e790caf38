"""A doorbell between the hosts of one process."""

import asyncio
from collections.abc import Callable


class MemoryBus:
    """Rings in the next turn of the event loop, as a real bus would ring later."""

    def __init__(self) -> None:
        self._bells: list[MemoryBell] = []

    def connect(self, heard: Callable[[str], None]) -> "MemoryBell":
        """Join the bus."""
        bell = MemoryBell(self._bells, heard)
        self._bells.append(bell)
        return bell


class MemoryBell:
    """One host's place on a `MemoryBus`."""

    def __init__(self, bells: "list[MemoryBell]", heard: Callable[[str], None]) -> None:
        self._bells = bells
        self._heard = heard

    def ring(self, stream: str) -> None:
        """Tell every other host that the stream has grown."""
        if len(self._bells) == 1 or self not in self._bells:
            return
        for bell in self._bells:
            if bell is not self:
                asyncio.get_running_loop().call_soon(bell._hear, stream)

    def close(self) -> None:
        """Hear and say nothing any more."""
        if self in self._bells:
            self._bells.remove(self)

    def _hear(self, stream: str) -> None:
        if self in self._bells:
            self._heard(stream)
