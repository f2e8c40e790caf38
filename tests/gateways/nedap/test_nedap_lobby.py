"""From the name to the game: PLAYER, GO, CANCEL, EXIT and CHAT on real sockets."""

import pytest

from parlour.gateways import Limits
from parlour.gateways.nedap import NedapOptions
from parlour.host import ChatLine
from parlour.match import MatchAggregate
from tests.gateways.nedap.peers import club, moves
from tests.host.stores import FailingStore
from tests.host.test_host import until


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("GO 5", "expected PLAYER name"),
        ("CHAT hi there", "expected PLAYER name"),
        ("FOO bar", "expected PLAYER name"),
        ("MOVE 1 1", "expected PLAYER name"),
        (
            "PLAYER ERIK",
            "expected PLAYER name: name ERIK is not 1 to 20 small letters a to z: "
            "write PLAYER name, 1 to 20 small letters a to z",
        ),
        ("PLAYER server", "the name server is taken: choose another"),
    ],
)
async def test_a_name_comes_first(line: str, answer: str) -> None:
    async with club() as room:
        stranger = await room.peer()

        stranger.send(line)

        assert await stranger.line() == f"WARNING {answer}"
        stranger.send("PLAYER erik")
        assert await stranger.heard() == []


async def test_a_taken_name_is_asked_for_again_and_is_free_after_the_disconnect() -> None:
    async with club() as room:
        first = await room.peer("alice")
        second = await room.peer()
        second.send("PLAYER alice")
        await second.hears("WARNING the name alice is taken: choose another")
        first.send("EXIT")
        await first.closed()

        second.send("PLAYER alice", "GO 5")

        await second.hears("WAITING")


async def test_of_two_logins_at_once_one_gets_the_name() -> None:
    async with club() as room:
        peers = [await room.peer() for _ in range(2)]
        for peer in peers:
            peer.send("PLAYER alice", "GO 5")

        told = [await peer.heard() for peer in peers]

        assert sorted(told) == [
            ["WAITING"],
            ["WARNING the name alice is taken: choose another", "WARNING expected PLAYER name"],
        ]


async def test_a_second_player_line_changes_nothing() -> None:
    async with club() as room:
        alice = await room.peer("alice")
        alice.send("PLAYER carol")
        assert await alice.heard() == ["WARNING you are alice already"]


async def test_the_old_form_is_a_name_and_a_game() -> None:
    async with club() as room:
        old, newer = await room.peer(), await room.peer("bob")
        old.send("GO alice 9")
        await old.hears("WAITING")

        newer.send("GO alice 9", "GO bob 9 alice")

        await newer.hears("WARNING you are bob, not alice", "WAITING", "READY white alice 9")


async def test_a_taken_name_in_the_old_form_looks_for_no_game() -> None:
    async with club() as room:
        await room.peer("alice")
        old = await room.peer()
        old.send("GO alice 9")
        assert (await old.line()) == "WARNING the name alice is taken: choose another"
        old.send("GO 9")
        assert await old.line() == "WARNING expected PLAYER name"


async def test_players_wait_for_their_own_size() -> None:
    async with club() as room:
        players = [await room.peer(name) for name in ("alice", "bob", "carol")]
        for player, size in zip(players, (9, 11, 9), strict=True):
            player.send(f"GO {size}")
            await player.hears("WAITING")

        assert await players[0].heard() == ["READY black carol 9"]
        assert await players[1].heard() == []


async def test_an_opponent_is_met_only_when_both_want_it() -> None:
    async with club() as room:
        alice, bob, carol = [await room.peer(name) for name in ("alice", "bob", "carol")]
        alice.send("GO 9 bob")
        carol.send("GO 9")
        assert await alice.heard() == ["WAITING"]
        assert await carol.heard() == ["WAITING"]

        bob.send("GO 9 carol")

        assert await bob.heard() == ["WAITING", "READY white carol 9"]
        assert await alice.heard() == []
        alice.send("CANCEL", "GO 9 alice")
        assert await alice.heard() == ["WARNING nobody plays against themselves"]


async def test_sizes_meet_after_a_while_at_the_size_of_who_waits_longest() -> None:
    async with club(NedapOptions(pair="any")) as room:
        alice, bob = await room.peer("alice"), await room.peer("bob")
        alice.send("GO 9")
        await alice.hears("WAITING")
        room.clock.now += 19_999

        bob.send("GO 13")
        assert await bob.heard() == ["WAITING"]
        room.clock.now += 1

        await bob.hears("READY white alice 9")
        await alice.hears("READY black bob 9")


async def test_who_comes_late_takes_the_size_at_once() -> None:
    async with club(NedapOptions(pair="any")) as room:
        alice, bob = await room.peer("alice"), await room.peer("bob")
        alice.send("GO 9")
        await alice.hears("WAITING")
        room.clock.now += 20_000

        bob.send("GO 13")

        await bob.hears("WAITING", "READY white alice 9")


async def test_a_full_disk_when_sizes_would_meet_costs_nobody_the_place() -> None:
    store = FailingStore()
    async with club(NedapOptions(pair="any"), store) as room:
        pairer = room.service.desk.pairer
        alice, bob = await room.peer("alice"), await room.peer("bob")
        alice.send("GO 9")
        await alice.hears("WAITING")
        room.clock.now += 19_999
        bob.send("GO 13")
        assert await bob.heard() == ["WAITING"]

        store.failing = True
        room.clock.now += 1
        await until(lambda: [one.flexible for one in pairer.waiting()] == [False, True])
        for peer in (alice, bob):
            assert await peer.heard() == []  # and what they say is heard

        store.failing = False
        pairer.look_again()
        await bob.hears("READY white alice 9")
        await alice.hears("READY black bob 9")


async def test_who_comes_late_in_an_outage_is_told_and_waits_for_nothing() -> None:
    store = FailingStore()
    async with club(NedapOptions(pair="any"), store) as room:
        alice, bob = await room.peer("alice"), await room.peer("bob")
        alice.send("GO 9")
        await alice.hears("WAITING")
        room.clock.now += 20_000
        store.failing = True

        bob.send("GO 13")

        why = "the log cannot be written just now: try GO again"
        await bob.hears("WAITING", f"WARNING {why}")
        waiting = room.service.desk.pairer.waiting()
        assert [one.name for one in waiting] == ["alice"]


async def test_who_is_not_seated_by_a_mistake_of_ours_is_not_told_to_try_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumbles(*_: object) -> None:
        raise ZeroDivisionError

    async with club() as room:
        alice, bob = await room.peer("alice"), await room.peer("bob")
        monkeypatch.setattr(MatchAggregate, "decide", stumbles)
        for peer in (alice, bob):
            peer.send("GO 9")
            await peer.hears("WAITING")
        for peer in (alice, bob):
            await peer.hears("WARNING the server made a mistake with this")


async def test_after_cancel_nobody_waits_and_go_works_again() -> None:
    async with club() as room:
        alice, bob = await room.peer("alice"), await room.peer("bob")
        alice.send("CANCEL")
        await alice.hears("WARNING you do not wait for a game")
        alice.send("GO 5", "CANCEL")
        await alice.hears("WAITING")
        bob.send("GO 5")
        await bob.hears("WAITING")
        assert await bob.heard() == []

        alice.send("GO 5")

        await alice.hears("WAITING", "READY white bob 5")


async def test_cancel_closes_by_option() -> None:
    async with club(NedapOptions(cancel="close")) as room:
        alice, bob = await room.peer("alice"), await room.peer("bob")
        alice.send("GO 5", "CANCEL")
        assert await alice.rest() == ["WAITING"]
        bob.send("GO 5")
        assert await bob.heard() == ["WAITING"]


async def test_go_twice_is_warned_of() -> None:
    async with club() as room:
        alice = await room.peer("alice")
        alice.send("GO 21", "GO 21")
        assert await alice.heard() == ["WAITING", "WARNING you wait already"]


async def test_cancel_in_a_game_is_warned_of() -> None:
    async with club() as room:
        black, white = await room.pair()
        black.send("CANCEL", "GO 5")
        assert await black.heard() == [
            "WARNING you do not wait for a game",
            "WARNING you are in a game already",
        ]
        await moves(black, white, "1 1")


async def test_exit_closes_in_every_state() -> None:
    async with club() as room:
        stranger, idle = await room.peer(), await room.peer("carol")
        waiting = await room.peer("dave")
        waiting.send("GO 9")
        await waiting.hears("WAITING")
        for peer in (stranger, idle, waiting):
            peer.send("EXIT", "PLAYER late", "GO 9")
            await peer.closed()
        other = await room.peer("erin")
        other.send("GO 9")
        assert await other.heard() == ["WAITING"]


async def test_exit_in_a_game_is_a_resignation() -> None:
    async with club() as room:
        black, white = await room.pair()

        black.send("EXIT")

        await black.closed()
        assert await white.heard() == ["TABLEFLIPPED black", "END -1 -1"]


async def test_who_disconnects_while_waiting_is_not_met() -> None:
    async with club() as room:
        gone = await room.peer("alice")
        gone.send("GO 11")
        await gone.hears("WAITING")
        await gone.close()
        other = await room.peer("bob")
        other.send("GO 11")
        assert await other.heard() == ["WAITING"]


async def test_the_waiting_room_hears_those_in_it() -> None:
    async with club() as room:
        black, white = await room.pair()
        idle = await room.peer("carol")
        waiting = await room.peer("dave")
        waiting.send("GO 9", "CHAT Anybody?  Really?")

        assert await idle.heard() == ["CHAT dave: Anybody?  Really?"]
        assert await waiting.heard() == ["WAITING", "CHAT dave: Anybody?  Really?"]
        assert await black.heard() == []

        white.send("CHAT Good luck")

        for player in (white, black):
            assert await player.heard() == ["CHAT bob: Good luck"]
        assert await idle.heard() == []


async def test_after_the_game_players_are_in_the_waiting_room() -> None:
    async with club() as room:
        black, white = await room.pair()
        black.send("TABLEFLIP")
        assert len(await black.heard()) == 2

        black.send("CHAT again?")

        assert await white.heard() == ["TABLEFLIPPED black", "END -1 -1", "CHAT alice: again?"]


async def test_who_is_turned_away_reads_why() -> None:
    async with club(limits=Limits(exempt=(), connections=1)) as room:
        alice = await room.peer("alice")

        turned_away = await room.peer()
        said = await turned_away.rest()

        assert said == ["WARNING your address has 1 connections already"]
        assert await alice.heard() == []


async def test_chat_has_a_pace() -> None:
    async with club(limits=Limits(chat=1, chat_at_once=2)) as room:
        alice = await room.peer("alice")
        for _ in range(3):
            alice.send("CHAT hello")
        heard = sorted(await alice.heard())
        assert heard == [*["CHAT alice: hello"] * 2, "WARNING say it more slowly"]

        room.clock.now += 1000
        alice.send("CHAT hello")
        assert await alice.heard() == ["CHAT alice: hello"]


LOOK_ALIKES = {
    "alice": "alice",
    "\uff21lice\u200b": "alice",
    "Server": "server",
    "bob: I resign\nCHAT alice": "bobiresignchatalice",
    "\u5c0f\u660e": "guest",
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
async def test_who_looks_on_speaks_as_nobody_else(name: str) -> None:
    async with club() as room:
        _, white = await room.pair()
        (stream,) = room.streams()

        line = ChatLine(stream, "web:9", name, "I give up", room.clock.now)
        room.service.desk.chat.say(line)

        assert await white.heard() == [f"CHAT {LOOK_ALIKES[name]} (looks on): I give up"]


async def test_the_service_speaks_as_itself() -> None:
    async with club() as room:
        _, white = await room.pair()
        (stream,) = room.streams()

        room.service.desk.chat.say(ChatLine(stream, "", "", "hello", room.clock.now))

        assert await white.heard() == ["CHAT server: hello"]
