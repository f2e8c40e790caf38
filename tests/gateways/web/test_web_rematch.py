"""Another game with the same people: offered, accepted, and told of when it is there."""

import pytest

from tests.gateways.web.browsers import Tab, house, table
from tests.host.stores import FailingStore, HeldStore


async def over(match: str, one: Tab, other: Tab) -> None:
    """End the match, and let the first player offer another one."""
    await other.ask("resign", match=match)
    await one.event(match, "ended")
    await one.ask("rematch", match=match)
    await other.until("rematch")


@pytest.mark.parametrize("game", ["tictactoe", "chinese_checkers"])
async def test_a_rematch_needs_both_and_turns_the_seats(game: str) -> None:
    options = {"players": 2} if game == "chinese_checkers" else {}
    async with house() as doors, table(doors, game, options=options) as (match, one, other):
        early = await one.ask("rematch", match=match)
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        await one.say("rematch", match=match)
        offered = await other.until("rematch")
        await other.say("rematch", match=match)
        agreed = await one.until("rematch", lambda message: bool(message["rematch"]["match"]))
        new = agreed["rematch"]["match"]
        state = await one.watch(new)

        assert early["refusal"] == "not-started"
        assert offered["rematch"] == {"offers": [0], "match": None}
        assert [seat["player"]["name"] for seat in state["seats"]] == ["Bob", "Alice"]
        assert state["situation"]["status"] == "live"


async def test_a_rematch_is_named_when_it_is_in_the_log() -> None:
    store = HeldStore()
    async with house(store=store) as doors, table(doors) as (match, one, other):
        await over(match, one, other)
        store.held = True
        accepted = await other.say("rematch", match=match)
        agreed = await other.until("rematch")
        again = await other.ask("rematch", match=match)
        await other.ask("ping")
        told = [message for message in other.heard if message.get("id") == accepted]
        store.release()
        named = await other.until("rematch")
        done = await other.answer(accepted)

        assert agreed["rematch"] == {"offers": [0, 1], "match": None}
        assert again["refusal"] == "stream-exists"
        assert told == []
        assert named["rematch"]["match"] in doors.service.host.directory.unfinished
        assert done["type"] == "done"


async def test_a_rematch_that_cannot_be_recorded_is_offered_anew() -> None:
    store = FailingStore()
    async with house(store=store) as doors, table(doors) as (match, one, other):
        await over(match, one, other)
        store.failing = True
        refused = await other.ask("rematch", match=match)
        store.failing = False
        withdrawn = await one.until("rematch", lambda message: not message["rematch"]["offers"])
        await one.ask("rematch", match=match)
        await other.ask("rematch", match=match)
        named = await one.until("rematch", lambda message: bool(message["rematch"]["match"]))
        state = await one.watch(named["rematch"]["match"])

        assert refused["refusal"] == "unavailable"
        assert withdrawn["rematch"] == {"offers": [], "match": None}
        assert named["rematch"]["match"] in doors.service.host.directory.unfinished
        assert state["situation"]["status"] == "live"
