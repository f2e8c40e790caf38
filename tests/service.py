"""A whole service inside a test: host, policies and gateways on free loopback ports."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator, Callable
from functools import partial

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.gateways import Connection, Desk, Limits, Session
from parlour.host import Chat, Host, Pairer, Store
from parlour.lobby import Lobby
from parlour.match import MatchAggregate
from parlour.stores import MemoryStore

NOW = 1_800_000_000_000
NUMBERS = itertools.count(1)  # of streams; services that follow each other may share a store


def wall_clock() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


class Clock:
    """A time that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


class Service:
    """A host with its policies; gateways are listened for on ports of their own."""

    def __init__(self, store: Store, now: Callable[[], int], limits: Limits) -> None:
        self.store = store
        self.new_id = lambda: f"{next(NUMBERS):04d}"
        self.host = Host(store, MemoryBus(), [MatchAggregate(GAMES)], now, self.new_id)
        self.desk = Desk(self.host, Pairer(self.host, Lobby()), Chat(), limits)

    async def listen(self, make: Callable[[str], Session]) -> int:
        """Open a door on a free port and return the port."""
        port = await self.desk.listen(partial(Connection, self.desk, make), "127.0.0.1", 0)
        await self.desk.start()
        return port


@contextlib.asynccontextmanager
async def running(
    store: Store | None = None,
    now: Callable[[], int] = wall_clock,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
) -> AsyncIterator[Service]:
    """A service over `store`, recovered at the beginning and closed at the end."""
    service = Service(store if store is not None else MemoryStore(), now, limits)
    await service.host.recover(120_000)
    try:
        yield service
    finally:
        await service.desk.close()
        await service.host.close()


@contextlib.asynccontextmanager
async def connected(
    port: int, address: str = "127.0.0.1"
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection from an address of this machine, on which nothing has been sent."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
