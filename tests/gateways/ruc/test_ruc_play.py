"""Rooms and games of Chinese checkers over real sockets."""

import pytest

from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.ruc.peers import Peer, house

STEP = "-4 5 -4 4"  # a piece of A steps out of its zone
STEP_D = "4 -5 4 -4"  # and one of D


async def test_a_game_of_two_begins_when_both_are_ready() -> None:
    async with house() as home:
        alice, bob = await home.started("alice", "bob")
        alice.says(Opcode.MOVE, "A", STEP)
        await alice.hears(("START_TURN", "D", "*"))
        await bob.hears(("MOVE", "A", STEP), ("START_TURN", "D", "*"))
        bob.says(Opcode.MOVE, "D", STEP_D)
        await bob.hears(("START_TURN", "A", "*"))
        await alice.hears(("MOVE", "D", STEP_D), ("START_TURN", "A", "*"))


async def test_a_move_is_relayed_in_canonical_text() -> None:
    async with house() as home:
        alice, bob = await home.started("alice", "bob")
        alice.says(Opcode.MOVE, "A", " -04  05 -4 004 ")
        await bob.hears(("MOVE", "A", STEP), ("START_TURN", "D", "*"))


async def test_who_leaves_a_running_game_loses_at_once() -> None:
    async with house() as home:
        alice, bob, cleo = await home.started("alice", "bob", "cleo")
        alice.says(Opcode.LEAVE_ROOM)
        out = [("LEAVE_ROOM", "alice", ""), ("MOVE", "A", "-1"), ("START_TURN", "C", "*")]
        await alice.hears(*out)
        await bob.hears(*out)
        cleo.says(Opcode.LEAVE_ROOM)
        end = [("LEAVE_ROOM", "cleo", ""), ("MOVE", "E", "-1"), ("END_GAME", "bob cleo alice", "")]
        await cleo.hears(("LEAVE_ROOM", "alice", ""), ("MOVE", "A", "-1"), ("START_TURN", "C", "*"))
        await bob.hears(*end)
        await cleo.hears(*end[:2])


async def test_after_the_end_one_leave_is_swallowed_and_the_room_opens_again() -> None:
    async with house() as home:
        alice, bob = await home.started("alice", "bob")
        bob.says(Opcode.LEAVE_ROOM)
        await alice.hears(
            ("LEAVE_ROOM", "bob", ""), ("MOVE", "D", "-1"), ("END_GAME", "alice bob", "")
        )
        alice.says(Opcode.LEAVE_ROOM)
        alice.says(Opcode.LEAVE_ROOM)
        await alice.is_told(ErrorCode.NOT_IN_ROOM)
        alice.says(Opcode.JOIN_ROOM, "room1", "alice")
        await alice.hears(("JOIN_ROOM_REPLY", "", ""))


async def test_at_the_turn_limit_the_pieces_go_and_everybody_hears_it() -> None:
    async with house(turn_limit=1) as home:
        peers = await home.started("alice", "bob", "cleo")
        for peer in peers:
            await peer.hears(("MOVE", "A", "-1"), ("START_TURN", "C", "*"))


async def test_a_disconnect_is_told_and_the_same_player_may_come_back() -> None:
    async with house(turn_limit=0) as home:
        alice, bob, _ = await home.started("alice", "bob", "cleo")
        alice.says(Opcode.MOVE, "A", STEP)
        await bob.hears(("MOVE", "A", STEP), ("START_TURN", "C", "*"))
        await alice.close()
        await bob.hears(("LEAVE_ROOM", "alice", ""))

        again = await home.peer()
        again.says(Opcode.JOIN_ROOM, "room1", "alice")

        await again.hears(
            ("JOIN_ROOM_REPLY", "bob cleo", "11"),
            ("START_GAME", "alice bob cleo", "A C E"),
            ("MOVE", "A", STEP),
            ("START_TURN", "C", "*"),
        )
        await bob.hears(("JOIN_ROOM", "alice", ""))


async def test_a_second_connection_of_the_same_player_takes_the_seat_over() -> None:
    async with house(turn_limit=0) as home:
        alice, bob = await home.started("alice", "bob")
        again = await home.peer()
        again.says(Opcode.JOIN_ROOM, "room1", "alice")
        await again.hears(
            ("JOIN_ROOM_REPLY", "bob", "1"),
            ("START_GAME", "alice bob", "A D"),
            ("START_TURN", "A", "*"),
        )
        await alice.hears(("EOF", "", ""))
        await bob.hears(("LEAVE_ROOM", "alice", ""), ("JOIN_ROOM", "alice", ""))
        again.says(Opcode.MOVE, "A", STEP)
        await bob.hears(("MOVE", "A", STEP), ("START_TURN", "D", "*"))


async def test_without_grace_a_disconnect_loses_the_seat() -> None:
    async with house(grace=0) as home:
        alice, bob = await home.started("alice", "bob")
        await alice.close()
        await bob.hears(
            ("LEAVE_ROOM", "alice", ""), ("MOVE", "A", "-1"), ("END_GAME", "bob alice", "")
        )


async def test_before_the_start_who_goes_is_gone_and_the_others_stay_ready() -> None:
    async with house() as home:
        alice, bob, cleo = await home.joined("alice", "bob", "cleo")
        for peer, name in ((alice, "alice"), (bob, "bob")):
            peer.says(Opcode.PLAYER_READY, name)
            for other in (alice, bob, cleo):
                await other.hears(("PLAYER_READY", name, ""))
        await cleo.close()
        for peer in (alice, bob):
            await peer.hears(
                ("LEAVE_ROOM", "cleo", ""),
                ("START_GAME", "alice bob", "A D"),
                ("START_TURN", "A", "*"),
            )


async def test_four_do_not_start_where_the_courses_numbers_hold() -> None:
    async with house(player_counts="2,3,6") as home:
        peers = await home.joined("a", "b", "c", "d")
        for peer, name in zip(peers, "abcd", strict=True):
            peer.says(Opcode.PLAYER_READY, name)
            for other in peers:
                await other.hears(("PLAYER_READY", name, ""))
        for peer in peers:
            await peer.is_told(ErrorCode.OTHER_ERROR)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
async def test_any_number_from_two_to_six_plays(count: int) -> None:
    async with house() as home:
        peers: list[Peer] = await home.started(*"abcdef"[:count])
        assert len(peers) == count
