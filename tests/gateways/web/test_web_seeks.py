"""Whom and what a seek leads to: a clock that both asked for, and a game that two can play."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from parlour.gateways.web import WebOptions
from parlour.host import LEFT
from parlour.match import Status
from tests.gateways.textbook.peers import visiting
from tests.gateways.web.browsers import SOON, Browser, House, Tab, house
from tests.host.stores import HeldStore


async def textbook(doors: House, turn_limit: int) -> int:
    """A door for textbook clients with a turn limit in seconds; returns its port."""
    options = TextbookOptions(turn_limit=turn_limit)
    return await doors.service.listen(TextbookGateway(options, doors.service.new_id).session)


async def shown(tab: Tab) -> list[dict[str, Any]]:
    """Who waits, as the lobby shows it."""
    await tab.say("watch-lobby")
    seeks: list[dict[str, Any]] = (await tab.until("lobby"))["seeks"]
    return seeks


async def test_a_clock_is_only_for_those_who_ask_for_it() -> None:
    fast = {"turn": 150}
    async with (
        house() as doors,
        doors.guest("Eve") as eve,
        doors.guest("Bob") as bob,
        eve.tab() as one,
        bob.tab() as other,
    ):
        await one.ask("seek", game="tictactoe", control=fast)
        await eve.open("tictactoe", control=fast)
        async with visiting(await textbook(doors, 300)) as door:
            peer = await door.peer()
            assert await peer.ints(1) == (1,)  # it waits, beside the seek and the table
        assert (await shown(other))[0]["control"]["turn"] == 150
        listed = (await bob.http.get("/api/matches", params={"status": "open"})).json()["matches"]
        assert [one["control"]["turn"] for one in listed] == [150]
        assert (await other.ask("seek", game="tictactoe"))["type"] == "waiting"
        answer = await other.ask("seek", game="tictactoe", control=fast)

        assert answer["type"] == "done"  # at the table or with who seeks


@pytest.mark.parametrize("first", ["textbook", "web", "table"])
async def test_the_turn_limit_of_a_door_holds_in_its_games(first: str) -> None:
    async with (
        house() as doors,
        doors.guest() as alice,
        alice.tab() as tab,
        visiting(await textbook(doors, 300)) as door,
    ):
        if first == "table":
            match = await alice.open("tictactoe")
            await tab.watch(match)
        elif first == "web":
            await tab.ask("seek", game="tictactoe")
        peer = await door.peer()
        if first == "textbook":
            await peer.ints(1)
            sought = (await shown(tab))[0]
            await tab.ask("seek", game="tictactoe", control=sought["control"])
        if first == "table":
            await tab.event(match, "started")
        else:
            match = (await tab.until("paired"))["match"]
            await tab.watch(match)

        state = tab.matches[match]
        assert state["control"]["turn"] == 300_000
        assert state["situation"]["deadline"] == state["started_at"] + 300_000


async def test_a_seek_for_more_than_two_is_refused() -> None:
    async with house() as doors, doors.guest() as alice, alice.tab() as tab:
        three = await tab.ask("seek", game="chinese_checkers", options={"players": 3})
        two = await tab.ask("seek", game="chinese_checkers", options={"players": 2})

    assert (three["type"], three["refusal"]) == ("refused", "bad-options")
    assert "for two players" in three["detail"]
    assert two["type"] == "waiting"


@pytest.mark.parametrize("second", ["seek", "stop-seeking"])
@pytest.mark.parametrize("opponent", ["table", "seek"])
async def test_who_asks_twice_in_one_go_keeps_the_seat_and_hears_of_it(
    opponent: str, second: str
) -> None:
    store = HeldStore()
    async with (
        house(store=store) as doors,
        doors.guest("Anna") as anna,
        doors.guest("Bert") as bert,
        anna.tab() as one,
        bert.tab() as other,
    ):
        if opponent == "table":
            await anna.open("tictactoe")
        else:
            await one.ask("seek", game="tictactoe")
        store.held = True
        asked = [await other.say("seek", game="tictactoe")]
        asked.append(await other.say(second, **{"game": "tictactoe"} if second == "seek" else {}))
        await other.ask("ping")
        store.release()
        match = (await other.until("paired"))["match"]
        state = await other.watch(match)

        answers = {one["id"]: one for one in other.heard if one.get("id") in asked}
        assert [answers[number]["type"] for number in asked] == ["done", "done"]
        assert answers[asked[0]]["match"] == match
        assert [one["type"] for one in other.heard].count("paired") == 1
        assert state["situation"]["status"] == "live"
        assert [seat["player"]["away_since"] for seat in state["seats"]] == [None, None]


async def somebody_gone(doors: House) -> None:
    """Wait until a guest whose tab was closed is known to be away."""
    async with asyncio.timeout(SOON):
        while not doors.service.desk.pairer._passed_over:
            await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def gone_before_the_seat(
    opponent: str, grace: int = 60
) -> AsyncIterator[tuple[House, Browser, Tab, HeldStore, str]]:
    """Bert, who sought and has gone while his seat is recorded slowly; Anna's tab; her table."""
    store = HeldStore()
    async with (
        house(WebOptions(linger=0, grace=grace), store=store) as doors,
        doors.guest("Anna") as anna,
        doors.guest("Bert") as bert,
        anna.tab() as one,
    ):
        table = ""
        if opponent == "table":
            table = await anna.open("tictactoe")
        else:
            await one.ask("seek", game="tictactoe")
        store.held = True
        async with bert.tab() as first:
            await first.say("seek", game="tictactoe")
            await first.ask("ping")
        await somebody_gone(doors)
        yield doors, bert, one, store, table


@pytest.mark.parametrize("opponent", ["table", "seek"])
async def test_who_is_back_before_their_seat_is_recorded_has_it(opponent: str) -> None:
    """A slow disk, and a page that was loaded anew."""
    async with gone_before_the_seat(opponent) as (_, bert, _, store, _), bert.tab() as second:
        store.release()
        match = (await second.until("paired"))["match"]
        state = await second.watch(match)
        await second.ask("ping")

        assert state["situation"]["status"] == "live"
        told = [one["type"] for one in second.heard]
        assert "away" not in told
        assert [seat["player"]["away_since"] for seat in state["seats"]] == [None, None]


@pytest.mark.parametrize("opponent", ["table", "seek"])
async def test_who_is_not_back_when_their_seat_is_recorded_is_away(opponent: str) -> None:
    async with gone_before_the_seat(opponent) as (doors, _, one, store, table):
        store.release()
        match = table or (await one.until("paired"))["match"]
        async with asyncio.timeout(SOON):
            while (await doors.service.host.state(match))[0].player(1).away_since is None:
                await asyncio.sleep(0)


@pytest.mark.slow  # the grace is over
@pytest.mark.parametrize("opponent", ["table", "seek"])
async def test_nobody_plays_on_against_a_page_that_was_given_up_before_its_seat_was_recorded(
    opponent: str,
) -> None:
    async with gone_before_the_seat(opponent, grace=1) as (doors, _, one, store, table):
        async with asyncio.timeout(SOON):
            while doors.service.desk.pairer._passed_over:  # it is still waited for
                await asyncio.sleep(0)
        store.release()
        match = table or (await one.until("paired"))["match"]
        async with asyncio.timeout(SOON):
            while (await doors.service.host.state(match))[0].status is not Status.ABORTED:
                await asyncio.sleep(0)
        assert doors.service.host.directory.finished[match].abort_detail == LEFT


@contextlib.asynccontextmanager
async def opener_gone() -> AsyncIterator[tuple[Browser, str, Tab]]:
    """Alice, who has opened a table and gone, as is known by now; the table; a tab of Bob."""
    async with (
        house(WebOptions(linger=0, grace=60)) as doors,
        doors.guest() as alice,
        doors.guest() as bob,
        bob.tab() as other,
    ):
        async with alice.tab():
            match = await alice.open("tictactoe")
        opener = doors.service.host.directory.open[match].sitters[0].identity
        async with asyncio.timeout(SOON):
            while not doors.service.desk.pairer.passes_over(opener):
                await asyncio.sleep(0)
        yield alice, match, other


async def test_nobody_is_seated_with_an_opener_who_has_gone() -> None:
    async with opener_gone() as (alice, _, other):
        assert (await other.ask("seek", game="tictactoe"))["type"] == "waiting"
        await other.ask("stop-seeking")
        async with alice.tab():
            assert (await other.ask("seek", game="tictactoe"))["type"] == "done"


async def test_whose_game_begins_without_them_is_away_at_once() -> None:
    async with opener_gone() as (_, match, other):
        await other.watch(match)
        await other.say("take-seat", match=match)
        assert (await other.event(match, "away"))["seat"] == 0
