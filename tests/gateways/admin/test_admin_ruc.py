"""What an operator does to players of Chinese checkers, as their clients hear it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.admin.operators import House
from tests.gateways.ruc.peers import Peer

pytestmark = pytest.mark.slow


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    with House(tmp_path, "ruc") as house:
        yield house
        status, said = house.stop()
    assert status == 0
    assert "Traceback" not in said


async def comes(house: House) -> Peer:
    return Peer(*await asyncio.open_connection("127.0.0.1", house.ports["ruc"]))


async def room(house: House) -> tuple[Peer, Peer]:
    """Alice and Bob in the garden."""
    alice, bob = await comes(house), await comes(house)
    alice.says(Opcode.JOIN_ROOM, "garden", "alice")
    await alice.hears(("JOIN_ROOM_REPLY", "", ""))
    bob.says(Opcode.JOIN_ROOM, "garden", "bob")
    await bob.hears(("JOIN_ROOM_REPLY", "alice", "0"))
    await alice.hears(("JOIN_ROOM", "bob", ""))
    return alice, bob


async def test_who_is_kicked_hears_why_and_the_others_that_they_left(house: House) -> None:
    alice, bob = await room(house)

    await house.operator.does("kick", "ruc:bob", "--reason", "that will do")

    op, code, sentence = await bob.frame()
    assert (op, code) == ("ERROR", str(ErrorCode.OTHER_ERROR.value))
    assert sentence.endswith("that will do")
    assert (await bob.frame())[0] == "EOF"
    await alice.hears(("LEAVE_ROOM", "bob", ""))
    await alice.close()
    await bob.close()


async def test_a_name_that_is_banned_joins_no_room(house: House) -> None:
    alice, bob = await room(house)
    assert (await house.operator.does("ban", "--name", "ruc:bob"))["connections"] == 1
    await alice.hears(("LEAVE_ROOM", "bob", ""))

    again = await comes(house)
    again.says(Opcode.JOIN_ROOM, "garden", "bob")

    op, code, sentence = await again.frame()
    assert (op, code) == ("ERROR", str(ErrorCode.INVALID_JOIN.value))
    assert sentence.endswith("you are banned")
    again.says(Opcode.JOIN_ROOM, "garden", "robert")
    await again.hears(("JOIN_ROOM_REPLY", "alice", "0"))
    for peer in (alice, bob, again):
        await peer.close()


async def test_a_closed_room_is_closed_for_everybody(house: House) -> None:
    alice, bob = await room(house)

    await house.operator.does("close", "--room", "Garden")

    for peer in (alice, bob):
        await peer.hears(("CLOSE_ROOM", "the operator has closed it", ""))
    alice.says(Opcode.JOIN_ROOM, "garden", "alice")
    await alice.hears(("JOIN_ROOM_REPLY", "", ""))
    await alice.close()
    await bob.close()


async def test_a_running_game_is_closed_for_everybody(house: House) -> None:
    alice, bob = await room(house)
    for peer, name in ((alice, "alice"), (bob, "bob")):
        peer.says(Opcode.PLAYER_READY, name)
        for other in (alice, bob):
            await other.hears(("PLAYER_READY", name, ""))
    for peer in (alice, bob):
        await peer.hears(("START_GAME", "alice bob", "A D"), ("START_TURN", "A", "*"))
    (match,) = (await house.operator.does("matches"))["matches"]
    assert (match["room"], match["status"]) == ("garden", "live")

    await house.operator.does("close", "--match", match["id"], "--reason", "the power goes")

    for peer in (alice, bob):
        await peer.hears(("CLOSE_ROOM", "the power goes", ""))
    await alice.close()
    await bob.close()


async def test_nobody_can_be_told_anything(house: House) -> None:
    alice, bob = await room(house)

    told = await house.operator.reads("announce", "tea at five")

    assert told == "ruc: 2 not told, the protocol has no words for it\n"
    assert await alice.heard() == []
    await alice.close()
    await bob.close()


async def test_no_game_starts_in_a_drain(house: House) -> None:
    alice, bob = await room(house)
    third, fourth = await comes(house), await comes(house)
    for peer, name in ((third, "carol"), (fourth, "dave")):
        peer.says(Opcode.JOIN_ROOM, "attic", name)
        assert (await peer.frame())[0] == "JOIN_ROOM_REPLY"
    assert (await third.frame())[0] == "JOIN_ROOM"
    for peer, name in ((third, "carol"), (fourth, "dave")):
        peer.says(Opcode.PLAYER_READY, name)
        for other in (third, fourth):
            await other.hears(("PLAYER_READY", name, ""))
    for peer in (third, fourth):
        await peer.hears(("START_GAME", "carol dave", "A D"), ("START_TURN", "A", "*"))
    assert (await house.operator.does("drain"))["games"] == 1

    alice.says(Opcode.PLAYER_READY, "alice")
    for peer in (alice, bob):
        await peer.hears(("PLAYER_READY", "alice", ""))
    bob.says(Opcode.PLAYER_READY, "bob")
    await bob.is_told(ErrorCode.OTHER_ERROR)

    await house.operator.does("undrain")
    bob.says(Opcode.PLAYER_READY, "bob")
    for peer in (alice, bob):
        await peer.hears(("PLAYER_READY", "bob", ""), ("START_GAME", "alice bob", "A D"))
    for peer in (alice, bob, third, fourth):
        await peer.close()
