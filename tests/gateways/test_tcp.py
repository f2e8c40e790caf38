"""What runs every session on a socket: readers that are too slow, and mistakes of ours."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Iterator

import pytest
from msgspec import to_builtins

from parlour.games.tictactoe import Options
from parlour.gateways import Close, Effects, Find, Limits, Session, Write
from parlour.lobby import Seek
from parlour.match import Status, Terms
from tests.gateways.textbook.peers import SOON, Door, Peer, settled
from tests.service import Service, running

LITTLE = 1 << 17  # more than may lie unread for long, less than may lie unread at all
MUCH = 1 << 25  # more than the kernel takes and we keep
TIMES = 64  # so often LITTLE is more than the kernel takes


class Fountain(Session):
    """Gives as many bytes as each number asks for."""

    rest = b""

    def received(self, data: bytes, now: int) -> Effects:
        data = self.rest + data
        whole = len(data) // 4 * 4
        self.rest = data[whole:]
        return [Write(bytes(number)) for (number,) in struct.iter_unpack(">i", data[:whole])]


class Mistaken(Session):
    """Breaks at the first word."""

    def received(self, data: bytes, now: int) -> Effects:
        raise ZeroDivisionError


@contextlib.asynccontextmanager
async def fountain(stalled: float = 10.0) -> AsyncIterator[tuple[Service, Door]]:
    """A service with a fountain's door; `stalled`: seconds for who does not read."""
    async with running(limits=Limits(stalled=stalled)) as service:
        door = Door(await service.listen(lambda address: Fountain()))
        try:
            yield service, door
        finally:
            await door.close()


@contextlib.contextmanager
def deaf(port: int) -> Iterator[socket.socket]:
    """A client for which the kernel takes little, and which reads when the test does."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # each question by itself
        client.connect(("127.0.0.1", port))
        client.setblocking(False)
        yield client


def ask(client: socket.socket, count: int) -> None:
    client.sendall(struct.pack(">i", count))


async def read(client: socket.socket, count: int) -> bool:
    """Whether so many bytes came before the end."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(SOON):
        while count > 0 and (data := await loop.sock_recv(client, count)):
            count -= len(data)
    return count == 0


async def is_served(peer: Peer) -> None:
    """The server answers somebody, so it has read what others sent before."""
    peer.write(struct.pack(">i", 4))
    assert await peer.ints(1) == (0,)


async def test_who_leaves_too_much_unread_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with fountain() as (service, door):
        other = await door.peer()
        with deaf(door.port) as client:
            ask(client, MUCH)
            await is_served(other)
            await settled(service.desk, to=1)
            assert "dropped: left 1048576 bytes unread" in caplog.text
        await is_served(other)


async def test_who_leaves_less_unread_is_dropped_when_that_lasts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    async with fountain(stalled=0.05) as (service, door):
        other = await door.peer()
        with deaf(door.port) as client:
            for _ in range(TIMES):
                with contextlib.suppress(ConnectionError):
                    ask(client, LITTLE)
                await is_served(other)
            await settled(service.desk, to=1)
            assert "dropped: does not read" in caplog.text
        await is_served(other)


@pytest.mark.slow
async def test_who_reads_again_in_time_is_not_dropped() -> None:
    async with fountain(stalled=2.0) as (service, door):
        other = await door.peer()
        with deaf(door.port) as late, deaf(door.port) as never:
            for client in (late, never):
                for _ in range(TIMES):
                    ask(client, LITTLE)
                    await is_served(other)
            assert await read(late, TIMES * LITTLE)
            await settled(service.desk, to=2)  # the other is dropped; this one was to be before
            ask(late, 4)
            assert await read(late, 4)


async def test_a_mistake_of_ours_costs_one_connection(caplog: pytest.LogCaptureFixture) -> None:
    async with fountain() as (service, door):
        other = await door.peer()
        mistaken = Door(await service.listen(lambda address: Mistaken()))
        victim = await mistaken.peer()
        victim.write(b"anything")
        assert await victim.rest() == ()
        await mistaken.close()
        assert [record.message for record in caplog.records] == [
            "a session failed; its connection is closed"
        ]
        await is_served(other)


class Fickle(Session):
    """Looks for an opponent and leaves in one breath."""

    def received(self, data: bytes, now: int) -> Effects:
        return [Find(seek("fickle:ann")), Close()]


def seek(identity: str) -> Seek:
    """Somebody who would play tic-tac-toe and may not be away."""
    return Seek(
        identity, identity, identity, "tictactoe", to_builtins(Options()), Terms(ready=True)
    )


async def test_who_finds_an_opponent_in_the_moment_of_leaving_is_gone() -> None:
    async with running() as service:
        door = Door(await service.listen(lambda address: Fickle()))
        paired: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        service.desk.pairer.seek(seek("test:bob"), paired.set_result, print, lambda: None)
        fickle = await door.peer()
        fickle.write(b"anything")
        async with asyncio.timeout(SOON):
            stream = await paired
            heard = asyncio.Event()
            service.host.follow(stream, 4, lambda records: heard.set())
            await heard.wait()
        match, _ = await service.host.state(stream)
        assert match.status is Status.ABORTED
        await door.close()


async def test_who_asks_for_a_lot_keeps_nobody_waiting() -> None:
    """A million bytes are heard a bite at a time, and others in between."""
    async with fountain() as (service, door):
        other, greedy = await door.peer(), await door.peer()
        asked = 50_000
        greedy.write(struct.pack(">i", 4) * asked)
        turns = 0
        while not service.desk.turns.waiting:
            await asyncio.sleep(0)
            turns += 1
            assert turns < 100_000
        await is_served(other)
        assert service.desk.turns.waiting
        assert await greedy.ints(asked) == (0,) * asked
