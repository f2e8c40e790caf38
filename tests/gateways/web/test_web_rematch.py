"""Another game with the same people: offered, accepted, and told of when it is there."""

from typing import Any

import pytest

from parlour.match import Newcomer, Resign, TakeSeat, Terms
from parlour.stores import MemoryStore
from tests.gateways.web.browsers import Browser, Tab, house, table
from tests.host.stores import FailingStore, HeldStore


async def over(match: str, one: Tab, other: Tab) -> None:
    """End the match, and let the first player offer another one."""
    await other.ask("resign", match=match)
    await one.event(match, "ended")
    await one.ask("rematch", match=match)
    await other.until("rematch")


async def agreed(match: str, one: Tab, other: Tab) -> str:
    """End the match, agree on another one, and return that."""
    await over(match, one, other)
    await other.ask("rematch", match=match)
    told = await one.until("rematch", lambda message: bool(message["rematch"]["match"]))
    new: str = told["rematch"]["match"]
    return new


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
        assert offered["rematch"] == {"offers": [0], "match": None, "ended": None}
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

        assert agreed["rematch"] == {"offers": [0, 1], "match": None, "ended": None}
        assert again["refusal"] == "stream-exists"
        assert told == []
        assert named["rematch"]["match"] in doors.service.host.directory.unfinished
        assert done["type"] == "done"


@pytest.mark.parametrize("come_back", [True, False])
async def test_who_looks_away_while_a_rematch_is_recorded_agrees_on_no_other(
    come_back: bool,
) -> None:
    store = HeldStore()
    async with house(store=store) as doors, table(doors) as (match, one, other):
        await over(match, one, other)
        store.held = True
        await other.say("rematch", match=match)
        await other.until("rematch")
        for tab in (one, other):
            await tab.ask("unwatch", match=match)
        agreed = doors.gateway.hall.existing(match)
        if come_back:
            for tab in (one, other):
                await tab.watch(match)
            again = [await tab.ask("rematch", match=match) for tab in (one, other)]
        store.release()
        if come_back:
            told = await one.until("rematch", lambda message: bool(message["rematch"]["match"]))
        await one.ask("ping")
        directory = doors.service.host.directory
        games = [*directory.unfinished.values(), *directory.finished.values()]
        sequels = [listing for listing in games if listing.rematch_of == match]

        assert agreed is not None
        assert len(sequels) == 1
        if come_back:
            assert [one["refusal"] for one in again] == ["stream-exists"] * 2
            assert told["rematch"]["offers"] == [0, 1]
        else:  # and nothing is kept for nobody
            assert doors.gateway.hall.existing(match) is None


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
        assert withdrawn["rematch"] == {"offers": [], "match": None, "ended": None}
        assert named["rematch"]["match"] in doors.service.host.directory.unfinished
        assert state["situation"]["status"] == "live"


async def test_the_next_match_is_told_once_and_to_onlookers_too() -> None:
    async with (
        house() as doors,
        doors.guest("Eve") as eve,
        eve.tab() as onlooker,
        table(doors) as (match, one, other),
    ):
        await onlooker.watch(match)
        new = await agreed(match, one, other)
        await onlooker.until("rematch", lambda message: bool(message["rematch"]["match"]))
        heard = []
        for tab in (one, other, onlooker):
            await tab.ask("ping")
            heard.append([one["rematch"]["match"] for one in tab.heard if one["type"] == "rematch"])

    assert [names.count(new) for names in heard] == [1] * 3


async def test_the_next_match_is_known_when_nobody_has_watched_for_a_while() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        new = await agreed(match, one, other)
        for tab in (one, other):
            await tab.ask("unwatch", match=match)
        gone = doors.gateway.hall.existing(match)
        asked = (await doors_view(doors.port, match))["rematch"]
        state = await one.watch(match)
        again = await one.ask("rematch", match=match)

    assert gone is None
    assert asked == state["rematch"] == {"offers": [0, 1], "match": new, "ended": None}
    assert again["refusal"] == "stream-exists"


async def test_the_next_match_is_known_after_a_restart() -> None:
    store = MemoryStore()
    async with house(store=store) as doors, table(doors) as (match, one, other):
        new = await agreed(match, one, other)
        known = one.matches[match]
    async with house(store=store) as doors, doors.guest() as eve, eve.tab() as tab:
        tab.matches[match] = known
        await tab.say(
            "watch", match=match, after=known["version"]
        )  # what a page says that was cut off
        told = await tab.until("rematch")
        await tab.ask("ping")
        heard = [one["rematch"]["match"] for one in tab.heard if one["type"] == "rematch"]
        state = await tab.watch(match)

    assert told["rematch"] == state["rematch"] == {"offers": [0, 1], "match": new, "ended": None}
    assert heard == [new]


async def test_the_next_match_at_a_table_with_a_password_has_it_too() -> None:
    async with house() as doors, doors.guest("Alice") as alice, doors.guest("Bob") as bob:
        match = await alice.open("tictactoe", password="sesame")
        async with alice.tab() as one, bob.tab() as other:
            await one.watch(match)
            await other.watch(match, password="sesame")
            await other.say("take-seat", match=match)
            await one.event(match, "started")
            await other.event(match, "started")
            new = await agreed(match, one, other)
            async with doors.guest() as eve, eve.tab() as tab:
                no = await tab.ask("watch", match=new)
                listed = (await eve.http.get("/api/matches?status=live")).json()["matches"]

    assert no["refusal"] == "password"
    assert [(one["id"], one["locked"]) for one in listed] == [(new, True)]


async def test_the_password_is_known_when_the_directory_has_forgotten_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.host._directory.FINISHED_KEPT", 0)
    async with house() as doors, table(doors, password="sesame") as (match, one, other):
        new = await agreed(match, one, other)
        async with doors.guest() as eve, eve.tab() as tab:
            no = await tab.ask("watch", match=new)

    assert doors.service.host.directory.get(match) is None
    assert no["refusal"] == "password"


async def test_who_plays_over_another_protocol_cannot_be_asked() -> None:
    async with house() as doors, doors.guest("Alice") as alice, alice.tab() as tab:
        match = await alice.open("tictactoe")
        await tab.watch(match)
        host = doors.service.host
        host.submit(match, TakeSeat(Newcomer("textbook:1", "bob", Terms(ready=True))))
        await tab.event(match, "started")
        host.submit(match, Resign("textbook:1"))
        await tab.event(match, "ended")
        no = await tab.ask("rematch", match=match)

    assert no["refusal"] == "unavailable"
    assert "seek the same game again" in no["detail"]


async def doors_view(port: int, match: str) -> dict[str, Any]:
    """The match as REST tells it."""
    async with Browser(port).http as http:
        view: dict[str, Any] = (await http.get(f"/api/matches/{match}")).json()
        return view
