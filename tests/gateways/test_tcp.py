"""What runs every session on a socket: readers that are too slow, and mistakes of ours."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
from msgspec import to_builtins

from parlour.games.tictactoe import Options
from parlour.gateways import (
    Close,
    Connection,
    Effects,
    Find,
    Follow,
    Limits,
    Session,
    Submit,
    Write,
)
from parlour.host import Recorded
from parlour.lobby import Seek
from parlour.match import CreateMatch, GoAway, Newcomer, PlayMove, SetReady, Status, Terms
from parlour.stores import MemoryStore
from tests.gateways.textbook.peers import SOON, Door, Peer, settled
from tests.host.stores import HeldStore
from tests.host.test_following import GO, BrokenMedium, plays
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


class Watching(Session):
    """Follows the matches that it is sent the names of."""

    def received(self, data: bytes, now: int) -> Effects:
        return [Follow(data.decode(), 0)]

    def followed(self, records: Sequence[Recorded], now: int) -> Effects:
        return [Write(b"".join(struct.pack(">i", record.version) for record in records))]


async def test_who_cannot_be_told_of_a_match_does_not_wait_for_ever() -> None:
    medium = BrokenMedium(MemoryStore())
    async with running(medium) as service:
        door = Door(await service.listen(lambda address: Watching()))
        stream = service.host.create("match", GO)
        plays(service.host, stream, 0, 30)
        await service.host.state(stream)
        watcher, victim = await door.peer(), await door.peer()
        watcher.write(stream.encode())
        assert (await watcher.ints(34))[-1] == 34

        medium.broken = True
        victim.write(stream.encode())
        assert await victim.rest() == ()
        plays(service.host, stream, 30, 31)
        assert await watcher.ints(1) == (35,)
        await door.close()


async def test_who_follows_a_match_that_can_be_read_no_more_does_not_wait_for_ever() -> None:
    medium = BrokenMedium(MemoryStore())
    async with running(medium) as service:
        door = Door(await service.listen(lambda address: Watching()))
        stream = service.host.create("match", GO)
        watchers = [await door.peer(), await door.peer()]
        for watcher in watchers:
            watcher.write(stream.encode())
            assert await watcher.ints(4) == (1, 2, 3, 4)

        medium.broken = True
        plays(service.host, stream, 1, 2)  # out of turn, hence looked up first
        for watcher in watchers:
            assert await watcher.rest() == ()
        await door.close()


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


class Hasty(Session):
    """Asks at a match for more than may wait, and leaves in the same breath."""

    gone = False

    def __init__(self, stream: str) -> None:
        self.stream = stream

    def received(self, data: bytes, now: int) -> Effects:
        return [*self.lost(now), Close()]

    def lost(self, now: int) -> Effects:
        if self.gone:
            return []
        self.gone = True
        asked = [Submit(self.stream, SetReady(HASTY.identity)) for _ in range(1_000)]
        return [*asked, Submit(self.stream, GoAway(HASTY.identity))]


HASTY, BOB = (Newcomer(f"test:{name}", name, Terms(ready=True)) for name in ("hasty", "bob"))


@pytest.mark.slow
@pytest.mark.parametrize("by", ["itself", "the operator"])
async def test_who_cannot_say_in_the_end_that_it_goes_has_gone(by: str) -> None:
    store = HeldStore()
    async with running(store) as service:
        create = CreateMatch("tictactoe", to_builtins(Options()), (HASTY, BOB))
        stream = service.host.create("match", create)
        door = Door(await service.listen(lambda address: Hasty(stream)))
        hasty = await door.peer()
        _, version = await service.host.state(stream)
        gone = asyncio.Event()
        store.held = True  # so that much waits
        service.host.submit(stream, PlayMove(HASTY.identity, "0,0"))
        if by == "itself":
            hasty.write(b"anything")
        else:
            (connection,) = service.desk.connections
            assert isinstance(connection, Connection)
            connection.send_away("enough")
        assert await hasty.rest() == ()
        store.release()
        service.host.follow(
            stream,
            version,
            lambda records: gone.set() if records[-1].state.status.finished else None,
        )
        await asyncio.wait_for(gone.wait(), SOON)
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


class Talker(Session):
    """Says what is announced, and goodbye to whoever says anything."""

    def received(self, data: bytes, now: int) -> Effects:
        return [Write(bytes(4)), Close()]

    def announced(self, text: str, now: int) -> Effects:
        return [Write(text.encode())]


class Stammerer(Session):
    """Cannot be written for, whatever it has to say."""

    def announced(self, text: str, now: int) -> Effects:
        return [Write(text)]  # type: ignore[arg-type]  # that is the mistake

    def closing(self, now: int) -> Effects:
        return self.announced("goodbye", now)


def announce(service: Service, *order: type[Session]) -> list[bool]:
    """Say "hear" on every connection, those with the sessions named first in front."""
    every = [one for one in service.desk.connections if isinstance(one, Connection)]
    every.sort(key=lambda one: type(one._session) not in order)
    return [one.announce("hear") for one in every]


async def test_to_who_has_been_told_goodbye_nothing_more_is_said() -> None:
    async with running() as service:
        door = Door(await service.listen(lambda address: Talker()))
        lingerer, *others = [await door.peer() for _ in range(3)]
        lingerer.write(b"anything")
        assert await lingerer.rest() == (0,)
        await settled(service.desk, to=3)  # it keeps its own side open

        for _ in range(2):
            assert sorted(announce(service)) == [False, True, True]
            for other in others:
                assert await other.ints(1) == struct.unpack(">i", b"hear")
        await door.close()


async def test_who_cannot_be_written_to_costs_nobody_else_anything(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with running() as service:
        door = Door(await service.listen(lambda address: Talker()))
        wrong = Door(await service.listen(lambda address: Stammerer()))
        other, victim = await door.peer(), await wrong.peer()
        await settled(service.desk, to=2)

        announce(service, Stammerer)
        assert await other.ints(1) == struct.unpack(">i", b"hear")
        assert await victim.rest() == ()
        announce(service)
        assert await other.ints(1) == struct.unpack(">i", b"hear")

        await wrong.peer()  # and in the end, where the service says goodbye
        await settled(service.desk, to=2)
        await asyncio.wait_for(service.desk.close(), SOON)
        await door.close()
        await wrong.close()
    assert [line.message for line in caplog.records] == ["a connection failed"] * 2
