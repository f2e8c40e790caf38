"""Watching: whole states, missed tails, nothing twice and nothing missing."""

import asyncio
import contextlib
import copy
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
import pytest

from parlour.gateways.web import WebOptions
from parlour.match import PlayMove
from tests.gateways.web.browsers import House, Tab, house, table
from tests.host.stores import HeldStore, SlowStore

MOVES = ("0,0", "1,1", "0,1", "2,2")


@contextlib.asynccontextmanager
async def watched(doors: House) -> AsyncIterator[tuple[str, Tab, Tab, Tab]]:
    """A running match, a tab of each player on it, and a tab of somebody else."""
    async with (
        table(doors) as (match, one, other),
        doors.guest() as carol,
        carol.tab() as tab,
    ):
        yield match, one, other, tab


async def play(one: Tab, other: Tab, match: str, *moves: str) -> None:
    """Both play in turn, whoever's turn it is."""
    for move in moves:
        ply = one.matches[match]["situation"]["ply"]
        await (other if ply % 2 else one).play(match, move)
        await one.ply(match, ply + 1)
        await other.ply(match, ply + 1)


async def test_a_spectator_in_the_middle_of_a_game_sees_each_move_once() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await play(one, other, match, *MOVES[:2])
        async with doors.guest() as carol, carol.tab() as tab:
            await tab.watch(match)
            await play(one, other, match, *MOVES[2:])
            await tab.ply(match, 4)

            assert tab.moves == list(MOVES)
            assert tab.matches[match] == one.matches[match]
            assert [message["seat"] for message in tab.heard if message["type"] == "you"] == [None]


async def test_a_spectator_in_the_middle_of_a_move_sees_it_once() -> None:
    store = HeldStore()
    async with house(store=store) as doors, table(doors) as (match, one, other):
        store.held = True
        await one.say("move", match=match, move="0,0", ply=0)
        async with doors.guest() as carol, carol.tab() as tab:
            await tab.watch(match)
            assert tab.moves == []  # durable before visible
            store.release()
            for watching in (tab, one, other):
                await watching.ply(match, 1)
            await play(one, other, match, "1,1")
            await tab.ply(match, 2)

            assert tab.moves == ["0,0", "1,1"]


@pytest.mark.parametrize("away_for", [0, 1, 3])
async def test_after_a_cut_the_missed_events_come_and_no_others(away_for: int) -> None:
    async with house() as doors, table(doors) as (match, one, other), doors.guest() as carol:
        await play(one, other, match, MOVES[0])
        async with carol.tab() as before:
            seen = (await before.watch(match))["version"]
        await play(one, other, match, *MOVES[1 : 1 + away_for])
        async with carol.tab() as tab:
            tab.matches[match] = before.matches[match]
            await tab.watch(match, after=seen)
            answer = next(message for message in tab.heard if message["type"] == "events")

            assert [event["version"] for event in answer["events"]] == list(
                range(seen + 1, seen + 1 + away_for)
            )
            assert tab.moves == list(MOVES[1 : 1 + away_for])
            assert tab.matches[match] == one.matches[match]


async def test_to_watch_anew_repeats_what_comes_after_the_version_that_is_named() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        seen = one.matches[match]["version"]
        await play(one, other, match, *MOVES[:2])
        await one.socket.send(f'{{"type": "watch", "match": "{match}", "after": {seen}}}')
        await one.socket.send('{"type": "ping", "id": 77}')
        versions = []
        while (message := msgspec.json.decode(await one.socket.recv()))["type"] != "pong":
            if message["type"] == "events":
                versions += [event["version"] for event in message["events"]]

        assert versions == [seen + 1, seen + 2]


@pytest.mark.parametrize("after", [99, 10**9])
async def test_a_version_that_never_was_is_answered_with_the_whole_state(after: int) -> None:
    async with house() as doors, watched(doors) as (match, _, _, tab):
        await tab.watch(match, after=after)

        assert tab.heard[1]["type"] == "match"


async def test_a_cut_of_more_than_256_events_is_answered_with_the_whole_state() -> None:
    async with (
        house() as doors,
        table(doors, "go", options={"size": 19}) as (match, one, _),
        doors.guest() as carol,
        carol.tab() as tab,
    ):
        seen = one.matches[match]["version"]
        host = doors.service.host
        state, _ = await host.state(match)
        for number in range(257):  # faster than a browser may
            x, y = divmod(number // 2, 9)
            by = state.player(number % 2).identity
            host.submit(match, PlayMove(by, f"{x},{2 * y + number % 2}"))
            await one.ply(match, number + 1)
            if number == 0:
                tab.matches[match] = copy.deepcopy(one.matches[match])
        await tab.watch(match, after=seen + 1)
        assert tab.heard[1]["type"] == "events"
        assert len(tab.heard[1]["events"]) == 256
        await tab.watch(match, after=seen)

        assert [message["type"] for message in tab.heard if "match" in message].count("match") == 1


async def test_a_match_that_is_not_there_is_refused() -> None:
    async with house() as doors, doors.guest() as carol, carol.tab() as tab:
        for stream in ("match-nothing", "room-1", "../etc"):
            no = await tab.ask("watch", match=stream)
            assert (no["type"], no["refusal"]) == ("refused", "unknown-stream")


async def test_a_match_that_a_mistake_of_ours_keeps_from_being_found_is_refused_as_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def stumbles(stream: str) -> None:
        raise ZeroDivisionError

    async with house() as doors, doors.guest() as guest, guest.tab() as tab:
        monkeypatch.setattr(doors.service.host, "state", stumbles)
        refused = await tab.ask("watch", match="match-none")
    assert refused["refusal"] == "mistake"
    assert "match-none could not be looked up" in caplog.text


async def test_one_connection_watches_many_matches() -> None:
    async with house() as doors, doors.guest("Alice") as alice, alice.tab() as tab:
        opened = [await alice.open("tictactoe") for _ in range(3)]
        for match in opened:
            await tab.watch(match)
        await tab.ask("leave", match=opened[1])
        await tab.event(opened[1], "aborted")

        assert [tab.matches[match]["situation"]["status"] for match in opened] == [
            "open",
            "aborted",
            "open",
        ]


async def test_who_watches_no_more_hears_no_more() -> None:
    async with house() as doors, watched(doors) as (match, one, other, tab):
        await tab.watch(match)
        await tab.ask("unwatch", match=match)
        await play(one, other, match, *MOVES)
        await tab.ask("ping")

        assert tab.moves == []


async def test_onlookers_are_counted_and_players_are_not() -> None:
    async with house() as doors, watched(doors) as (match, one, _, tab), doors.guest() as dave:
        await tab.watch(match)
        async with dave.tab() as again:
            await again.watch(match)
            counted = await one.until("watchers", lambda message: message["count"] == 2)

        assert counted == {"type": "watchers", "match": match, "count": 2}


async def test_who_sits_down_looks_on_no_more() -> None:
    async with house() as doors, doors.guest() as alice, doors.guest() as bob:
        match = await alice.open("tictactoe")
        async with alice.tab() as one, bob.tab() as other:
            await one.watch(match)
            await other.watch(match)
            await one.until("watchers", lambda message: message["count"] == 1)
            await other.ask("take-seat", match=match)
            counted = await one.until("watchers", lambda message: message["count"] == 0)

    assert counted["match"] == match


async def test_a_preview_is_told_everything_and_not_counted() -> None:
    def counts(count: int) -> Callable[[dict[str, Any]], bool]:
        return lambda message: bool(message["count"] == count)

    async with house() as doors, watched(doors) as (match, one, other, tab), doors.guest() as dave:
        await tab.watch(match)
        async with dave.tab() as small:
            await small.watch(match, preview=True)
            await play(one, other, match, MOVES[0])
            await small.event(match, "move")
            await small.watch(match)
            await one.until("watchers", counts(2))
            await small.watch(match, preview=True)
            await one.until("watchers", counts(1))


async def test_a_browser_without_a_cookie_may_watch_and_nothing_else() -> None:
    async with house() as doors, table(doors) as (match, _, _), doors.guest() as carol:
        carol.http.cookies.clear()
        async with carol.tab() as tab:
            await tab.watch(match)
            no = await tab.ask("take-seat", match=match)

            assert tab.heard[0]["name"] is None
            assert no["refusal"] == "guest"


async def test_a_table_with_a_password_lets_in_who_knows_it() -> None:
    async with house() as doors, doors.guest("Alice") as alice, doors.guest("Bob") as bob:
        match = await alice.open("tictactoe", password="sesame")
        listed = (await bob.http.get("/api/matches")).json()["matches"]
        async with alice.tab() as one, bob.tab() as other:
            await one.watch(match)
            blind = await other.ask("watch", match=match)
            wrong = await other.ask("take-seat", match=match, password="simsim")
            hidden = await bob.http.get(f"/api/matches/{match}")
            await other.watch(match, password="sesame")
            await other.ask("take-seat", match=match, password="sesame")
            await one.event(match, "started")

            assert [(one["id"], one["locked"]) for one in listed] == [(match, True)]
            assert [no["refusal"] for no in (blind, wrong)] == ["password"] * 2
            assert (hidden.status_code, hidden.json()["refusal"]) == (403, "password")


async def test_chat_so_far_comes_with_the_match_and_not_again() -> None:
    async with house() as doors, table(doors) as (match, one, other), doors.guest("Eve") as eve:
        await one.ask("say", match=match, text="good luck")
        async with eve.tab() as tab:
            await tab.watch(match)
            history = await tab.until("chat")
            await tab.ask("say", match=match, text="nice \u202e move")
            said = await other.until("chat", lambda message: message["lines"][0]["name"] == "Eve")

            assert history["history"]
            assert [line["text"] for line in history["lines"]] == ["good luck"]
            assert (said["lines"][0]["seat"], said["lines"][0]["text"]) == (None, "nice   move")


async def test_a_seat_waits_for_its_guest_and_is_lost_after_the_grace() -> None:
    options = WebOptions(linger=0, grace=1)
    async with (
        house(options) as doors,
        doors.guest("Alice") as alice,
        doors.guest() as bob,
        alice.tab() as one,
    ):
        match = await alice.open("tictactoe")
        await one.watch(match)
        async with bob.tab() as other:
            await other.ask("take-seat", match=match)
            await one.event(match, "started")
        await one.event(match, "away")
        async with bob.tab() as back:
            await one.event(match, "back")
            assert back.heard[0]["seats"] == [match]
        await one.event(match, "forfeited")

        assert one.matches[match]["forfeits"][0]["cause"] == "absence"
        assert one.matches[match]["outcome"]["ranking"] == [[0], [1]]


async def test_a_seek_lives_while_any_tab_does() -> None:
    async with house(WebOptions(linger=0)) as doors, doors.guest("Alice") as alice:
        async with alice.tab() as one:
            async with alice.tab() as two:
                assert (await two.ask("seek", game="go"))["type"] == "waiting"
            assert (await one.until("seeking"))["seek"]["game"] == "go"
            await one.ask("ping")
            assert len(doors.service.desk.pairer.waiting()) == 1
        async with asyncio.timeout(5):
            while doors.service.desk.pairer.waiting():
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("told", ["events", "match"])
async def test_of_two_requests_for_a_match_that_must_be_looked_for_the_last_counts(
    told: str,
) -> None:
    store = SlowStore()
    async with house(store=store) as doors, watched(doors) as (match, one, other, tab):
        version = (await tab.watch(match))["version"]
        await tab.ask("unwatch", match=match)
        await one.ask("resign", match=match)
        for player in (one, other):
            await player.ask("unwatch", match=match)
        doors.service.host.directory.forget(match)  # as of a match that is over long ago
        store.go.clear()
        for after in (0, version) if told == "events" else (version, 0):
            await tab.say("watch", match=match, after=after)
        await tab.ask("ping")
        tab.heard.clear()
        store.go.set()
        await tab.until("you")
        await tab.ask("ping")
        unknown = [await tab.say("watch", match="match-none") for _ in range(2)]
        refused = [(await tab.answer(number))["refusal"] for number in unknown]

    assert [one["type"] for one in tab.heard if one["type"] in ("match", "events")] == [told]
    assert refused == ["unknown-stream"] * 2


async def test_the_lobby_tells_who_plays_and_who_waits() -> None:
    async with house() as doors, doors.guest("Eve") as eve, eve.tab() as tab:
        lobby = await tab_lobby(tab)
        assert lobby["open"] == lobby["live"] == lobby["seeks"] == []
        async with table(doors) as (match, one, _):
            shown = await changed(tab, lambda known: known[match]["status"] == "live", match)
            await one.ask("seek", game="go", options={"size": 9})
            seeks = await tab.until("lobby-changed", lambda message: bool(message["seeks"]))
            await one.ask("resign", match=match)
            gone = await tab.until("lobby-changed", lambda message: match in message["gone"])

            assert [player["name"] for player in shown["players"]] == ["Alice", "Bob"]
            assert seeks["seeks"][0] == {
                "game": "go",
                "options": {"size": 9, "end": "white-last"},
                "name": "Alice",
                "protocol": "web",
                "control": dict.fromkeys(("turn", "total", "increment", "periods", "period"), 0),
            }
            versions = [m["version"] for m in tab.heard if m["type"].startswith("lobby")]
            assert versions == list(range(versions[0], gone["version"] + 1))


async def tab_lobby(tab: Tab) -> dict[str, Any]:
    """The lobby as it is."""
    await tab.say("watch-lobby")
    return await tab.until("lobby")


async def changed(tab: Tab, suits: Any, match: str) -> dict[str, Any]:
    """The listing of a match once it suits."""
    known: dict[str, Any] = {}
    while match not in known or not suits(known):
        message = await tab.until("lobby-changed")
        known |= {one["id"]: one for one in message["put"]}
    found: dict[str, Any] = known[match]
    return found
