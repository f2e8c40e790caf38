"""Who comes into a room when several ask for it, or for more than one, at once."""

import pytest

from parlour.games.chinese_checkers import Options
from parlour.match import CreateMatch, Newcomer, Terms, TimeControl
from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.ruc.peers import house

E = ErrorCode


async def test_a_name_that_is_taken_from_the_same_address_hurts_nobody() -> None:
    async with house() as home:
        alice, bob = await home.joined("alice", "bob")
        again = await home.peer()
        again.says(Opcode.JOIN_ROOM, "room1", "bob")
        await again.is_told(E.INVALID_JOIN)
        bob.says(Opcode.PLAYER_READY)
        await alice.hears(("PLAYER_READY", "bob", ""))
        again.says(Opcode.JOIN_ROOM, "room1", "cleo")
        await again.hears(("JOIN_ROOM_REPLY", "alice bob", "01"))


async def test_requests_behind_a_join_wait_for_its_answer() -> None:
    async with house() as home:
        hasty = await home.peer()
        hasty.write(
            b'{"data1":"r","data2":"a","op":200000}\n'
            b'{"data1":"s","data2":"a","op":200000}\n'
            b'{"data1":"a","data2":"","op":200004}\n'
        )
        await hasty.hears(("JOIN_ROOM_REPLY", "", ""))
        await hasty.is_told(E.INVALID_JOIN)
        await hasty.hears(("PLAYER_READY", "a", ""))
        assert len(home.service.host.directory.unfinished) == 1


async def test_two_who_open_one_room_at_once_meet_in_it() -> None:
    async with house() as home:
        first, second = await home.peer(), await home.peer()
        first.says(Opcode.JOIN_ROOM, "room1", "first")
        second.says(Opcode.JOIN_ROOM, "room1", "second")
        await first.hears(("JOIN_ROOM_REPLY", "", ""), ("JOIN_ROOM", "second", ""))
        await second.hears(("JOIN_ROOM_REPLY", "first", "0"))


async def test_the_order_of_joining_is_the_order_of_names_and_zones() -> None:
    """Whoever takes the place of one who left comes after those who stayed."""
    async with house() as home:
        alice, bob, cleo = await home.joined("alice", "bob", "cleo")
        alice.says(Opcode.LEAVE_ROOM)
        for peer in (alice, bob, cleo):
            await peer.hears(("LEAVE_ROOM", "alice", ""))
        dora, emil = await home.peer(), await home.peer()
        dora.says(Opcode.JOIN_ROOM, "room1", "dora")
        await dora.hears(("JOIN_ROOM_REPLY", "bob cleo", "00"))
        emil.says(Opcode.JOIN_ROOM, "room1", "emil")
        await emil.hears(("JOIN_ROOM_REPLY", "bob cleo dora", "000"))
        peers = (bob, cleo, dora, emil)
        for peer in peers:
            peer.says(Opcode.PLAYER_READY)
        for peer in peers:
            while (said := await peer.frame())[0] != "START_GAME":
                pass
            assert said == ("START_GAME", "bob cleo dora emil", "A B D E")


async def test_a_room_is_opened_with_the_options_of_its_door() -> None:
    async with house(
        turn_limit=7, grace=3, player_counts="2,3,6", blocked_target="full", max_rounds=9
    ) as home:
        await home.joined("alice")
        match = await home.match()
    assert match.options == Options(player_counts="2,3,6", blocked_target="full", max_rounds=9)
    assert match.control.turn == 7_000
    assert match.player(0).terms.grace == 3_000


@pytest.mark.parametrize(("turn", "held"), [(0, 15_000), (60_000, 15_000), (5_000, 5_000)])
async def test_the_turn_limit_holds_in_a_room_that_another_protocol_opened(
    turn: int, held: int
) -> None:
    async with house() as home:
        bob = Newcomer("web:bob", "bob", Terms(ready=True))
        create = CreateMatch(
            "chinese_checkers", {}, (bob,), room="room1", control=TimeControl(turn=turn)
        )
        stream = home.service.host.create("match", create, room="room1")
        await home.service.host.state(stream)
        alice = await home.peer()
        alice.says(Opcode.JOIN_ROOM, "room1", "alice")
        await alice.hears(("JOIN_ROOM_REPLY", "bob", "1"))
        alice.says(Opcode.PLAYER_READY)
        await alice.hears(("PLAYER_READY", "alice", ""), ("START_GAME", "bob alice", "A D"))
        match, _ = await home.service.host.state(stream)
        assert match.control.turn == held
