"""Coming back to a seat: within the grace, too late, twice, elsewhere, after a restart."""

import pytest

from parlour.gateways.ruc import RucGateway, RucOptions
from parlour.match import AbortCause, AbortMatch
from parlour.stores import MemoryStore
from parlour.wire.ruc import ErrorCode, Frame, Opcode
from tests.gateways.ruc.peers import House, Peer, house
from tests.gateways.ruc.race import GRACE, STEP, TURN, Race, begun, passes
from tests.service import Clock

JOIN = Frame(Opcode.JOIN_ROOM, "room1", "alice")
BACK = ("JOIN_ROOM_REPLY", "bob cleo", "11"), ("START_GAME", "alice bob cleo", "A C E")


async def away(race: Race, seat: int = 0) -> None:
    """A player's connection is lost, and the others hear of it."""
    race.listening.discard(seat)
    await race.peers[seat].close()
    for other in race.listening:
        await race.peers[other].hears(("LEAVE_ROOM", race.names[seat], ""))


async def asks(home: House, address: str = "127.0.0.1", name: str = "alice") -> Peer:
    peer = await home.peer(address)
    peer.says(Opcode.JOIN_ROOM, "room1", name)
    return peer


async def test_the_whole_game_so_far_is_told_in_one_piece() -> None:
    """One's own moves included, and what others lost meanwhile."""
    clock = Clock()
    async with house(clock, grace=60) as home:
        race = await begun(home, 3)
        await race.plays(STEP)
        await race.plays("5,-4>4,-3")
        await away(race)
        await passes(home, clock, TURN)
        await race.loses(2)

        back = await asks(home)

        await back.hears(
            *BACK,
            ("MOVE", "A", "-4 5 -4 4"),
            ("MOVE", "C", "5 -4 4 -3"),
            ("MOVE", "E", "-1"),
            ("START_TURN", "A", "*"),
        )
        for other in race.listening:
            await race.peers[other].hears(("JOIN_ROOM", "alice", ""))
        race.peers[0] = back
        race.listening.add(0)
        await race.to_the_end(1)


async def test_who_comes_back_has_the_rest_of_the_turn() -> None:
    """The turn limit goes on while somebody is away."""
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, 3)
        await away(race)
        clock.now += TURN - 1
        back = await asks(home)
        await back.hears(*BACK, ("START_TURN", "A", "*"))
        for other in race.listening:
            await race.peers[other].hears(("JOIN_ROOM", "alice", ""))
        race.peers[0] = back
        race.listening.add(0)
        await race.quiet()
        await passes(home, clock, 1)
        await race.loses(0)


@pytest.mark.parametrize("lost_by", ["turn limit", "grace", "leave"])
async def test_a_lost_seat_is_not_come_back_to(lost_by: str) -> None:
    clock = Clock()
    async with house(clock, turn_limit=0 if lost_by == "grace" else 15) as home:
        race = await begun(home, 3)
        if lost_by == "leave":
            race.peers[0].says(Opcode.LEAVE_ROOM)
            await race.loses(0, ("LEAVE_ROOM", "alice", ""), but=0)
        else:
            await away(race)
            await passes(home, clock, TURN if lost_by == "turn limit" else GRACE)
            await race.loses(0)
        late = await asks(home)
        await late.is_told(ErrorCode.ROOM_IS_RUNNING)
        await race.quiet()
        late.says(Opcode.JOIN_ROOM, "room2", "alice")
        await late.hears(("JOIN_ROOM_REPLY", "", ""))


@pytest.mark.parametrize(
    ("address", "name"), [("127.0.0.2", "alice"), ("127.0.0.1", "Alice"), ("127.0.0.1", "bo")]
)
async def test_another_address_or_name_is_a_stranger(address: str, name: str) -> None:
    async with house(Clock()) as home:
        race = await begun(home, 3)
        await away(race)
        stranger = await asks(home, address, name)
        await stranger.is_told(ErrorCode.ROOM_IS_RUNNING)
        await race.quiet()


async def test_without_grace_nobody_takes_a_running_seat() -> None:
    async with house(Clock(), grace=0) as home:
        race = await begun(home, 3)
        other = await asks(home)
        await other.is_told(ErrorCode.ROOM_IS_RUNNING)
        await race.plays(STEP)
        await race.quiet()


async def test_the_newest_connection_has_the_seat() -> None:
    """What the older one says is not heard any more."""
    async with house(Clock()) as home:
        race = await begun(home, 3)
        newer = await asks(home)
        await newer.hears(*BACK, ("START_TURN", "A", "*"))
        race.peers[0].says(Opcode.MOVE, "A", "-4 5 -4 4")
        assert await race.peers[0].frame() == ("EOF", "", "")
        for other in (1, 2):
            await race.peers[other].hears(("LEAVE_ROOM", "alice", ""), ("JOIN_ROOM", "alice", ""))
        race.peers[0] = newer
        await race.quiet()
        await race.plays(STEP)
        await race.quiet()


async def test_a_name_that_plays_elsewhere_is_free_in_another_room() -> None:
    async with house(Clock()) as home:
        race = await begun(home, 3)
        namesake = await home.peer()
        namesake.says(Opcode.JOIN_ROOM, "room2", "alice")
        await namesake.hears(("JOIN_ROOM_REPLY", "", ""))
        await race.quiet()


async def test_who_comes_back_twice_and_whose_turn_it_is() -> None:
    async with house(Clock()) as home:
        race = await begun(home, 3)
        for _ in range(2):
            await away(race)
            race.peers[0] = await asks(home)
            await race.peers[0].hears(*BACK, ("START_TURN", "A", "*"))
            for other in race.listening:
                await race.peers[other].hears(("JOIN_ROOM", "alice", ""))
            race.listening.add(0)
        await race.plays(STEP)
        await race.quiet()


async def test_a_room_that_was_left_is_joined_again_and_again() -> None:
    async with house(Clock()) as home:
        alice, bob = await home.joined("alice", "bob")
        for _ in range(3):
            alice.says(Opcode.LEAVE_ROOM)
            for peer in (alice, bob):
                await peer.hears(("LEAVE_ROOM", "alice", ""))
            alice.says(Opcode.JOIN_ROOM, "room1", "alice")
            await alice.hears(("JOIN_ROOM_REPLY", "bob", "0"))
            await bob.hears(("JOIN_ROOM", "alice", ""))
        assert await alice.heard() == []


# Closing and restarting

STOPS = "the server stops"
GOES_ON = "the server stops; your game goes on when it runs again"


async def test_an_operator_closes_a_room() -> None:
    async with house(Clock()) as home:
        race = await begun(home, 3)
        (stream,) = home.service.host.directory.unfinished
        home.service.host.submit(stream, AbortMatch(AbortCause.OPERATOR))
        for peer in race.peers:
            await peer.hears(("CLOSE_ROOM", "", ""))
        race.peers[0].says(Opcode.LEAVE_ROOM)
        await race.peers[0].is_told(ErrorCode.NOT_IN_ROOM)
        race.peers[0].says(Opcode.JOIN_ROOM, "room1", "alice")
        await race.peers[0].hears(("JOIN_ROOM_REPLY", "", ""))


async def test_a_shutdown_closes_the_rooms_and_only_those_in_one_are_told() -> None:
    async with house(Clock()) as home:
        race = await begun(home, 3)
        (waiting,) = await home.joined("dora", room="room2")
        stranger = await home.peer()
        assert await stranger.heard() == []
        await home.service.desk.close()
        for peer in race.peers:
            await peer.hears(("CLOSE_ROOM", GOES_ON, ""), ("EOF", "", ""))
        await waiting.hears(("CLOSE_ROOM", STOPS, ""), ("EOF", "", ""))
        await stranger.hears(("EOF", "", ""))


async def test_a_shutdown_promises_no_game_that_nobody_could_come_back_to() -> None:
    store = MemoryStore()
    async with house(Clock(), store, grace=0) as home:
        race = await begun(home, 3)
        await home.service.desk.close()
        for peer in race.peers:
            await peer.hears(("CLOSE_ROOM", STOPS, ""), ("EOF", "", ""))

    async with house(Clock(), store, grace=0) as home:
        assert not home.service.host.directory.unfinished


async def test_after_a_restart_the_game_goes_on_when_all_are_back() -> None:
    store, clock = MemoryStore(), Clock()
    async with house(clock, store) as home:
        race = await begun(home, 3)
        await race.plays(STEP)
        await home.service.desk.close()

    async with house(clock, store) as home:
        clock.now += 100_000  # nobody's time runs
        back = [await asks(home, name=name) for name in ("alice", "bob", "cleo")]
        for peer, others in zip(back, ("bob cleo", "alice cleo", "alice bob"), strict=True):
            await peer.hears(("JOIN_ROOM_REPLY", others, "11"), BACK[1], ("MOVE", "A", "-4 5 -4 4"))
        await back[0].hears(("JOIN_ROOM", "bob", ""))
        race.peers = back
        await _resumed(back)
        await race.plays("5,-4>4,-3")
        await race.to_the_end(1)


async def _resumed(peers: list[Peer]) -> None:
    """The last one is back, and the turn begins again."""
    await peers[0].hears(("JOIN_ROOM", "cleo", ""), ("START_TURN", "C", "*"))
    await peers[1].hears(("JOIN_ROOM", "cleo", ""), ("START_TURN", "C", "*"))
    await peers[2].hears(("START_TURN", "C", "*"))


@pytest.mark.parametrize("down", [TURN, 86_400_000, -86_400_000])
async def test_the_time_while_the_server_was_down_costs_nobody_a_turn(down: int) -> None:
    """The server is killed early in a turn: what it recorded last is the move before."""
    store, clock = MemoryStore(), Clock()
    async with house(clock, store) as home:
        race = await begun(home, 3)
        await race.plays(STEP)
        clock.now += 1_000
        await home.service.desk.close()

    clock.now += down
    async with house(clock, store) as home:
        back = [await asks(home, name=name) for name in ("alice", "bob", "cleo")]
        for peer, others in zip(back, ("bob cleo", "alice cleo", "alice bob"), strict=True):
            await peer.hears(("JOIN_ROOM_REPLY", others, "11"), BACK[1], ("MOVE", "A", "-4 5 -4 4"))
        await back[0].hears(("JOIN_ROOM", "bob", ""))
        race.peers = back
        await _resumed(back)
        await passes(home, clock, TURN - 1)
        await race.quiet()
        await passes(home, clock, 1)
        await race.loses(1)


async def test_while_others_are_awaited_after_a_restart_nobody_moves() -> None:
    store, clock = MemoryStore(), Clock()
    async with house(clock, store) as home:
        await begun(home, 3)
        await home.service.desk.close()

    async with house(clock, store) as home:
        back = await asks(home)
        await back.hears(*BACK)
        back.says(Opcode.MOVE, "A", "-4 5 -4 4")
        await back.is_told(ErrorCode.OTHER_ERROR)
        back.says(Opcode.PLAYER_READY)
        await back.is_told(ErrorCode.ROOM_IS_RUNNING)
        await passes(home, clock, 120_000)
        await back.hears(("START_TURN", "A", "*"))
        back.says(Opcode.MOVE, "A", "-4 5 -4 4")
        await back.hears(("START_TURN", "C", "*"))
        await passes(home, clock, TURN)
        await back.hears(("MOVE", "C", "-1"), ("START_TURN", "E", "*"))


async def test_a_room_that_had_not_begun_is_empty_after_a_restart() -> None:
    store = MemoryStore()
    async with house(Clock(), store) as home:
        await home.joined("alice", "bob")
        await home.service.desk.close()

    async with house(Clock(), store) as home:
        cleo = await asks(home, name="cleo")
        await cleo.hears(("JOIN_ROOM_REPLY", "", ""))
        alice = await asks(home)
        await alice.hears(("JOIN_ROOM_REPLY", "cleo", "0"))


async def test_the_rooms_of_two_doors_are_the_same() -> None:
    async with house(Clock()) as home:
        (alice,) = await home.joined("alice")
        gateway = RucGateway(RucOptions(), home.service.host.directory)
        other = House(home.service, await home.service.listen(gateway.session))
        bob = await asks(other, name="bob")
        await bob.hears(("JOIN_ROOM_REPLY", "alice", "0"))
        await alice.hears(("JOIN_ROOM", "bob", ""))
        await other.close()
