"""Who comes into a room when several ask for it, or for more than one, at once."""

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
