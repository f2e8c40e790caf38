"""Leaves, disconnects and time-outs at every moment of a room of three and of six."""

from typing import Literal

import pytest

from parlour.games import Seat
from parlour.games.chinese_checkers import Options
from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.ruc.peers import Peer, house
from tests.gateways.ruc.race import GRACE, STEP, TURN, begun, passes, some
from tests.service import Clock

Way = Literal["leave", "close", "reset"]

ways = pytest.mark.parametrize("way", ["leave", "close", "reset"])
crowds = pytest.mark.parametrize("count", [3, 6])


async def goes(peer: Peer, way: Way, name: str) -> None:
    """A player goes; who says goodbye hears it too."""
    match way:
        case "leave":
            peer.says(Opcode.LEAVE_ROOM, "room1", name)
            await peer.hears(("LEAVE_ROOM", name, ""))
        case "close":
            await peer.close()
        case "reset":
            peer.reset()


# Before the start


@ways
@crowds
@pytest.mark.parametrize("leaver", [0, 1, 2])
async def test_before_anybody_is_ready(way: Way, count: int, leaver: Seat) -> None:
    names = some(count)
    async with house(Clock()) as home:
        peers = await home.joined(*names)
        await goes(peers[leaver], way, names[leaver])
        stay = [peer for peer in peers if peer is not peers[leaver]]
        for peer in stay:
            await peer.hears(("LEAVE_ROOM", names[leaver], ""))
        newcomer = await home.peer()
        newcomer.says(Opcode.JOIN_ROOM, "room1", names[leaver])
        others = [name for name in names if name != names[leaver]]
        await newcomer.hears(("JOIN_ROOM_REPLY", " ".join(others), "0" * len(others)))


@ways
@crowds
async def test_the_last_who_was_not_ready_goes_and_the_others_begin(way: Way, count: int) -> None:
    """The readiness of the others is kept."""
    names = some(count)
    async with house(Clock()) as home:
        peers = await home.joined(*names)
        for peer, name in zip(peers[1:], names[1:], strict=True):
            peer.says(Opcode.PLAYER_READY, name)
            for other in peers:
                await other.hears(("PLAYER_READY", name, ""))
        await goes(peers[0], way, names[0])
        for peer in peers[1:]:
            await peer.hears(("LEAVE_ROOM", names[0], ""))
            assert (await peer.frame())[:2] == ("START_GAME", " ".join(names[1:]))
            await peer.hears(("START_TURN", "A", "*"))


@ways
@crowds
async def test_who_was_ready_goes_and_the_others_wait_on(way: Way, count: int) -> None:
    names = some(count)
    async with house(Clock()) as home:
        peers = await home.joined(*names)
        peers[1].says(Opcode.PLAYER_READY, names[1])
        for other in peers:
            await other.hears(("PLAYER_READY", names[1], ""))
        await goes(peers[1], way, names[1])
        for peer in (peers[0], *peers[2:]):
            await peer.hears(("LEAVE_ROOM", names[1], ""))
            assert await peer.heard() == []
        assert not (await home.match()).status.started


@crowds
async def test_everybody_goes_and_the_room_is_new(count: int) -> None:
    names = some(count)
    async with house(Clock()) as home:
        peers = await home.joined(*names)
        peers[0].says(Opcode.PLAYER_READY, names[0])
        await peers[0].hears(("PLAYER_READY", names[0], ""))
        for peer in peers:
            await peer.close()
        again = await home.peer()
        while home.service.host.directory.unfinished:
            assert await again.heard() == []
        again.says(Opcode.JOIN_ROOM, "room1", "zoe")
        await again.hears(("JOIN_ROOM_REPLY", "", ""))


# While the game runs

seats = pytest.mark.parametrize(
    ("count", "seat"), [(count, seat) for count in (3, 6) for seat in range(count)]
)


@seats
async def test_a_leave_in_ones_own_or_anothers_turn_loses_the_seat(count: int, seat: Seat) -> None:
    async with house(Clock()) as home:
        race = await begun(home, count)
        await race.plays(STEP)
        name, zone = race.names[seat], race.position.zones[seat]
        race.peers[seat].says(Opcode.LEAVE_ROOM, "room1", name)
        await race.loses(seat, ("LEAVE_ROOM", name, ""), but=seat)
        out = [("LEAVE_ROOM", name, ""), ("MOVE", zone, "-1")]
        if seat == 1:
            assert race.position.turn is not None
            out.append(("START_TURN", race.position.zones[race.position.turn], "*"))
        await race.peers[seat].hears(*out)
        race.peers[seat].says(Opcode.MOVE, zone, "0 0 1 0")
        await race.peers[seat].is_told(ErrorCode.NOT_IN_ROOM)
        await race.to_the_end(1)


@seats
@pytest.mark.parametrize("way", ["close", "reset"])
async def test_a_disconnect_keeps_the_seat_until_the_turn_limit(
    count: int, seat: Seat, way: Way
) -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, count)
        race.listening.discard(seat)
        await goes(race.peers[seat], way, race.names[seat])
        for other in race.listening:
            await race.peers[other].hears(("LEAVE_ROOM", race.names[seat], ""))
        while race.position.turn != seat:
            await race.plays(race.position.moves()[0])
        await passes(home, clock, TURN - 1)
        await race.quiet()
        await passes(home, clock, 1)
        await race.loses(seat)
        await race.quiet()


@seats
async def test_the_grace_ends_before_the_turn_comes(count: int, seat: Seat) -> None:
    clock = Clock()
    async with house(clock, turn_limit=0) as home:
        race = await begun(home, count)
        race.listening.discard(seat)
        await race.peers[seat].close()
        for other in race.listening:
            await race.peers[other].hears(("LEAVE_ROOM", race.names[seat], ""))
        await passes(home, clock, GRACE - 1)
        await race.quiet()
        await passes(home, clock, 1)
        await race.loses(seat)
        await race.quiet()


@seats
async def test_without_grace_a_disconnect_loses_at_once(count: int, seat: Seat) -> None:
    async with house(Clock(), grace=0) as home:
        race = await begun(home, count)
        await race.peers[seat].close()
        await race.loses(seat, ("LEAVE_ROOM", race.names[seat], ""), but=seat)
        await race.quiet()


@crowds
async def test_time_runs_out_for_one_after_the_other(count: int) -> None:
    """The loser hears it too, and who has lost goes on receiving to the end."""
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, count)
        while not race.over:
            assert race.position.turn is not None
            await passes(home, clock, TURN - 1)
            await race.quiet()
            await passes(home, clock, 1)
            await race.loses(race.position.turn)
        assert race.ranking() == " ".join(reversed(some(count)))
        await race.quiet()


@crowds
async def test_a_loser_who_goes_is_missed_by_name_only(count: int) -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, count)
        await passes(home, clock, TURN)
        await race.loses(0)
        race.peers[0].says(Opcode.LEAVE_ROOM, "room1", "alice")
        for peer in race.peers:
            await peer.hears(("LEAVE_ROOM", "alice", ""))
        race.listening.discard(0)
        await race.plays(race.position.moves()[0])
        await race.quiet()
        assert await race.peers[0].heard() == []


async def test_the_last_two_one_of_whom_leaves() -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, 3)
        await passes(home, clock, TURN)
        await race.loses(0)
        race.peers[1].says(Opcode.LEAVE_ROOM)
        await race.loses(1, ("LEAVE_ROOM", "bob", ""), but=1)
        assert race.ranking() == "cleo bob alice"
        await race.peers[1].hears(("LEAVE_ROOM", "bob", ""), ("MOVE", "C", "-1"))
        assert await race.peers[1].heard() == []


async def test_the_last_two_one_of_whom_disconnects() -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, 3)
        await passes(home, clock, TURN)
        await race.loses(0)
        await race.peers[2].close()
        race.listening.discard(2)
        for seat in (0, 1):
            await race.peers[seat].hears(("LEAVE_ROOM", "cleo", ""))
        await race.plays(race.position.moves()[0])
        await passes(home, clock, TURN)
        await race.loses(2)
        assert race.ranking() == "bob cleo alice"


@crowds
async def test_all_who_are_there_go_in_one_tick(count: int) -> None:
    """The first to be heard is last; whoever is left wins; the room is free again."""
    async with house(Clock(), grace=0) as home:
        race = await begun(home, count)
        for peer in race.peers:
            peer.reset()
        again = await home.peer()
        while home.service.host.directory.unfinished:
            assert await again.heard() == []
        again.says(Opcode.JOIN_ROOM, "room1", "alice")
        await again.hears(("JOIN_ROOM_REPLY", "", ""))


@crowds
async def test_everybody_is_away_and_time_ends_the_game(count: int) -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, count)
        for peer in race.peers:
            await peer.close()
        again = await home.peer()
        while any(one and one.away_since is None for one in (await home.match()).seats):
            assert await again.heard() == []
        await passes(home, clock, TURN)
        await passes(home, clock, GRACE)
        assert await again.heard() == []
        assert home.service.host.directory.unfinished == {}
        again.says(Opcode.JOIN_ROOM, "room1", "alice")
        await again.hears(("JOIN_ROOM_REPLY", "", ""))


@crowds
async def test_who_has_come_home_may_go_and_keeps_the_place(count: int) -> None:
    """A finished player who leaves is missed by name only, and ranked all the same."""
    async with house(Clock()) as home:
        race = await begun(home, count)
        await race.until_home(seed=47 if count == 3 else 7)
        (first,) = race.position.finished
        name = race.names[first]
        race.peers[first].says(Opcode.LEAVE_ROOM, "room1", name)
        for peer in race.peers:
            await peer.hears(("LEAVE_ROOM", name, ""))
        race.listening.discard(first)
        await race.plays(race.position.moves()[0])
        for seat in range(count):
            if race.position.playing(seat) and not race.over:
                race.peers[seat].says(Opcode.LEAVE_ROOM)
                await race.loses(seat, ("LEAVE_ROOM", race.names[seat], ""), but=seat)
        assert race.ranking().startswith(name)


# After the end


@ways
@crowds
async def test_after_the_end_nobody_is_told_who_goes(way: Way, count: int) -> None:
    async with house(Clock(), max_rounds=1) as home:
        race = await begun(home, count, Options(max_rounds=1))
        await race.to_the_end(1)
        gone = race.peers[0]
        if way == "leave":
            gone.says(Opcode.LEAVE_ROOM, "room1", "alice")
            assert await gone.heard() == []  # swallowed: the document's client leaves by itself
            gone.says(Opcode.LEAVE_ROOM, "room1", "alice")
            await gone.is_told(ErrorCode.NOT_IN_ROOM)
        else:
            await goes(gone, way, "alice")
        race.listening.discard(0)
        await race.quiet()


async def test_a_leave_after_the_next_join_is_a_leave() -> None:
    async with house(Clock(), max_rounds=1) as home:
        race = await begun(home, 3, Options(max_rounds=1))
        await race.to_the_end(1)
        alice, bob = await home.gathered(race.peers[:2], some(2))
        bob.says(Opcode.LEAVE_ROOM)
        out = [("LEAVE_ROOM", "bob", ""), ("MOVE", "D", "-1")]
        await bob.hears(*out)
        await alice.hears(*out, ("END_GAME", "alice bob", ""))
        bob.says(Opcode.LEAVE_ROOM)
        await bob.is_told(ErrorCode.NOT_IN_ROOM)


async def test_a_leave_after_a_join_that_was_refused_is_swallowed_still() -> None:
    async with house(Clock(), max_rounds=1) as home:
        race = await begun(home, 3, Options(max_rounds=1))
        await race.to_the_end(1)
        await home.joined("ALICE")
        alice = race.peers[0]
        alice.says(Opcode.JOIN_ROOM, "room1", "alice")
        await alice.is_told(ErrorCode.INVALID_JOIN)
        alice.says(Opcode.LEAVE_ROOM)
        assert await alice.heard() == []
        alice.says(Opcode.LEAVE_ROOM)
        await alice.is_told(ErrorCode.NOT_IN_ROOM)
