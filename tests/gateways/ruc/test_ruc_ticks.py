"""What comes in one tick or one segment: readiness and departures, moves and time-outs."""

from collections.abc import Callable

import pytest

from parlour.wire.ruc import ErrorCode, Frame, Opcode, encode
from tests.gateways.ruc.peers import Peer, house
from tests.gateways.ruc.race import STEP, TURN, begun, passes, some
from tests.service import Clock

crowds = pytest.mark.parametrize("count", [3, 6])


def frames(*said: tuple[Opcode, str, str]) -> bytes:
    return b"".join(encode(Frame(op, data1, data2)) for op, data1, data2 in said)


READY = (Opcode.PLAYER_READY, "", "")
LEAVE = (Opcode.LEAVE_ROOM, "", "")


@crowds
@pytest.mark.parametrize(
    "go", [Peer.reset, lambda peer: peer.writer.close()], ids=["reset", "close"]
)
async def test_ready_and_disconnect_in_one_tick(count: int, go: Callable[[Peer], None]) -> None:
    """Fault S12. The last to get ready goes at once: begun and away, or never begun."""
    clock = Clock()
    names = some(count)
    async with house(clock) as home:
        peers = await home.joined(*names)
        for peer, name in zip(peers[:-1], names[:-1], strict=True):
            peer.says(Opcode.PLAYER_READY, name)
            for other in peers:
                await other.hears(("PLAYER_READY", name, ""))
        last, name = peers[-1], names[-1]
        last.says(*READY)
        go(last)
        for peer in peers[:-1]:
            await _begun_in_one_way_or_the_other(peer, name)
        match = await home.match()
        assert match.status.started
        if len(match.players()) == count:
            assert match.player(count - 1).away_since == clock.now
        peers[0].says(Opcode.MOVE, "A", "-4 5 -4 4")
        assert (await peers[1].frame())[0] == "MOVE"


async def _begun_in_one_way_or_the_other(peer: Peer, gone: str) -> None:
    """With the one who has gone, or without; never with a phantom that nobody was told of."""
    said = [await peer.frame() for _ in range(3)]
    ops = [op for op, _, _ in said]
    if ops[0] == "PLAYER_READY":
        assert ops == ["PLAYER_READY", "START_GAME", "START_TURN"]
        assert gone in said[1][1].split()
        await peer.hears(("LEAVE_ROOM", gone, ""))
    else:
        assert ops == ["LEAVE_ROOM", "START_GAME", "START_TURN"]
        assert gone not in said[1][1].split()


@crowds
async def test_ready_and_leave_in_one_segment(count: int) -> None:
    names = some(count)
    async with house(Clock()) as home:
        peers = await home.joined(*names)
        last = peers[-1]
        last.write(frames(READY, LEAVE, READY, LEAVE))
        for peer in peers:
            await peer.hears(("PLAYER_READY", names[-1], ""), ("LEAVE_ROOM", names[-1], ""))
        await last.is_told(ErrorCode.NOT_IN_ROOM)
        await last.is_told(ErrorCode.NOT_IN_ROOM)


async def test_leave_and_join_in_one_segment() -> None:
    async with house(Clock()) as home:
        alice, bob = await home.joined("alice", "bob")
        alice.write(frames(LEAVE, (Opcode.JOIN_ROOM, "room2", "alice"), READY))
        await bob.hears(("LEAVE_ROOM", "alice", ""))
        await alice.hears(
            ("LEAVE_ROOM", "alice", ""), ("JOIN_ROOM_REPLY", "", ""), ("PLAYER_READY", "alice", "")
        )
        assert await bob.heard() == []


@crowds
async def test_a_move_in_the_segment_of_the_time_out_comes_too_late(count: int) -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, count)
        clock.now += TURN
        race.sends(STEP)
        home.tick()
        await race.loses(0)
        await race.peers[0].is_told(ErrorCode.OUTTURN_MOVE)
        await race.quiet()


@crowds
async def test_a_move_that_beats_the_alarm_is_too_late_all_the_same(count: int) -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, count)
        clock.now += TURN
        race.sends(STEP)
        race.sends(STEP)
        await race.loses(0)
        await race.peers[0].is_told(ErrorCode.OUTTURN_MOVE)
        home.tick()
        await race.quiet()


@crowds
async def test_a_move_in_the_last_millisecond_counts(count: int) -> None:
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, count)
        clock.now += TURN - 1
        await race.plays(STEP)
        await passes(home, clock, TURN - 1)
        await race.quiet()
