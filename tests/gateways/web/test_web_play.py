"""Guests play over real sockets: with each other, and with clients of every other protocol."""

import asyncio
import contextlib

from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.gateways.ruc import RucGateway, RucOptions
from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from parlour.stores import MemoryStore
from parlour.wire.ruc import Opcode
from tests.gateways.nedap.peers import Peer as NedapPeer
from tests.gateways.ruc.peers import Peer as RucPeer
from tests.gateways.textbook.peers import visiting
from tests.gateways.web.browsers import Browser, house, table


async def test_two_guests_play_tictactoe_to_the_end() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        for number, move in enumerate(("0,0", "1,1", "0,1", "2,2", "0,2")):
            await (other if number % 2 else one).play(match, move)
            await one.ply(match, number + 1)
            await other.ply(match, number + 1)

        for tab in (one, other):
            state = tab.matches[match]
            assert [seat["player"]["name"] for seat in state["seats"]] == ["Alice", "Bob"]
            assert state["outcome"]["ranking"] == [[0], [1]]
            assert state["board"] == [["0,0", "0,1", "0,2"], ["1,1", "2,2"]]
            assert (state["situation"]["status"], state["situation"]["turn"]) == ("over", None)


async def test_a_move_sent_twice_is_played_once() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        first = await one.say("move", match=match, move="0,0", ply=0)
        second = await one.say("move", match=match, move="0,0", ply=0)

        assert (await one.answer(first))["type"] == "done"
        answer = await one.answer(second)
        await other.ply(match, 1)
        await other.play(match, "1,1")
        await one.ply(match, 2)

        assert (answer["type"], answer["refusal"]) == ("refused", "stale-move")
        assert one.moves == other.moves == ["0,0", "1,1"]


async def test_a_repeated_or_early_move_is_refused_by_where_the_match_is() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        early = await one.ask("move", match=match, move="0,2", ply=4)
        for number, move in enumerate(("0,0", "1,1", "0,1", "2,2", "0,2")):
            await (other if number % 2 else one).play(match, move)
            await one.ply(match, number + 1)
            await other.ply(match, number + 1)
        won = await one.ask("move", match=match, move="0,2", ply=4)

        assert (early["refusal"], won["refusal"]) == ("stale-move", "over")
        assert one.moves == ["0,0", "1,1", "0,1", "2,2", "0,2"]


async def test_a_move_repeated_after_a_restart_is_refused_while_all_come_back() -> None:
    store = MemoryStore()
    async with contextlib.AsyncExitStack() as later:
        async with house(store=store) as doors, table(doors) as (match, one, other):
            await one.play(match, "0,0")
            await other.ply(match, 1)
            assert one.socket.request is not None
            cookie = one.socket.request.headers["Cookie"]
        doors = await later.enter_async_context(house(store=store))
        alice = Browser(doors.port)
        alice.http.cookies.set(*cookie.split("=", 1))
        again = await later.enter_async_context(alice.tab())

        answer = await again.ask("move", match=match, move="0,0", ply=0)

        assert answer["refusal"] == "suspended"


async def test_a_table_that_waits_is_still_there_after_a_restart() -> None:
    store = MemoryStore()
    async with house(store=store) as doors, doors.guest("Alice") as alice, alice.tab():
        match = await alice.open("tictactoe")
    async with house(store=store) as doors, doors.guest("Bob") as bob, bob.tab() as other:
        again = alice.at(doors.port)
        async with again.http, again.tab() as tab:
            await tab.watch(match)
            await other.watch(match)
            await other.say("take-seat", match=match)
            await tab.event(match, "started")
            assert tab.matches[match]["situation"]["status"] == "live"


async def test_a_refusal_names_the_rule_and_the_game_goes_on() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await one.play(match, "1,1")
        await other.ply(match, 1)

        taken = await other.ask("move", match=match, move="1,1", ply=1)
        early = await one.ask("move", match=match, move="0,0", ply=1)
        await other.play(match, "0,0")

        assert taken == {
            "type": "refused",
            "id": taken["id"],
            "match": match,
            "refusal": "illegal-move",
            "detail": "cell 1,1 is taken by X",
        }
        assert early["refusal"] == "out-of-turn"


async def test_two_tabs_are_one_player() -> None:
    async with house() as doors, doors.guest("Alice") as alice, doors.guest("Bob") as bob:
        match = await alice.open("tictactoe")
        async with alice.tab() as one, alice.tab() as two, bob.tab() as other:
            for tab in (one, two, other):
                await tab.watch(match)
            await other.say("take-seat", match=match)
            await one.event(match, "started")
            await two.event(match, "started")

            await one.play(match, "0,0")
            await two.ply(match, 1)
            again = await two.ask("take-seat", match=match)

            assert [message["seat"] for message in two.heard if message["type"] == "you"] == [0]
            assert again["refusal"] == "already-started"


async def test_a_guest_meets_a_textbook_client_that_waits() -> None:
    async with house() as doors, doors.guest("Alice") as alice:
        gateway = TextbookGateway(TextbookOptions(turn_limit=0), doors.service.new_id)
        port = await doors.service.listen(gateway.session)
        async with visiting(port) as door, alice.tab() as tab:
            peer = await door.peer()
            assert await peer.ints(1) == (1,)

            await tab.ask("seek", game="tictactoe")
            match = (await tab.until("paired"))["match"]
            state = await tab.watch(match)
            assert await peer.ints(1) == (1,)  # start
            assert [seat["player"]["protocol"] for seat in state["seats"]] == ["textbook", "web"]

            peer.mark(0, 0)
            await tab.ply(match, 1)
            await tab.play(match, "1,1")
            assert await peer.ints(3) == (4, 1, 1)
            for row, move in ((1, "2,1"), (2, "")):
                peer.mark(row, 0)
                await tab.ply(match, 2 * row + 1)
                if move:
                    await tab.play(match, move)
                    assert await peer.ints(3) == (4, 1, 2)

            assert await peer.rest() == (1,)
            assert tab.matches[match]["outcome"]["ranking"] == [[0], [1]]


async def test_a_textbook_client_sits_down_at_an_open_table() -> None:
    async with house() as doors, doors.guest("Alice") as alice, alice.tab() as tab:
        gateway = TextbookGateway(TextbookOptions(turn_limit=0), doors.service.new_id)
        port = await doors.service.listen(gateway.session)
        async with visiting(port) as door:
            match = await alice.open("tictactoe", seat=0)
            await tab.watch(match)

            peer = await door.peer()
            await tab.event(match, "started")
            assert await peer.ints(1) == (2,)
            await tab.play(match, "0,0")

            assert await peer.ints(3) == (4, 0, 0)


async def test_a_guest_plays_go_with_a_client_of_lines_and_both_talk() -> None:
    async with house() as doors, doors.guest("Alice") as alice, alice.tab() as tab:
        gateway = NedapGateway(NedapOptions(), doors.service.host.directory)
        port = await doors.service.listen(gateway.session)
        peer = await NedapPeer.connect(port)
        peer.send("PLAYER bob", "GO 5")
        await peer.hears("WAITING")

        await tab.ask("seek", game="go", options={"size": 5})
        match = (await tab.until("paired"))["match"]
        await tab.watch(match)
        await peer.hears("READY black alice 5")
        for number, (mine, yours) in enumerate((("1 0", "0,0"), ("0 1", "4,4"))):
            peer.send(f"MOVE {mine}")
            await peer.hears(f"VALID black {mine}")
            await tab.ply(match, 2 * number + 1)
            if yours == "4,4":  # the stone in the corner is gone: black 0,1 took it
                assert tab.matches[match]["board"] == [["1,0", "0,1"], []]
                assert tab.matches[match]["captured"] == [0, 1]
            await tab.play(match, yours)
            await peer.hears(f"VALID white {yours.replace(',', ' ')}")
        peer.send("CHAT hello")
        await peer.hears("CHAT bob: hello")
        said = await tab.until("chat", lambda message: not message["history"])
        await tab.say("say", match=match, text="hi\nthere")
        await peer.hears("CHAT alice: hi there")
        peer.send("PASS")
        await peer.hears("PASSED black")
        await tab.ply(match, 5)
        await tab.play(match, "pass")
        await peer.hears("PASSED white", "END 3 1")

        line = said["lines"][0]
        assert (line["name"], line["seat"], line["text"]) == ("bob", 0, "hello")
        assert tab.matches[match]["outcome"]["ranking"] == [[0], [1]]
        await peer.close()


async def test_two_guests_and_a_client_of_frames_race_in_one_room() -> None:
    async with house() as doors, doors.guest("Alice") as alice, doors.guest("Bob") as bob:
        gateway = RucGateway(RucOptions(), doors.service.host.directory)
        port = await doors.service.listen(gateway.session)
        async with alice.tab() as one, bob.tab() as two:
            match = await alice.open("chinese_checkers", room="garden")
            await one.watch(match)
            await two.watch(match)
            await two.ask("take-seat", match=match)
            peer = RucPeer(*await asyncio.open_connection("127.0.0.1", port))
            peer.says(Opcode.JOIN_ROOM, "garden", "carol")
            await peer.hears(("JOIN_ROOM_REPLY", "Alice Bob", "00"))
            await one.say("ready", match=match)
            await two.say("ready", match=match)
            peer.says(Opcode.PLAYER_READY)
            await one.event(match, "started")
            await two.event(match, "started")
            names = [seat["name"] for seat in two.matches[match]["seats"]]

            await one.play(match, "-4,5>-4,4")
            await two.ply(match, 1)
            legal = (await bob.http.get(f"/api/matches/{match}/moves")).json()["moves"]
            await two.play(match, legal[0])
            for _ in range(3):
                await peer.frame()  # three PLAYER_READY
            await peer.hears(
                ("START_GAME", "Alice Bob carol", "A C E"),
                ("START_TURN", "A", "*"),
                ("MOVE", "A", "-4 5 -4 4"),
                ("START_TURN", "C", "*"),
            )

            assert names == ["A", "C", "E"]
            assert "-4,4" in two.matches[match]["board"][0]
            assert "-4,5" not in two.matches[match]["board"][0]
            await peer.close()
