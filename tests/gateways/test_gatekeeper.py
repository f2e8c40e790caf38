"""Who may have a connection: what is counted of an address, what is not, and who is told what."""

import asyncio
import contextlib
import socket
import struct
from functools import partial

import pytest

from parlour.games import Refusal, Refused
from parlour.gateways import Gatekeeper, Limits, Networks, customer_of
from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.gateways.ruc import RucGateway, RucOptions
from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from parlour.wire.ruc import ErrorCode, Frame, Opcode, encode, error_frame
from tests.service import NOW, Clock, Service, running
from tests.service import connected as connected_from

SOON = 5.0
ALICE, BOB = "203.0.113.1", "203.0.113.2"


def turned_away(keeper: Gatekeeper, address: str, now: int = NOW) -> str:
    """Why a connection gets no place; nothing when it gets one."""
    try:
        keeper.admit(address, now)
    except Refused as no:
        return f"{no.detail} ({no.refusal})" if no.refusal is not Refusal.LIMIT else no.detail
    return ""


def test_an_address_has_so_many_connections_and_no_more() -> None:
    keeper = Gatekeeper(Limits(connections=2))
    assert [turned_away(keeper, ALICE) for _ in range(2)] == ["", ""]

    assert turned_away(keeper, ALICE) == "your address has 2 connections already"
    assert turned_away(keeper, BOB) == ""

    keeper.left(ALICE, True, NOW)
    assert turned_away(keeper, ALICE) == ""


def test_an_address_has_so_many_new_connections_a_second() -> None:
    keeper = Gatekeeper(Limits(arrivals=10, arrivals_at_once=20))
    came = [turned_away(keeper, ALICE) for _ in range(21)]

    assert came[:20] == [""] * 20
    assert came[20].startswith("more than 10 new connections a second")
    assert turned_away(keeper, BOB) == ""
    assert turned_away(keeper, ALICE, NOW + 100) == ""


def test_only_connections_that_end_without_a_login_are_a_storm() -> None:
    keeper = Gatekeeper(Limits(strangers=1, strangers_at_once=3))
    for _ in range(100):
        assert turned_away(keeper, ALICE) == ""
        keeper.left(ALICE, True, NOW)
    for _ in range(3):
        assert turned_away(keeper, ALICE) == ""
        keeper.left(ALICE, False, NOW)

    assert "ended without a login" in turned_away(keeper, ALICE)
    assert turned_away(keeper, BOB) == ""
    assert turned_away(keeper, ALICE, NOW + 1000) == ""


def test_who_is_turned_away_is_not_counted() -> None:
    keeper = Gatekeeper(Limits(connections=1, arrivals=1, arrivals_at_once=2))
    assert turned_away(keeper, ALICE) == ""
    for _ in range(10):
        assert turned_away(keeper, ALICE) != ""
    keeper.left(ALICE, True, NOW)

    assert turned_away(keeper, ALICE) == ""


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "127.8.9.10"])
def test_this_machine_has_no_limit(address: str) -> None:
    keeper = Gatekeeper(Limits(connections=1))

    assert [turned_away(keeper, address) for _ in range(5)] == [""] * 5
    assert not keeper.connections


def test_a_customer_of_ipv6_is_a_network_and_an_ipv4_address_is_one_over_ipv6_too() -> None:
    keeper = Gatekeeper(Limits(connections=1))
    assert turned_away(keeper, "2001:db8:1:2::3") == ""
    assert turned_away(keeper, ALICE) == ""

    assert turned_away(keeper, "2001:db8:1:2:ffff::4") != ""
    assert turned_away(keeper, f"::ffff:{ALICE}") != ""
    assert turned_away(keeper, "2001:db8:1:3::3") == ""


def test_nothing_is_kept_of_who_has_left() -> None:
    keeper = Gatekeeper(Limits())
    assert turned_away(keeper, ALICE) == ""
    keeper.left(ALICE, True, NOW)

    assert not keeper.connections


@pytest.mark.parametrize("written", ["10.0.0.0/8", "::ffff:10.0.0.0/104", "::ffff:10.1.2.3"])
@pytest.mark.parametrize("address", ["10.1.2.3", "::ffff:10.1.2.3"])
def test_a_network_of_ipv4_is_one_however_it_is_written(written: str, address: str) -> None:
    assert address in Networks((written,))


def test_networks_hold_addresses_and_nothing_else() -> None:
    networks = Networks(("10.0.0.0/8", "192.0.2.7"))

    assert all(one in networks for one in ("10.1.2.3", "192.0.2.7"))
    assert not any(one in networks for one in ("192.0.2.8", "::1", "", "fe80::1%eth0", "nonsense"))
    with pytest.raises(ValueError, match="does not appear"):
        Networks(("10.0.0.0/8/8",))


# At the doors

DOORS = ("textbook", "nedap", "ruc")
connected = partial(connected_from, address="127.0.0.2")
# What each protocol says to a connection for which there is no room.
SAID = {
    "textbook": b"",
    "nedap": b"WARNING your address has 1 connections already\n",
    "ruc": encode(error_frame(ErrorCode.OTHER_ERROR, "your address has 1 connections already")),
}


async def door(service: Service, protocol: str) -> int:
    """The port of a protocol's door."""
    directory = service.host.directory
    match protocol:
        case "textbook":
            return await service.listen(TextbookGateway(TextbookOptions(), service.new_id).session)
        case "nedap":
            return await service.listen(NedapGateway(NedapOptions(), directory).session)
        case _:
            return await service.listen(RucGateway(RucOptions(), directory).session)


async def gone(service: Service, to: int = 0) -> None:
    """So many connections are left."""
    async with asyncio.timeout(SOON):
        while len(service.desk.connections) > to:
            await asyncio.sleep(0)


@pytest.mark.parametrize("protocol", DOORS)
async def test_each_protocol_says_what_it_can_to_who_is_turned_away(protocol: str) -> None:
    limits = Limits(exempt=(), connections=1)
    async with running(limits=limits) as service:
        port = await door(service, protocol)
        async with connected(port), connected(port) as (reader, _):
            said = await asyncio.wait_for(reader.read(), SOON)
            assert said == SAID[protocol]
        await gone(service)
        async with connected_from(port, "127.0.0.3"):  # and others are let in
            pass
        assert not service.desk.gatekeeper.connections.total() > 1


async def test_one_limit_holds_over_all_doors() -> None:
    async with running(limits=Limits(exempt=(), connections=1)) as service:
        ports = [await door(service, protocol) for protocol in ("nedap", "ruc")]
        async with connected(ports[0]), connected(ports[1]) as (reader, _):
            assert await asyncio.wait_for(reader.read(), SOON) == SAID["ruc"]


async def test_who_comes_and_is_gone_at_once_is_part_of_a_storm() -> None:
    limits = Limits(exempt=(), strangers=1, strangers_at_once=20)
    async with running(now=Clock(), limits=limits) as service:
        port = await door(service, "nedap")
        for _ in range(24):  # of whom fewer are told why than anybody may be at once
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.bind(("127.0.0.2", 0))
                client.connect(("127.0.0.1", port))  # and is reset before anybody has let it in
        async with asyncio.timeout(SOON):
            async with connected_from(port, "127.0.0.3") as (reader, writer):
                writer.write(b"X\n")
                await reader.readline()  # so everybody before it was let in
            async with connected(port) as (reader, _):
                assert b"ended without a login" in await reader.read()


def logins(protocol: str, name: str) -> bytes:
    """What one says first; player 1 of the textbook protocol is known when an opponent comes."""
    join = encode(Frame(Opcode.JOIN_ROOM, "garden", name))
    return {"textbook": b"", "nedap": f"PLAYER {name}\nPLAYER {name}\n".encode()}.get(
        protocol, join
    )


@pytest.mark.parametrize("protocol", DOORS)
async def test_who_has_logged_in_is_no_part_of_a_storm(protocol: str) -> None:
    limits = Limits(exempt=("127.0.0.1",), strangers=1, strangers_at_once=1)
    async with running(now=Clock(), limits=limits) as service:
        port = await door(service, protocol)
        for _ in range(3):
            async with (
                connected(port) as (reader, writer),
                connected_from(port, "127.0.0.1") as other,
            ):
                writer.write(logins(protocol, "alice"))
                other[1].write(logins(protocol, "bob"))
                assert await asyncio.wait_for(reader.read(4), SOON)
                assert await asyncio.wait_for(other[0].read(4), SOON)
            await gone(service)
        async with connected(port):
            pass
        await gone(service)
        async with connected(port) as (reader, _):
            said = await asyncio.wait_for(reader.read(), SOON)

    assert (b"ended without a login" in said) == (protocol != "textbook")


async def test_a_flood_of_lines_is_heard_at_its_pace_and_others_at_once() -> None:
    limits = Limits(exempt=("127.0.0.1",), lines=1000, lines_at_once=100)
    async with running(limits=limits) as service:
        port = await door(service, "nedap")
        loop = asyncio.get_running_loop()
        async with connected(port) as (reader, writer), connected_from(port, "127.0.0.1") as other:
            began = loop.time()
            writer.write(b"X\n" * 600)
            other[1].write(b"X\n")
            await asyncio.wait_for(other[0].readline(), SOON)
            at_once = loop.time() - began
            for _ in range(600):
                assert b"WARNING" in await asyncio.wait_for(reader.readline(), SOON)
            took = loop.time() - began

    assert 0.3 < took < 4  # 500 lines above what is heard at once, less the last bite
    assert at_once < took / 2


async def test_who_speaks_to_many_pays_for_them() -> None:
    limits = Limits(exempt=("127.0.0.1",), lines=1, lines_at_once=9)
    async with running(now=Clock(), limits=limits) as service:
        port = await door(service, "nedap")
        async with contextlib.AsyncExitStack() as room:
            for number in range(40):
                name = f"{chr(97 + number // 26)}{chr(97 + number % 26)}"
                one, listening = await room.enter_async_context(connected_from(port, "127.0.0.1"))
                listening.write(f"PLAYER {name}\n".encode() * 2)
                assert b"already" in await asyncio.wait_for(one.readline(), SOON)
            reader, writer = await room.enter_async_context(connected(port))
            writer.write(b"PLAYER alice\nPLAYER alice\n")
            assert b"already" in await asyncio.wait_for(reader.readline(), SOON)
            paced = customer_of("127.0.0.2")
            assert service.desk.pace.takes(paced, b"three\n")

            writer.write(b"CHAT hello\nCHAT everybody\n")
            assert await asyncio.wait_for(reader.readline(), SOON) == b"CHAT alice: hello\n"

            assert not service.desk.pace.takes(paced, b"after 3 + 2 * (1 + 41 // 20)\n")


async def test_who_leaves_in_the_middle_of_a_flood_leaves_nothing_behind() -> None:
    async with running(limits=Limits(exempt=(), lines=2000, lines_at_once=1)) as service:
        port = await door(service, "nedap")
        async with connected(port) as (_, flooding), connected(port) as (reader, other):
            flooding.write(b"X\n" * 1000)
            await flooding.drain()
            flooding.transport.abort()
            await gone(service, to=1)
            other.write(b"X\n")
            assert b"WARNING" in await asyncio.wait_for(reader.readline(), SOON)
        await gone(service)
        assert not service.desk.gatekeeper.connections
