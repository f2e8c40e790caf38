"""A rematch that is accepted when the one who offered it has gone."""

import asyncio

from parlour.match import AbortCause, AbortMatch
from tests.gateways.web.browsers import SOON, house, table


async def test_a_rematch_with_somebody_who_has_gone_is_refused_and_none_begins() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        await one.ask("rematch", match=match)
        await other.until("rematch")
        await one.socket.close()
        async with asyncio.timeout(SOON):
            while len(doors.gateway.hall.connections) > 1:
                await asyncio.sleep(0)

        answer = await other.ask("rematch", match=match)

        assert answer["refusal"] == "unavailable"
        assert "gone" in answer["detail"]
        assert not doors.service.host.directory.unfinished


async def test_an_offer_is_withdrawn_when_its_giver_looks_elsewhere() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        await one.ask("rematch", match=match)
        await other.until("rematch")

        await one.ask("unwatch", match=match)
        withdrawn = await other.until("rematch")
        answer = await other.ask("rematch", match=match)
        await other.ask("ping")

        ended = {"seat": 0, "cause": "left"}
        assert withdrawn["rematch"] == {"offers": [], "match": None, "ended": ended}
        assert answer["type"] == "done"
        assert not doors.service.host.directory.unfinished

        await one.watch(match)
        await one.ask("rematch", match=match)
        assert len(doors.service.host.directory.unfinished) == 1


async def test_an_offer_stands_while_one_tab_of_its_giver_looks() -> None:
    async with (
        house() as doors,
        doors.guest() as alice,
        doors.guest() as bob,
        alice.tab() as one,
        alice.tab() as second,
        bob.tab() as other,
    ):
        match = await alice.open("tictactoe")
        for tab in (one, second, other):
            await tab.watch(match)
        await other.ask("take-seat", match=match)
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        await one.ask("rematch", match=match)
        await one.ask("unwatch", match=match)
        answer = await other.ask("rematch", match=match)

        assert answer["type"] == "done"
        assert len(doors.service.host.directory.unfinished) == 1


async def test_a_rematch_that_was_called_off_may_be_offered_again() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        await one.ask("rematch", match=match)
        await other.ask("rematch", match=match)
        named = await one.until("rematch", lambda message: bool(message["rematch"]["match"]))
        following = named["rematch"]["match"]
        await one.watch(following)
        doors.service.host.submit(following, AbortMatch(AbortCause.OPERATOR))

        told = await one.until("rematch")
        there = await one.ask("rematch", match=following)
        again = [await tab.ask("rematch", match=match) for tab in (one, other)]

        assert told["rematch"] == {"offers": [], "match": None, "ended": None}
        assert (there["refusal"], "called off" in there["detail"]) == ("unavailable", True)
        assert [answer["type"] for answer in again] == ["done", "done"]
        assert len(doors.service.host.directory.unfinished) == 1


async def test_who_comes_back_hears_that_an_offer_ended_when_nobody_was_there() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        await one.ask("rematch", match=match)
        for tab in (one, other):
            await tab.ask("unwatch", match=match)
        gone = doors.gateway.hall.existing(match)
        await one.say("watch", match=match, after=one.matches[match]["version"])
        told = await one.until("rematch")

        assert gone is None
        assert told["rematch"] == {"offers": [], "match": None, "ended": None}
