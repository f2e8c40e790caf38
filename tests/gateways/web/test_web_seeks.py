"""Whom and what a seek leads to: a clock that both asked for, and a game that two can play."""

from typing import Any

import pytest

from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from tests.gateways.textbook.peers import visiting
from tests.gateways.web.browsers import House, Tab, house


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
