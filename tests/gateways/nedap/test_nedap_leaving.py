"""Ways to go in every state a connection can be in, and what they leave behind."""

from collections.abc import Awaitable, Callable

import pytest

from parlour.games import Refused
from parlour.gateways import Close, Say, StopFinding, Submit, Write
from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.host import Directory
from parlour.match import CreateMatch, LeaveSeat, Newcomer, Terms
from tests.gateways.nedap.peers import Club, Peer, club, moves

LOST = ["TABLEFLIPPED black", "END -1 -1"]


async def stranger(room: Club) -> Peer:
    return await room.peer()


async def idle(room: Club) -> Peer:
    return await room.peer("zoe")


async def waiting(room: Club) -> Peer:
    zoe = await room.peer("zoe")
    zoe.send("GO 9")
    await zoe.hears("WAITING")
    return zoe


async def cancelled(room: Club) -> Peer:
    zoe = await waiting(room)
    zoe.send("CANCEL")
    assert await zoe.heard() == []
    return zoe


async def against(room: Club) -> tuple[Peer, Peer]:
    zoe = await waiting(room)
    yan = await room.peer("yan")
    yan.send("GO 9")
    await yan.hears("WAITING", "READY white zoe 9")
    await zoe.hears("READY black yan 9")
    return zoe, yan


async def in_turn(room: Club) -> Peer:
    return (await against(room))[0]


async def out_of_turn(room: Club) -> Peer:
    zoe, yan = await against(room)
    await moves(zoe, yan, "4 4")
    return zoe


async def after_the_end(room: Club) -> Peer:
    zoe, yan = await against(room)
    await moves(zoe, yan, "pass", "pass")
    await zoe.hears("END 0 0")
    return zoe


async def half_a_line(room: Club) -> Peer:
    zoe = await in_turn(room)
    zoe.write(b"MOVE 3")
    return zoe


State = Callable[[Club], Awaitable[Peer]]
QUIET: list[State] = [stranger, idle, waiting, cancelled, after_the_end]
states = pytest.mark.parametrize(
    "state", [*QUIET, in_turn, out_of_turn], ids=lambda state: state.__name__
)


@states
async def test_exit_closes_without_a_word_and_frees_the_name(state: State) -> None:
    """In a game too, where it resigns: the same name may log in from anywhere at once."""
    async with club() as room:
        zoe = await state(room)
        zoe.send("EXIT", "MOVE 1 1", "GO 9")
        await zoe.closed()
        again = await room.peer("zoe", address="127.0.0.2")
        again.send("GO 9")
        assert await again.heard() == ["WAITING"]
        assert room.streams() == []


@pytest.mark.parametrize(
    "state", [*QUIET, in_turn, out_of_turn, half_a_line], ids=lambda state: state.__name__
)
async def test_a_reset_ends_one_connection_and_disturbs_nobody(
    state: State, caplog: pytest.LogCaptureFixture
) -> None:
    async with club() as room:
        black, white = await room.pair()
        zoe = await state(room)
        zoe.reset()
        await moves(black, white, "1 1", "2 2")
        other = await room.peer("xena")
        other.send("GO 9")
        assert await other.heard() == ["WAITING"]
    assert caplog.messages == []


@pytest.mark.parametrize("way", ["EXIT", "reset"])
async def test_whoever_leaves_in_the_instant_of_the_start_has_lost_or_was_never_there(
    way: str,
) -> None:
    """No phantom game is left, and the one who stays can play on."""
    async with club(NedapOptions(grace=0)) as room:
        alice, bob = await room.peer("alice"), await room.peer("bob")
        alice.send("GO 5")
        await alice.hears("WAITING")
        bob.send("GO 5", *(["EXIT"] if way == "EXIT" else []))
        if way == "reset":
            await bob.writer.drain()
            bob.reset()
        else:
            assert (await bob.rest())[0] == "WAITING"
        carol = await room.peer("carol")
        heard = await alice.heard()
        if heard:
            assert heard == ["READY black bob 5", "TABLEFLIPPED white", "END -1 -1"]
            alice.send("GO 5")
            await alice.hears("WAITING")
        carol.send("GO 5")
        await carol.hears("WAITING", "READY white alice 5")
        await alice.hears("READY black carol 5")


async def test_cancel_in_the_segment_of_a_go_that_begins_a_game_comes_too_late() -> None:
    async with club() as room:
        alice = await room.peer("alice")
        alice.send("GO 5")
        await alice.hears("WAITING")
        bob = await room.peer()

        bob.send("GO bob 5", "CANCEL")

        await bob.hears("WAITING", "WARNING you do not wait for a game", "READY white alice 5")
        await alice.hears("READY black bob 5")
        await moves(alice, bob, "1 1")


@pytest.mark.parametrize("segments", [1, 2])
async def test_exit_behind_a_go_that_takes_a_waiting_seat_gives_the_seat_up(segments: int) -> None:
    """The table was opened by somebody at another door; the seat is taken by way of the log."""
    async with club() as room:
        ann = Newcomer("web:1", "Ann", Terms(ready=True))
        table = CreateMatch("go", {"size": 5}, (ann,))
        no: list[Refused] = []
        room.service.host.create("match", table, no.append)
        other = await room.peer("other")
        assert (len(room.streams()), no) == (1, [])
        bob = await room.peer("bob")

        for lines in [["GO 5", "EXIT"]] if segments == 1 else [["GO 5"], ["EXIT"]]:
            bob.send(*lines)
            await bob.writer.drain()

        assert (await bob.rest())[0] == "WAITING"
        other.send("GO 5")
        assert await other.heard() == ["WAITING"]
        assert room.streams() == []


async def test_what_follows_a_go_in_its_segment_is_heard_when_nobody_else_waits() -> None:
    async with club() as room:
        alice = await room.peer()
        alice.send("GO alice 5", "MOVE 1 1", "CANCEL", *["GO 7", "CANCEL"] * 100, "GO 9")
        heard = await alice.heard()
        assert heard == ["WAITING", "WARNING you are not in a game", *["WAITING"] * 101]
        bob = await room.peer("bob")
        bob.send("GO 9")
        await bob.hears("WAITING", "READY white alice 9")


@pytest.mark.parametrize("found", [True, False], ids=["a game", "nobody"])
@pytest.mark.parametrize("last", [b"EXIT\n", b"\xff\n", b"\xff\nEXIT\n"])
def test_the_end_of_a_flood_behind_a_go_is_heard(last: bytes, found: bool) -> None:
    """The lobby's answer is on its way, and of a hundred lines there is no more than a warning."""
    session = NedapGateway(NedapOptions(), Directory()).session("10.0.0.7")
    session.received(b"PLAYER alice\nGO 5\n", 0)
    warning = Write(b"WARNING wait for the answer to GO\n")
    assert list(session.received(b"CHAT a\n" * 101, 0)) == [warning]
    assert list(session.received(b"CHAT b\n" * 101 + last, 0)) == [warning]
    for _ in range(3):
        session.received(b"EXIT\n" * 101, 0)

    effects = [*(session.paired("match-1", 0) if found else session.waiting(0))]

    assert not any(isinstance(effect, Say) for effect in effects)
    assert isinstance(effects[-1], Close)
    leave = Submit("match-1", LeaveSeat("nedap:alice 10.0.0.7"))
    assert (leave in effects) is found
    assert (StopFinding("nedap:alice 10.0.0.7") in effects) is not found
    assert list(session.received(b"CHAT c\n", 0)) == []


async def test_two_who_give_up_in_the_same_instant_get_one_result() -> None:
    async with club() as room:
        black, white = await room.pair()
        black.send("TABLEFLIP")
        white.send("TABLEFLIP")
        told = [await player.heard() for player in (black, white)]
        results = [[line for line in lines if "WARNING" not in line] for lines in told]
        assert results[0] == results[1]
        assert results[0] in (LOST, ["TABLEFLIPPED white", "END -1 -1"])


async def test_a_name_is_freed_while_its_old_opponent_plays_on() -> None:
    """Alice loses to Bob by her absence; her name is another's while Bob plays Carol."""
    async with club() as room:
        alice, bob = await room.pair()
        alice.reset()
        await bob.hears("CHAT server: alice is away, 30 s")
        await room.passes(30_000)
        await bob.hears(*LOST)
        carol = await room.peer("carol")
        for player in (bob, carol):
            player.send("GO 5")
            await player.hears("WAITING")
        await bob.hears("READY black carol 5")
        await carol.hears("READY white bob 5")

        other = await room.peer("alice", address="127.0.0.2")

        other.send("CHAT hello", "GO 7")
        assert sorted(await other.heard()) == ["CHAT alice: hello", "WAITING"]
        await moves(bob, carol, "1 1", "2 2")


async def test_a_name_is_not_free_while_its_own_game_runs() -> None:
    async with club() as room:
        alice, bob = await room.pair()
        alice.reset()
        await bob.hears("CHAT server: alice is away, 30 s")
        other = await room.peer(address="127.0.0.2")
        other.send("PLAYER alice", "GO alice 5")
        assert (
            await other.heard()
            == ["WARNING alice is in a game and may come back: choose another name"] * 2
        )
        back = await room.peer()
        back.send("PLAYER alice")
        await back.hears("READY black bob 5")
