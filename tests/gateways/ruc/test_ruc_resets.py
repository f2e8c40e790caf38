"""Connections that are reset, in every state: two who play in another room notice nothing."""

import logging
import socket
import struct
from collections.abc import Awaitable, Callable

import pytest

from parlour.wire.ruc import Opcode
from tests.gateways.ruc.peers import House, Peer, house

RESET = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def stranger(doors: House) -> Peer:
    return await doors.peer()


async def half_a_line(doors: House) -> Peer:
    peer = await doors.peer()
    peer.write(b'{"op":2000')
    return peer


async def alone_in_a_room(doors: House) -> Peer:
    return (await doors.joined("eve"))[0]


async def ready(doors: House) -> Peer:
    eve, frank = await doors.joined("eve", "frank")
    eve.says(Opcode.PLAYER_READY, "eve")
    await frank.hears(("PLAYER_READY", "eve", ""))
    return eve


async def in_turn(doors: House) -> Peer:
    return (await doors.started("eve", "frank"))[0]


async def out_of_turn(doors: House) -> Peer:
    return (await doors.started("eve", "frank"))[1]


async def with_a_move_on_its_way(doors: House) -> Peer:
    eve = await in_turn(doors)
    eve.says(Opcode.MOVE, "A", "-4 5 -4 4")
    return eve


async def after_the_end(doors: House) -> Peer:
    eve, frank = await doors.started("eve", "frank")
    frank.says(Opcode.LEAVE_ROOM, "room1", "frank")
    await eve.hears(("LEAVE_ROOM", "frank", ""))
    return eve


STATES: list[Callable[[House], Awaitable[Peer]]] = [
    stranger, half_a_line, alone_in_a_room, ready, in_turn, out_of_turn, with_a_move_on_its_way,
    after_the_end,
]  # fmt: skip


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
async def test_a_reset_ends_one_connection_and_disturbs_nobody(
    state: Callable[[House], Awaitable[Peer]], caplog: pytest.LogCaptureFixture
) -> None:
    async with house() as doors:
        alice, bob = await doors.started("alice", "bob", room="room2")

        gone = await state(doors)
        gone.writer.get_extra_info("socket").setsockopt(*RESET)
        gone.reset()

        alice.says(Opcode.MOVE, "A", "-4 5 -4 4")
        await bob.hears(("MOVE", "A", "-4 5 -4 4"), ("START_TURN", "D", "*"))
        await alice.hears(("START_TURN", "D", "*"))
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
