"""A store that fails or is slow: who asks is told, and nothing is half done."""

from parlour.wire.ruc import ErrorCode, Frame, Opcode, encode
from tests.gateways.ruc.peers import house
from tests.gateways.ruc.race import STEP, Race, begun
from tests.host.stores import FailingStore, HeldStore
from tests.service import Clock

E = ErrorCode


def frames(*said: tuple[Opcode, str, str]) -> bytes:
    return b"".join(encode(Frame(op, data1, data2)) for op, data1, data2 in said)


JOIN = (Opcode.JOIN_ROOM, "room1", "alice")
READY = (Opcode.PLAYER_READY, "alice", "")
LEAVE = (Opcode.LEAVE_ROOM, "room1", "alice")


async def test_a_new_room_that_cannot_be_stored_is_none() -> None:
    store = FailingStore()
    async with house(Clock(), store) as home:
        alice = await home.peer()
        store.failing = True
        alice.write(frames(JOIN, READY))
        await alice.is_told(E.OTHER_ERROR)
        await alice.is_told(E.NOT_IN_ROOM)
        store.failing = False
        alice.says(*JOIN)
        await alice.hears(("JOIN_ROOM_REPLY", "", ""))


async def test_a_room_that_cannot_be_entered_can_be_later() -> None:
    store = FailingStore()
    async with house(Clock(), store) as home:
        (bob,) = await home.joined("bob")
        alice = await home.peer()
        store.failing = True
        alice.write(frames(JOIN, READY))
        await alice.is_told(E.OTHER_ERROR)
        await alice.is_told(E.NOT_IN_ROOM)
        assert await bob.heard() == []
        store.failing = False
        alice.says(*JOIN)
        await alice.hears(("JOIN_ROOM_REPLY", "bob", "0"))


async def test_what_is_asked_in_a_room_can_be_asked_again() -> None:
    store = FailingStore()
    async with house(Clock(), store) as home:
        alice, bob = await home.joined("alice", "bob")
        for request in (READY, LEAVE):
            store.failing = True
            alice.says(*request)
            await alice.is_told(E.OTHER_ERROR)
            assert await bob.heard() == []
            store.failing = False
            alice.says(*request)
            for peer in (alice, bob):
                await peer.hears((request[0].name, "alice", ""))


async def test_a_move_and_a_leave_that_cannot_be_stored_cost_only_time() -> None:
    store = FailingStore()
    async with house(Clock(), store) as home:
        race = await begun(home, 3)
        store.failing = True
        race.sends(STEP)
        await race.mover.is_told(E.OTHER_ERROR)
        race.mover.says(*LEAVE)
        await race.mover.is_told(E.OTHER_ERROR)
        store.failing = False
        await race.quiet()
        await race.plays(STEP)
        await race.quiet()


async def test_who_cannot_come_back_now_can_later() -> None:
    store = FailingStore()
    async with house(Clock(), store) as home:
        race = await begun(home, 3)
        await race.peers[0].close()
        race.listening.discard(0)
        for seat in (1, 2):
            await race.peers[seat].hears(("LEAVE_ROOM", "alice", ""))
        back = await home.peer()
        store.failing = True
        back.says(*JOIN)
        await back.is_told(E.OTHER_ERROR)
        await race.quiet()
        store.failing = False
        back.says(*JOIN)
        await back.hears(
            ("JOIN_ROOM_REPLY", "bob cleo", "11"),
            ("START_GAME", "alice bob cleo", "A C E"),
            ("START_TURN", "A", "*"),
        )


async def test_the_game_ends_while_somebody_comes_back() -> None:
    """Before the seat is taken up again the game is over: the room's next match is joined."""
    store = HeldStore()
    async with house(Clock(), store) as home:
        race = Race(await home.started("alice", "bob"))
        await race.peers[0].close()
        await race.peers[1].hears(("LEAVE_ROOM", "alice", ""))
        back, other = await home.peer(), await home.peer()
        store.held = True
        race.peers[1].says(Opcode.LEAVE_ROOM)
        assert await other.heard() == []  # what bob said has been read by now
        back.write(frames(JOIN, READY))
        assert await other.heard() == []
        store.release()
        await back.hears(("JOIN_ROOM_REPLY", "", ""), ("PLAYER_READY", "alice", ""))
        back.says(*LEAVE)
        await back.hears(("LEAVE_ROOM", "alice", ""))


async def test_the_room_empties_while_somebody_comes_in() -> None:
    store = HeldStore()
    async with house(Clock(), store) as home:
        (bob,) = await home.joined("bob")
        alice = await home.peer()
        store.held = True
        bob.says(Opcode.LEAVE_ROOM)
        other = await home.peer()
        assert await other.heard() == []  # what bob said has been read by now
        alice.write(frames(JOIN, READY))
        assert await other.heard() == []
        store.release()
        await alice.hears(("JOIN_ROOM_REPLY", "", ""), ("PLAYER_READY", "alice", ""))


async def test_the_game_begins_while_somebody_comes_in() -> None:
    store = HeldStore()
    async with house(Clock(), store) as home:
        bob, cleo = await home.joined("bob", "cleo")
        bob.says(Opcode.PLAYER_READY)
        for peer in (bob, cleo):
            await peer.hears(("PLAYER_READY", "bob", ""))
        alice = await home.peer()
        store.held = True
        cleo.says(Opcode.PLAYER_READY)
        assert await cleo.heard() == []
        alice.write(frames(JOIN, READY))
        assert await cleo.heard() == []
        store.release()
        await alice.is_told(E.ROOM_IS_RUNNING)
        await alice.is_told(E.NOT_IN_ROOM)


async def test_requests_beyond_what_can_wait_are_refused() -> None:
    async with house(Clock()) as home:
        alice = await home.peer()
        alice.write(frames(JOIN, *[READY] * 66))
        await alice.is_told(E.OTHER_ERROR)
        await alice.is_told(E.OTHER_ERROR)
        await alice.hears(("JOIN_ROOM_REPLY", "", ""), ("PLAYER_READY", "alice", ""))
        assert await alice.heard() == []
