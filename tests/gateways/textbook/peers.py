"""Textbook clients for tests: they do on a socket what the flow chart says, and nothing else."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator
from typing import Self, cast

from parlour.gateways import Desk
from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from parlour.host import Store
from tests.service import Service, running

SOON = 5.0  # seconds within which anything local has happened
RESET = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close sends an RST


class Peer:
    """One connection that reads and writes big-endian integers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, port: int) -> Self:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ints(self, count: int) -> tuple[int, ...]:
        data = await asyncio.wait_for(self.reader.readexactly(4 * count), SOON)
        return struct.unpack(f">{count}i", data)

    async def rest(self) -> tuple[int, ...]:
        """Everything until the server closes."""
        data = await asyncio.wait_for(self.reader.read(-1), SOON)
        return struct.unpack(f">{len(data) // 4}i", data)

    def mark(self, row: int, column: int) -> None:
        self.writer.write(struct.pack(">ii", row, column))

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    def read_nothing(self) -> None:
        """Leave everything that comes from now on where it is."""
        cast(asyncio.Transport, self.writer.transport).pause_reading()

    def reset(self) -> None:
        """Go away without a goodbye: the server gets an RST, and no end of the stream."""
        self.writer.get_extra_info("socket").setsockopt(*RESET)
        self.writer.transport.abort()

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


async def settled(desk: Desk, to: int = 0) -> None:
    """Wait until the gateways know that all but `to` are gone."""

    async def gone() -> None:
        while len(desk.connections) > to:
            await asyncio.sleep(0)

    await asyncio.wait_for(gone(), SOON)


class Door:
    """One textbook port and the clients that a test has sent there."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._peers: list[Peer] = []

    async def peer(self) -> Peer:
        peer = await Peer.connect(self.port)
        self._peers.append(peer)
        return peer

    async def pair(self) -> tuple[Peer, Peer]:
        """Player 1 and player 2, told so and started."""
        first = await self.peer()
        assert await first.ints(1) == (1,)
        second = await self.peer()
        assert await second.ints(1) == (2,)
        assert await first.ints(1) == (1,)
        return first, second

    async def fence(self) -> None:
        """Be answered twice: what the server had sent to anybody before has then come too.

        The answers need no commit: a role, and the end of who moves before an opponent came.
        """
        hasty = await self.peer()
        assert await hasty.ints(1) == (1,)
        hasty.mark(0, 0)
        assert await hasty.rest() == ()
        await hasty.close()

    async def close(self) -> None:
        for peer in self._peers:
            await peer.close()


class Table(Door):
    """A service of the test's own with a textbook door."""

    def __init__(self, service: Service, port: int) -> None:
        super().__init__(port)
        self.service = service

    async def settled(self, to: int = 0) -> None:
        """Wait until the server knows that all but `to` are gone."""
        await settled(self.service.desk, to)


@contextlib.asynccontextmanager
async def visiting(port: int) -> AsyncIterator[Door]:
    """The textbook door of a server that runs already; its clients leave in the end."""
    door = Door(port)
    try:
        yield door
    finally:
        await door.close()


@contextlib.asynccontextmanager
async def table(turn_limit: int = 0, store: Store | None = None) -> AsyncIterator[Table]:
    """A service that plays textbook tic-tac-toe on a free port."""
    async with running(store) as service:
        gateway = TextbookGateway(TextbookOptions(turn_limit=turn_limit), service.new_id)
        opened = Table(service, await service.listen(gateway.session))
        try:
            yield opened
        finally:
            await opened.close()
