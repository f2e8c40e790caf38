"""Go clients for tests: lines in, lines out, on real sockets."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable
from typing import Self

from parlour.gateways import Limits
from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.host import Store
from parlour.match import Tick
from tests.service import Clock, Service, running

SOON = 5.0  # seconds within which anything local has happened


class Peer:
    """One connection."""

    marks = itertools.count()

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, port: int, address: str = "127.0.0.1") -> Self:
        return cls(
            *await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(address, 0), limit=1 << 22
            )
        )

    def send(self, *lines: str) -> None:
        """Whole lines, all in one write."""
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    async def line(self) -> str:
        data = await asyncio.wait_for(self.reader.readline(), SOON)
        assert data.endswith(b"\n"), "the server closed"
        return data.decode()[:-1]

    async def hears(self, *lines: str) -> None:
        """The next lines are exactly these."""
        for expected in lines:
            line = await self.line()
            assert line == expected, f"{line!r} came, not {expected!r}"

    async def heard(self) -> list[str]:
        """Everything up to now, a fact on its way to a store in memory included.

        A name that nobody may have is answered at once, before a login and after it, and its
        answer comes after all that was said before; the second answer comes after what the
        first turn of the loop wrote.
        """
        lines: list[str] = []
        for _ in range(2):
            mark = f"MARK{next(self.marks)}"
            self.send(f"PLAYER {mark}")
            while f"name {mark} is not " not in (line := await self.line()):
                lines.append(line)
        return lines

    async def rest(self) -> list[str]:
        """Everything until the server closes."""
        data = await asyncio.wait_for(self.reader.read(-1), SOON)
        return data.decode().splitlines()

    async def closed(self) -> None:
        """The server has closed without another word."""
        assert await self.rest() == []

    def reset(self) -> None:
        """Go away without a goodbye: the server gets an RST."""
        self.writer.transport.abort()

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


class Club:
    """A service with a Go door, and the clock that it goes by."""

    def __init__(self, service: Service, gateway: NedapGateway, port: int, clock: Clock) -> None:
        self.service = service
        self.gateway = gateway
        self.port = port
        self.clock = clock
        self._peers: list[Peer] = []

    async def peer(self, name: str = "", address: str = "127.0.0.1") -> Peer:
        """A connection, logged in when it has a name."""
        peer = await Peer.connect(self.port, address)
        self._peers.append(peer)
        if name:
            peer.send(f"PLAYER {name}")
            assert await peer.heard() == []
        return peer

    async def pair(self, size: int = 5) -> tuple[Peer, Peer]:
        """Alice with black and Bob with white."""
        black = await self.peer("alice")
        black.send(f"GO {size}")
        await black.hears("WAITING")
        white = await self.peer("bob")
        white.send(f"GO {size}")
        await white.hears("WAITING", f"READY white alice {size}")
        await black.hears(f"READY black bob {size}")
        return black, white

    def streams(self) -> list[str]:
        """Every match that is not finished."""
        return list(self.service.host.directory.unfinished)

    async def passes(self, milliseconds: int) -> None:
        """Time goes by, and the matches notice."""
        self.clock.now += milliseconds
        for stream in self.streams():
            self.service.host.submit(stream, Tick())

    async def close(self) -> None:
        for peer in self._peers:
            await peer.close()


@contextlib.asynccontextmanager
async def club(
    options: NedapOptions = NedapOptions(),  # noqa: B008 - a frozen value
    store: Store | None = None,
    clock: Callable[[], Clock] = Clock,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
) -> AsyncIterator[Club]:
    """A service that plays Go on a free port, over a store in memory if nothing else is said."""
    time = clock()
    async with running(store, time, limits) as service:
        gateway = NedapGateway(options, service.host.directory, limits)
        opened = Club(service, gateway, await service.listen(gateway.session), time)
        try:
            yield opened
        finally:
            await opened.close()


async def moves(black: Peer, white: Peer, *played: str) -> None:
    """Black and white play in turn; `played` are `x y` or `pass`, and both hear each of them."""
    for mover, other, colour, move in zip(
        itertools.cycle((black, white)),
        itertools.cycle((white, black)),
        itertools.cycle(("black", "white")),
        played,
        strict=False,
    ):
        line = f"PASSED {colour}" if move == "pass" else f"VALID {colour} {move}"
        mover.send("PASS" if move == "pass" else f"MOVE {move}")
        await mover.hears(line)
        await other.hears(line)
