"""What lists show first: nobody fills them alone, and nobody keeps too many tables open."""

import asyncio
import string
from collections import Counter
from functools import partial
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.gateways import Limits
from parlour.gateways.web._catalogue import Shelf
from parlour.lobby import Seek
from parlour.match import (
    CreateMatch,
    LeaveSeat,
    Listing,
    Newcomer,
    Terms,
    TimeControl,
    Visibility,
)
from parlour.stores import MemoryStore
from tests.gateways.web.browsers import Browser, House, house, table

LISTING = Listing("go", {}, "", Visibility.PUBLIC, 7)
FAR = "192.0.2.1"
MANY = Limits(tables=1000, tables_of_address=1000)


def shelf(owners: str) -> Shelf:
    """A match of each owner, the oldest first: `aab` are a0, a1 and b2."""
    made = Shelf()
    for number, owner in enumerate(owners):
        made.put(f"{owner}{number}", LISTING, owner)
    return made


@pytest.mark.parametrize(
    ("owners", "order"),
    [
        ("", []),
        ("aaa", ["a2", "a1", "a0"]),
        ("baaa", ["a3", "b0", "a2", "a1"]),
        ("abcabc", ["c5", "b4", "a3", "c2", "b1", "a0"]),
    ],
)
def test_everybody_has_one_before_anybody_has_two(owners: str, order: list[str]) -> None:
    assert [stream for stream, _ in shelf(owners)] == order


def test_a_whole_shelf_is_laid_out_anew_only_when_it_changes() -> None:
    full = shelf("aab")
    before = full.all()

    assert full.all() is before
    full.put("a0", LISTING, "a")
    assert full.all() == before == tuple(full)
    full.take("a0")
    assert full.all() == tuple(full) != before


async def test_a_list_that_does_not_change_is_not_made_again() -> None:
    """Hundreds may ask for it in one instant, and everybody waits for the answers."""
    async with house() as doors, table(doors) as (match, one, other), doors.guest() as eve:
        tables, directory = doors.gateway.hall.tables, doors.service.host.directory
        before = (await eve.http.get("/api/matches")).json()
        made = tables.listed(match, directory.unfinished[match])
        again = tables.listed(match, directory.unfinished[match])
        await one.ask("resign", match=match)
        await other.event(match, "ended")
        after = (await eve.http.get("/api/matches")).json()

    assert again is made
    assert msgspec.json.decode(made) == before["matches"][0]
    assert [one["status"] for one in before["matches"]] == ["live"]
    assert [one["status"] for one in after["matches"]] == ["over"]


@given(st.text(string.ascii_lowercase[:4], max_size=40), st.integers(0, 40))
def test_a_cut_of_a_list_is_fair(owners: str, most: int) -> None:
    shown = [stream for stream, _ in shelf(owners)]
    counts, every = Counter(one[0] for one in shown[:most]), Counter(owners)

    assert sorted(shown) == sorted(f"{owner}{number}" for number, owner in enumerate(owners))
    assert all(
        counts[more] <= counts[less] + 1
        for more in every
        for less in every
        if counts[less] < every[less]
    )


@given(st.text("abc", max_size=20), st.randoms(use_true_random=False))
def test_what_is_taken_from_a_shelf_is_gone(owners: str, rng: Any) -> None:
    made = shelf(owners)
    streams = [stream for stream, _ in made]
    gone = rng.sample(streams, len(streams) // 2)
    for stream in (*gone, "z9"):
        made.take(stream)

    left = [stream for stream, _ in made]
    assert sorted((*left, *gone)) == sorted(streams)
    assert len(made) == len(left)


async def opens(doors: House, count: int, address: str, name: str = "") -> list[str]:
    """Tables of a guest whom a proxy lets in from that address."""
    async with doors.guest(name) as guest:
        guest.http.headers["X-Forwarded-For"] = address
        return [await guest.open("tictactoe") for _ in range(count)]


async def test_one_address_cannot_fill_the_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.gateways.web._openers.OPENED_AT_ONCE", 1000)
    async with house(limits=MANY) as doors:
        (old,) = await opens(doors, 1, "192.0.2.7")
        flood = [stream for _ in range(14) for stream in await opens(doors, 15, FAR)]
        async with doors.guest() as eve, eve.tab() as tab:
            await tab.say("watch-lobby")
            lobby = await tab.until("lobby")
            pages = [
                (await eve.http.get(f"/api/matches?limit=200&offset={offset}")).json()
                for offset in (0, 200)
            ]
    shown = [one["id"] for one in lobby["open"]]
    listed = [one["id"] for page in pages for one in page["matches"]]

    assert len(shown) == 200
    assert shown[:2] == [flood[-1], old]
    assert lobby["counts"]["open"] == pages[0]["total"] == 211
    assert sorted(listed) == sorted((old, *flood))  # the rest is on the next page


async def test_live_matches_come_before_open_ones_and_those_before_the_finished() -> None:
    async with house() as doors, doors.guest() as carol:
        async with table(doors) as (over, one, other):
            await other.ask("resign", match=over)
            await one.event(over, "ended")
        async with table(doors) as (live, _, _):
            opened = await carol.open("go")
            listed = (await carol.http.get("/api/matches")).json()["matches"]

    assert [one["id"] for one in listed] == [live, opened, over]


async def test_the_lobby_says_how_what_it_showed_has_ended() -> None:
    async with (
        house() as doors,
        doors.guest() as eve,
        eve.tab() as tab,
        table(doors) as (match, one, other),
    ):
        await tab.say("watch-lobby")
        await tab.until("lobby")
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        told = await tab.until("lobby-changed", lambda message: match in message["gone"])

    (over,) = told["over"]
    assert (over["id"], over["outcome"]["ranking"]) == (match, [[0], [1]])


async def answers(guest: Browser, count: int, address: str) -> list[int]:
    """How that many tables are opened or refused, with another cookie for each of them."""
    found = []
    for _ in range(count):
        guest.http.cookies.clear()
        await guest.arrive()
        headers = {**guest.writing, "X-Forwarded-For": address}
        answer = await guest.http.post("/api/matches", json={"game": "go"}, headers=headers)
        found.append(answer.status_code)
    return found


async def test_an_address_has_so_many_tables_that_wait_for_players_and_no_more() -> None:
    async with house(limits=Limits(tables_of_address=2)) as doors, doors.guest() as guest:
        assert await answers(guest, 3, FAR) == [201, 201, 429]
        assert await answers(guest, 1, "192.0.2.2") == [201]
        assert await answers(guest, 3, "127.0.0.1") == [201] * 3  # of this machine any number


async def test_an_address_opens_tables_at_a_pace_though_it_leaves_them_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.gateways.web._openers.OPENED_AT_ONCE", 3)
    async with house() as doors, doors.guest() as guest, guest.tab() as tab:
        now = doors.service.host.now()
        monkeypatch.setattr(doors.service.host, "now", lambda: now)

        async def statuses(address: str, count: int, **body: str) -> list[int]:
            headers = {**guest.writing, "X-Forwarded-For": address}
            found = []
            for _ in range(count):
                answer = await guest.http.post(
                    "/api/matches", json={"game": "go", **body}, headers=headers
                )
                found.append(answer.status_code)
                if answer.is_success:
                    assert (await tab.ask("leave", match=answer.json()["id"]))["type"] == "done"
            return found

        assert await statuses(FAR, 5, game="chess") == [422] * 5  # not opened, not counted
        assert await statuses(FAR, 5) == [201] * 3 + [429] * 2
        now += 1000
        assert await statuses(FAR, 2, password="sesame") == [201, 429]  # counted once
        assert await statuses("192.0.2.2", 1) == [201]
        assert await statuses("127.0.0.1", 5) == [201] * 5  # of this machine any number


async def opened(guest: Browser, **options: int) -> httpx.Response:
    """The answer to a wish for a table."""
    body = {"game": "go", "options": options}
    return await guest.http.post("/api/matches", json=body, headers=guest.writing)


async def test_a_guest_has_so_many_and_no_more_until_one_begins_or_is_left() -> None:
    async with (
        house(limits=Limits(tables=2)) as doors,
        doors.guest() as guest,
        doors.guest() as bob,
        bob.tab() as other,
        guest.tab() as own,
    ):
        first, second = await guest.open("go"), await guest.open("go")
        told = [await opened(guest)]
        await other.ask("take-seat", match=first)
        told += [await opened(guest), await opened(guest)]
        await own.ask("leave", match=second)
        told += [await opened(guest, size=8), await opened(guest)]

    assert [one.status_code for one in told] == [429, 201, 429, 422, 201]
    assert "2 tables of yours" in told[0].json()["detail"]


async def test_the_tables_of_a_guest_count_after_a_restart_too() -> None:
    store, limits = MemoryStore(), Limits(tables=2, tables_of_address=3)
    async with house(store=store, limits=limits) as doors, doors.guest() as guest, guest.tab():
        mine = [await guest.open("go") for _ in range(2)]
    async with house(store=store, limits=limits) as doors:
        again = guest.at(doors.port)
        async with again.http, again.tab() as tab:
            for match in mine:
                await tab.watch(match)
            again.http.headers["X-Forwarded-For"] = FAR
            told = [await opened(again)]
            await tab.ask("leave", match=mine[0])
            told.append(await opened(again))
            others = await answers(again, 2, FAR)

    assert [one.status_code for one in told] == [429, 201]
    assert "2 tables of yours" in told[0].json()["detail"]
    assert others == [201, 429]


async def test_who_sat_down_at_the_table_of_others_has_opened_none() -> None:
    """The openers have left since: a room of Chinese checkers goes on without them."""
    room = CreateMatch("chinese_checkers", newcomers=(Newcomer("ruc:ann", "ann"),), room="den")
    store, limits = MemoryStore(), Limits(tables=1)
    async with house(store=store, limits=limits) as doors, doors.guest() as bob, bob.tab() as tab:
        host = doors.service.host
        async with doors.guest() as alice, alice.tab() as other:
            found = [host.create("match", room), await alice.open("chinese_checkers")]
            for match in found:
                await tab.watch(match)
                assert (await tab.ask("take-seat", match=match))["type"] == "done"
            host.submit(found[0], LeaveSeat("ruc:ann"))
            await other.ask("leave", match=found[1])
            await tab.event(found[1], "seat-left")
        told = [await opened(bob)]
        await tab.ask("leave", match=found[1])
    async with house(store=store, limits=limits) as doors:
        again = bob.at(doors.port)
        async with again.http, again.tab() as tab:
            mine = told[0].json()["id"]
            await tab.watch(mine)
            await tab.ask("leave", match=mine)
            told.append(await opened(again))

    assert [one.status_code for one in told] == [201, 201]


async def test_the_lobby_says_whether_the_server_drains() -> None:
    async with house() as doors, doors.guest() as eve, eve.tab() as tab:
        await tab.say("watch-lobby")
        assert (await tab.until("lobby"))["draining"] is False
        pairer = doors.service.desk.pairer
        pairer.drains = partial(bool, True)
        await tab.until("lobby-changed", lambda told: bool(told["draining"]))
        pairer.drains = partial(bool, False)
        await tab.until("lobby-changed", lambda told: not told["draining"])


async def test_one_address_cannot_fill_the_list_of_those_who_seek() -> None:
    async with (
        house() as doors,
        doors.guest("Far") as far,
        doors.guest("Near") as near,
        far.tab(forwarded=FAR) as one,
        near.tab(forwarded="192.0.2.2") as other,
    ):
        pairer = doors.service.desk.pairer
        for number in range(1, 301):
            who, control = f"nedap:x{number} {FAR}", TimeControl(turn=number)
            seek = Seek(who, who, f"x{number}", "go", {"size": 9}, Terms(), control)
            pairer.seek(seek, print, print, lambda: None)
        await one.ask("seek", game="tictactoe")
        await other.ask("seek", game="go")
        await other.say("watch-lobby")
        lobby = await other.until("lobby")

    names = [seek["name"] for seek in lobby["seeks"]]
    assert names == [*(f"x{number}" for number in range(1, 200)), "Near"]
    assert lobby["counts"]["seeking"] == 302


class Page:
    """Somebody who looks at the lobby, and the frames that come."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)


async def test_the_lobby_is_encoded_once_for_all_until_it_changes() -> None:
    async with house() as doors, doors.guest() as alice:
        lobby, pages = doors.gateway.hall.lobby, [Page(), Page(), Page()]
        for page in pages[:2]:
            lobby.join(page)
        match = await alice.open("tictactoe")
        while len(pages[0].frames) < 2:
            await asyncio.sleep(0.01)
        lobby.join(pages[2])

    first, second, third = (page.frames[0] for page in pages)
    assert first is second
    assert match.encode() not in first
    assert match.encode() in third
