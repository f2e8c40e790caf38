"""A log in memory: for tests, and for servers that need not remember."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from parlour.host import Done, StaleVersionError, Stored, Write


class MemoryStore:
    """Keeps everything until the process ends."""

    def __init__(self) -> None:
        self._log: list[Stored] = []
        self._streams: dict[str, list[bytes]] = {}

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        """The events of one stream past version `after`."""
        return self._streams.get(stream, [])[after:]

    async def read_all(self, after: int = 0) -> AsyncIterator[Sequence[Stored]]:
        """Every event past position `after`, in one batch."""
        if len(self._log) > after:
            yield self._log[after:]

    def append(self, writes: Sequence[Write], done: Done) -> None:
        """Append all of `writes`, or nothing."""
        error = self._stale(writes)
        if error is None:
            for write in writes:
                self._add(write)
        asyncio.get_running_loop().call_soon(done, error)

    async def close(self) -> None:
        """Let the appends on their way be told."""
        await asyncio.sleep(0)

    def _stale(self, writes: Sequence[Write]) -> StaleVersionError | None:
        versions: dict[str, int] = {}
        for stream, expected, events in writes:
            version = versions.get(stream, len(self._streams.get(stream, ())))
            if version != expected:
                return StaleVersionError(f"{stream} has {version} events, not {expected}")
            versions[stream] = version + len(events)
        return None

    def _add(self, write: Write) -> None:
        events = self._streams.setdefault(write.stream, [])
        for data in write.events:
            events.append(data)
            self._log.append(Stored(len(self._log) + 1, write.stream, len(events), data))
