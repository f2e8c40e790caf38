"""A rematch that somebody wants no more, or does not want."""

from typing import Any

import pytest

from tests.gateways.web.browsers import house, table
from tests.gateways.web.test_web_rematch import doors_view, over
from tests.host.stores import HeldStore


def nothing_offered(seat: int, cause: str) -> dict[str, Any]:
    """What is told when the only offer has ended."""
    return {"offers": [], "match": None, "ended": {"seat": seat, "cause": cause}}


@pytest.mark.parametrize(
    ("who", "seat", "cause"), [("one", 0, "withdrawn"), ("other", 1, "declined")]
)
async def test_an_offer_is_withdrawn_by_its_giver_and_declined_by_the_other(
    who: str, seat: int, cause: str
) -> None:
    async with (
        house() as doors,
        doors.guest("Eve") as eve,
        eve.tab() as onlooker,
        table(doors) as (match, one, other),
    ):
        await onlooker.watch(match)
        await over(match, one, other)
        await onlooker.until("rematch")
        answer = await {"one": one, "other": other}[who].ask("no-rematch", match=match)
        told = [
            await tab.until("rematch", lambda message: not message["rematch"]["offers"])
            for tab in (onlooker, {"one": other, "other": one}[who])
        ]
        asked = (await doors_view(doors.port, match))["rematch"]

        assert answer["type"] == "done"
        assert [message["rematch"] for message in told] == [nothing_offered(seat, cause)] * 2
        assert asked == nothing_offered(seat, cause)
        assert not doors.service.host.directory.unfinished


@pytest.mark.parametrize("who", ["one", "other"])
async def test_after_a_no_a_rematch_takes_two_again(who: str) -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await over(match, one, other)
        await {"one": one, "other": other}[who].ask("no-rematch", match=match)
        await one.ask("rematch", match=match)
        offered = await other.until("rematch", lambda message: bool(message["rematch"]["offers"]))
        unfinished = list(doors.service.host.directory.unfinished)
        await other.ask("rematch", match=match)

        assert offered["rematch"] == {"offers": [0], "match": None, "ended": None}
        assert unfinished == []
        assert len(doors.service.host.directory.unfinished) == 1


async def test_who_accepts_what_was_withdrawn_meanwhile_has_offered() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        await over(match, one, other)
        await one.ask("no-rematch", match=match)
        answer = await other.ask("rematch", match=match)
        told = await one.until("rematch", lambda message: message["rematch"]["offers"] == [1])

        assert answer["type"] == "done"
        assert told["rematch"]["match"] is None
        assert not doors.service.host.directory.unfinished


async def test_there_may_be_nothing_to_say_no_to() -> None:
    async with house() as doors, table(doors) as (match, one, other):
        early = await one.ask("no-rematch", match=match)
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        late = await one.ask("no-rematch", match=match)
        await one.ask("ping")

        assert [early["type"], late["type"]] == ["done", "done"]
        assert not any(message["type"] == "rematch" for message in one.heard)


async def test_it_is_too_late_when_all_have_agreed() -> None:
    store = HeldStore()
    async with house(store=store) as doors, table(doors) as (match, one, other):
        await over(match, one, other)
        store.held = True
        await other.say("rematch", match=match)
        await one.until("rematch", lambda message: message["rematch"]["offers"] == [0, 1])
        early = await one.ask("no-rematch", match=match)
        store.release()
        await one.until("rematch", lambda message: bool(message["rematch"]["match"]))
        late = await one.ask("no-rematch", match=match)

        assert [early["refusal"], late["refusal"]] == ["stream-exists"] * 2
        assert len(doors.service.host.directory.unfinished) == 1


async def test_only_those_who_played_and_watch_may_say_no() -> None:
    async with (
        house() as doors,
        doors.guest("Eve") as eve,
        eve.tab() as onlooker,
        table(doors) as (match, one, other),
    ):
        await over(match, one, other)
        unseen = await onlooker.ask("no-rematch", match=match)
        await onlooker.watch(match)
        no = await onlooker.ask("no-rematch", match=match)
        state = await other.watch(match)

        assert [unseen["refusal"], no["refusal"]] == ["unknown-stream", "not-seated"]
        assert state["rematch"]["offers"] == [0]


async def test_of_three_one_takes_back_their_own_and_one_declines_for_all() -> None:
    async with (
        house() as doors,
        doors.guest("Alice") as alice,
        doors.guest("Bob") as bob,
        doors.guest("Carol") as carol,
        alice.tab() as one,
        bob.tab() as second,
        carol.tab() as third,
    ):
        match = await alice.open("chinese_checkers", options={"players": 3})
        await one.watch(match)
        for tab in (second, third):
            await tab.watch(match)
            await tab.ask("take-seat", match=match)
        await one.event(match, "started")
        for tab in (second, third):
            await tab.ask("resign", match=match)
        await one.event(match, "ended")
        await one.ask("rematch", match=match)
        first = (await third.until("rematch"))["rematch"]["offers"]
        await second.ask("rematch", match=match)
        await second.ask("no-rematch", match=match)
        back = await third.until("rematch", lambda message: bool(message["rematch"]["ended"]))
        await third.ask("no-rematch", match=match)
        gone = await one.until("rematch", lambda message: not message["rematch"]["offers"])

        assert back["rematch"]["offers"] == first
        assert back["rematch"]["ended"]["cause"] == "withdrawn"
        assert gone["rematch"]["ended"]["cause"] == "declined"
        assert not doors.service.host.directory.unfinished
