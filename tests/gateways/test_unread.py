"""What a connection leaves unread when it ends: its reader has so long, and nobody else waits."""

import asyncio
import socket
from collections.abc import Callable
from typing import cast

from parlour.gateways import Connection, Desk, Limits
from tests.gateways.nedap.peers import SOON, Club, club
from tests.gateways.test_tcp import deaf
from tests.gateways.test_tls import ONE, door
from tests.gateways.textbook.peers import settled

SENT_FEW = socket.SOL_SOCKET, socket.SO_SNDBUF, 4096
LEFT = 16_000  # bytes: far less than makes the server wait for their reader
SOME = Limits(stalled=0.5)


def transports(desk: Desk) -> list[asyncio.Transport]:
    return [one._transport for one in desk.connections if isinstance(one, Connection)]


async def fill(desk: Desk, say: Callable[[], object]) -> None:
    """Say what is answered until that much waits in the server for its reader."""
    for one in transports(desk):
        one.get_extra_info("socket").setsockopt(*SENT_FEW)
    async with asyncio.timeout(SOON):
        while max(one.get_write_buffer_size() for one in transports(desk)) < LEFT:
            say()
            await asyncio.sleep(0.001)


async def opponents(alice: socket.socket, opened: Club) -> None:
    """Alice leaves something unread; Bob, with whom she plays, has heard everything."""
    bob = await opened.peer("bob")
    bob.send("GO 5")
    await bob.hears("WAITING")
    alice.sendall(b"PLAYER alice\nGO 5\n")
    await bob.hears("READY black alice 5")
    await fill(opened.service.desk, lambda: alice.sendall(b"X\n" * 20))


async def test_who_ends_its_half_has_gone_at_once_and_is_let_go_soon() -> None:
    async with club(limits=SOME) as opened:
        with deaf(opened.port) as alice:
            await opponents(alice, opened)
            (bob,) = opened._peers

            alice.shutdown(socket.SHUT_WR)

            assert "alice is away" in await bob.line()
            assert len(transports(opened.service.desk)) == 2
            await settled(opened.service.desk, to=1)
            assert await bob.heard() == []


async def test_who_ends_its_half_may_read_what_it_was_told() -> None:
    async with club() as opened:
        alice, _ = await opened.pair()
        alice.send("X")
        alice.writer.write_eof()

        assert "WARNING" in await alice.line()
        await alice.closed()
        await settled(opened.service.desk, to=1)


async def test_a_service_that_stops_waits_so_long_for_its_readers() -> None:
    async with club(limits=SOME) as opened:
        with deaf(opened.port) as alice:
            await opponents(alice, opened)

            await asyncio.wait_for(opened.service.desk.close(), SOON)


async def test_over_tls_who_ends_its_half_is_let_go_soon_too() -> None:
    async with door(limits=SOME) as tls, tls.peer(ONE[0]) as (reader, writer):
        writer.write(b"PLAYER alice\nGO 9\n")
        assert await reader.readline() == b"WAITING\n"
        cast(asyncio.Transport, writer.transport).pause_reading()
        await fill(tls.service.desk, lambda: writer.write(b"X\n" * 100))

        writer.get_extra_info("socket").shutdown(socket.SHUT_WR)

        await tls.settled()
        writer.transport.abort()
