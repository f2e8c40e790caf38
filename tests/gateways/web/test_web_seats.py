"""A guest sits at so many tables, by whichever way it has come to them and however fast it asks."""

import asyncio
from typing import Any

import pytest

from parlour.gateways import Limits
from parlour.host import Host
from parlour.match import CreateMatch, Newcomer, Resign, Terms
from tests.gateways.web.browsers import SOON, House, Tab, house, table
from tests.gateways.web.test_web_rematch import over
from tests.host.stores import FailingStore, HeldStore

READY = Terms(ready=True)
MOST = 3
LIMITS = Limits(matches=MOST)


def waiting_tables(host: Host, count: int) -> list[str]:
    """Tables of as many people of another protocol, one seat of each free."""
    return [
        host.create(
            "match", CreateMatch("tictactoe", {}, (Newcomer(f"nedap:{number}", "bob", READY),))
        )
        for number in range(count)
    ]


def seats(doors: House, identity: str) -> int:
    return sum(1 for _ in doors.service.host.directory.seated(identity))


async def sitting(doors: House, tab: Tab) -> int:
    """At how many tables the guest of a tab sits, when everything asked for has been answered."""
    await tab.ask("ping")
    [connection] = [one for one in doors.gateway.hall.connections if one.guest.identity]
    return seats(doors, connection.guest.identity)


async def answers(tab: Tab, numbers: list[int]) -> list[str]:
    """How requests were answered, in whichever order."""
    found: dict[int, str] = {}
    while set(numbers) - set(found):
        message = await tab.hear()
        if message.get("id") in numbers:
            found[message["id"]] = message.get("refusal", message["type"])
    return [found[number] for number in numbers]


async def test_seats_that_are_asked_for_in_one_instant_are_counted() -> None:
    store = HeldStore()
    async with house(store=store, limits=LIMITS) as doors, doors.guest() as alice:
        tables = waiting_tables(doors.service.host, 3 * MOST)
        async with alice.tab() as tab:
            store.held = True
            numbers = [await tab.say("take-seat", match=match) for match in tables]
            await tab.ask("ping")
            store.release()
            told = await answers_so_far(tab, numbers)

            assert told == ["done"] * MOST + ["limit"] * (2 * MOST)
            assert await sitting(doors, tab) == MOST


async def answers_so_far(tab: Tab, numbers: list[int]) -> list[str]:
    """As `answers`, with what has been heard already."""
    heard = {message.get("id"): message for message in tab.heard}
    missing = [number for number in numbers if number not in heard]
    late = dict(zip(missing, await answers(tab, missing), strict=True))
    return [
        late[number] if number in late else heard[number].get("refusal", heard[number]["type"])
        for number in numbers
    ]


async def test_a_seat_that_was_refused_is_none() -> None:
    store = FailingStore()
    async with house(store=store, limits=LIMITS) as doors, doors.guest() as alice:
        tables = waiting_tables(doors.service.host, MOST)
        async with alice.tab() as tab:
            store.failing = True
            refused = [await tab.ask("take-seat", match=match) for match in tables]
            store.failing = False
            done = [await tab.ask("take-seat", match=match) for match in tables]

    assert [answer["refusal"] for answer in refused] == ["unavailable"] * MOST
    assert [answer["type"] for answer in done] == ["done"] * MOST


async def test_tables_that_are_opened_in_one_instant_are_counted() -> None:
    store = HeldStore()
    async with house(store=store, limits=LIMITS) as doors, doors.guest() as alice:
        store.held = True
        table = {"game": "tictactoe"}
        asked = [
            asyncio.ensure_future(
                alice.http.post("/api/matches", json=table, headers=alice.writing)
            )
            for _ in range(2 * MOST)
        ]
        async with asyncio.timeout(SOON):
            while sum(one.done() for one in asked) < MOST:  # the others wait for the log
                await asyncio.sleep(0)
        store.release()
        opened = [await one for one in asked]

    assert sorted(answer.status_code for answer in opened) == [201] * MOST + [429] * MOST


async def test_whoever_seeks_has_a_seat_already() -> None:
    async with house(limits=LIMITS) as doors, doors.guest() as alice, alice.tab() as tab:
        for _ in range(MOST - 1):
            await alice.open("tictactoe")
        assert (await tab.ask("seek", game="go"))["type"] == "waiting"
        [match] = waiting_tables(doors.service.host, 1)
        sat = await tab.ask("take-seat", match=match)
        again = await tab.ask("seek", game="go")  # another seek replaces the first
        await tab.ask("stop-seeking")
        then = await tab.ask("take-seat", match=match)

    assert sat["refusal"] == "limit"
    assert again["type"] == "waiting"
    assert then["type"] == "done"


@pytest.mark.parametrize("full", ["one", "other"])
async def test_nobody_gets_too_many_seats_by_a_rematch(full: str) -> None:
    """Whoever has no room can neither offer another game nor be taken along to it."""
    async with house(limits=Limits(matches=1)) as doors, table(doors) as (match, one, other):
        await over(match, one, other)
        [there] = waiting_tables(doors.service.host, 1)
        await {"one": one, "other": other}[full].ask("take-seat", match=there)
        answer = await other.ask("rematch", match=match)
        offered = [heard["rematch"] for heard in one.heard if heard["type"] == "rematch"]

    assert answer["refusal"] == "limit"
    assert not any(rematch["match"] for rematch in offered)


async def test_rematches_that_are_agreed_on_in_one_instant_are_counted() -> None:
    store = HeldStore()
    async with house(store=store, limits=LIMITS) as doors, table(doors) as (match, one, other):
        matches = [match, *await others_of_the_same(doors, match, 2 * MOST)]
        for again in matches[1:]:
            await one.watch(again)
            await other.watch(again)
        doors.service.host.submit(match, Resign(identity_of(doors, match)))
        await one.event(match, "ended")
        for each in matches:
            await one.ask("rematch", match=each)
        store.held = True
        numbers = [await other.say("rematch", match=each) for each in matches]
        await other.ask("ping")
        store.release()
        told = await answers_so_far(other, numbers)

    assert told == ["done"] * MOST + ["limit"] * (len(matches) - MOST)


def identity_of(doors: House, match: str) -> str:
    listing: Any = doors.service.host.directory.get(match)
    first: str = listing.sitters[0].identity
    return first


async def others_of_the_same(doors: House, match: str, count: int) -> list[str]:
    """Finished matches of those who sit at `match`."""
    host = doors.service.host
    sitters = host.directory.unfinished[match].sitters
    newcomers = tuple(Newcomer(one.identity, one.name, READY) for one in sitters)
    matches = []
    for _ in range(count):
        made = host.create("match", CreateMatch("tictactoe", {}, newcomers))
        await host.state(made)
        host.submit(made, Resign(newcomers[0].identity))
        await host.state(made)
        matches.append(made)
    return matches
