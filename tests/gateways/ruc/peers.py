"""Chinese checkers clients for tests: whole frames in, whole frames out, on real sockets."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec

from parlour.gateways.ruc import RucGateway, RucOptions
from parlour.host import Store
from parlour.match import Match, Tick
from parlour.wire.ruc import Codec, ErrorCode, Frame, Opcode, encode
from tests.service import Service, running, wall_clock

SOON = 5.0  # seconds within which anything local has happened
Said = tuple[str, str, str]


class Peer:
    """One connection."""

    marks = itertools.count(1_000_000)  # ops that nobody knows

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._codec = Codec()
        self._heard: list[Frame] = []

    def says(self, op: Opcode, data1: str = "", data2: str = "") -> None:
        self.writer.write(encode(Frame(op, data1, data2)))

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    async def frame(self) -> Said:
        """The next frame, as (op, data1, data2)."""
        while not self._heard:
            data = await asyncio.wait_for(self.reader.read(65536), SOON)
            if not data:
                return ("EOF", "", "")
            for one in self._codec.feed(data):
                assert isinstance(one, Frame), one
                self._heard.append(one)
        one = self._heard.pop(0)
        return (one.op.name, one.data1, one.data2)

    async def hears(self, *expected: Said) -> None:
        """Exactly these frames come next. A START_TURN's time is written as *."""
        for wanted in expected:
            op, data1, data2 = await self.frame()
            if op == "START_TURN":
                assert data2.isdigit()
                assert len(data2) == 10  # seconds
                data2 = "*"
            if op == "ERROR":
                data2 = "*"
            assert (op, data1, data2) == wanted, f"{(op, data1, data2)} came, not {wanted}"

    async def heard(self) -> list[Said]:
        """All frames up to now, a fact on its way to a store in memory included.

        An op that nobody knows is answered at once, and its answer comes after all that was said
        before; the second answer comes after what the first turn of the loop wrote.
        """
        said: list[Said] = []
        for _ in range(2):
            op = next(self.marks)
            self.write(b'{"op":%d}\n' % op)
            while (one := await self.frame()) != (
                "ERROR",
                str(ErrorCode.INVALID_REQ.value),
                one[2],
            ):
                said.append(one)
            assert one[2].startswith(f"INVALID_REQ: op {op} is unknown"), one
        return said

    async def is_told(self, code: ErrorCode) -> None:
        """The next frame is an ERROR of this code, and says so in words."""
        op, number, sentence = await self.frame()
        assert (op, number) == ("ERROR", str(code.value)), sentence
        assert sentence.startswith(f"{code.name}: ")

    def reset(self) -> None:
        """Go away without a goodbye: the server gets an RST."""
        self.writer.transport.abort()

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


class House:
    """A service with a RUC door."""

    def __init__(self, service: Service, port: int) -> None:
        self.service = service
        self.port = port
        self._peers: list[Peer] = []

    async def peer(self, address: str = "127.0.0.1") -> Peer:
        streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        peer = Peer(*streams)
        self._peers.append(peer)
        return peer

    def tick(self) -> None:
        """Every match looks at its clock."""
        for stream in self.service.host.directory.unfinished:
            self.service.host.submit(stream, Tick())

    async def match(self) -> Match:
        """The one match that is not over."""
        (stream,) = self.service.host.directory.unfinished
        state, _ = await self.service.host.state(stream)
        assert isinstance(state, Match)
        return state

    async def joined(self, *names: str, room: str = "room1") -> list[Peer]:
        """That many players in a room, each of whom has heard the ones after."""
        peers = [await self.peer() for _ in names]
        await self._join(peers, names, room)
        return peers

    async def started(self, *names: str, room: str = "room1") -> list[Peer]:
        """A running game; everybody has heard the first START_TURN."""
        return await self.gathered([await self.peer() for _ in names], names, room)

    async def gathered(
        self, peers: list[Peer], names: Sequence[str], room: str = "room1"
    ) -> list[Peer]:
        """The same, of connections that are in no room."""
        await self._join(peers, names, room)
        zones = {2: "A D", 3: "A C E", 4: "A B D E", 5: "A B C D E", 6: "A B C D E F"}
        for peer, name in zip(peers, names, strict=True):
            peer.says(Opcode.PLAYER_READY, name)
            for other in peers:
                await other.hears(("PLAYER_READY", name, ""))
        for peer in peers:
            await peer.hears(
                ("START_GAME", " ".join(names), zones[len(names)]), ("START_TURN", "A", "*")
            )
        return peers

    async def _join(self, peers: list[Peer], names: Sequence[str], room: str) -> None:
        for count, (peer, name) in enumerate(zip(peers, names, strict=True)):
            peer.says(Opcode.JOIN_ROOM, room, name)
            await peer.hears(("JOIN_ROOM_REPLY", " ".join(names[:count]), "0" * count))
            for other in peers[:count]:
                await other.hears(("JOIN_ROOM", name, ""))

    async def close(self) -> None:
        for peer in self._peers:
            await peer.close()


@contextlib.asynccontextmanager
async def house(
    now: Callable[[], int] = wall_clock, store: Store | None = None, **options: str | int
) -> AsyncIterator[House]:
    """A service that plays Chinese checkers on a free port."""
    async with running(store, now) as service:
        chosen = msgspec.convert(options, RucOptions)
        gateway = RucGateway(chosen, service.host.directory)
        opened = House(service, await service.listen(gateway.session))
        try:
            yield opened
        finally:
            await opened.close()
