"""A table's password cannot be found by trying."""

import asyncio
import threading

import pytest

from parlour.gateways import Guesses
from parlour.gateways.web._declined import Declined
from parlour.gateways.web._locks import Lock, Locks, new_lock
from tests.gateways.web.browsers import house, table

NOW = 1_800_000_000_000


async def test_after_five_wrong_passwords_not_even_the_right_one_is_looked_at() -> None:
    async with house() as doors, doors.guest() as alice, doors.guest() as eve:
        match = await alice.open("tictactoe", password="7391")
        refusals = []
        for guess in ("", *(f"{number:04}" for number in range(3)), "7392"):
            async with eve.tab() as tab:  # another connection is no other peer
                answer = await tab.ask("watch", match=match, password=guess)
                refusals.append(answer["refusal"])
        async with eve.tab() as tab:
            for type_ in ("take-seat", "watch"):
                answer = await tab.ask(type_, match=match, password="x")
                refusals.append(answer["refusal"])
            answer = await tab.ask("watch", match=match, password="7391")
            refusals.append(answer["refusal"])
        path = f"/api/matches/{match}"
        rest = await eve.http.get(path, headers={"X-Table-Password": "7391"})
        async with alice.tab() as own:  # who sits there is let in
            await own.watch(match)

    assert refusals == ["password"] * 6 + ["limit"] * 2
    assert (rest.status_code, rest.json()["refusal"]) == (429, "limit")


def guessed() -> Guesses:
    """One address has used up its guesses at one table."""
    guesses = Guesses()
    for _ in range(5):
        guesses.wrong("match-1", "192.0.2.1", NOW)
    return guesses


@pytest.mark.parametrize(
    ("table", "address", "after", "may"),
    [
        ("match-1", "192.0.2.1", 59_999, False),
        ("match-1", "192.0.2.1", 60_000, True),
        ("match-2", "192.0.2.1", 0, True),
        ("match-1", "192.0.2.2", 0, True),
    ],
)
def test_guesses_are_counted_by_table_and_address(
    table: str, address: str, after: int, may: bool
) -> None:
    assert guessed().may(table, address, NOW + after) == may


def test_a_new_minute_begins_with_a_new_wrong_password() -> None:
    guesses = guessed()
    guesses.wrong("match-1", "192.0.2.1", NOW + 60_000)

    assert guesses.may("match-1", "192.0.2.1", NOW + 119_999)


def test_no_more_is_remembered_than_fits() -> None:
    guesses = guessed()
    for number in range(10_000):
        guesses.wrong("match-1", f"address {number}", NOW)

    assert guesses.may("match-1", "192.0.2.1", NOW)


async def test_a_customer_with_a_whole_network_guesses_no_oftener_than_others() -> None:
    """Somebody has 2^64 addresses of IPv6, and tries each only once."""
    async with house() as doors, doors.guest() as alice, doors.guest() as eve:
        match = await alice.open("tictactoe", password="7391")
        pages, sockets = [], []
        for number in range(4):
            header = {"X-Forwarded-For": f"2001:db8::{number}"}
            guess = {**header, "X-Table-Password": f"{number:04}"}
            answer = await eve.http.get(f"/api/matches/{match}", headers=guess)
            pages.append(answer.json()["refusal"])
            async with eve.tab(forwarded=f"2001:db8::1:{number}") as tab:
                asked = await tab.ask("take-seat", match=match, password=f"{number:04}")
                sockets.append(asked["refusal"])
        async with eve.tab(forwarded="2001:db8:0:1::1") as tab:  # another customer
            neighbour = await tab.ask("take-seat", match=match, password="7391")

    assert pages == ["password"] * 3 + ["limit"]
    assert sockets == ["password"] * 2 + ["limit"] * 2
    assert neighbour["type"] == "done"


async def test_a_customer_with_a_whole_network_looks_at_no_more_matches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("_tables", "_rest"):
        monkeypatch.setattr(f"parlour.gateways.web.{module}.LOOKS", 1)
    monkeypatch.setattr("parlour.gateways.web._tables.LOOKED_AT_ONCE", 3)
    async with house() as doors, doors.guest() as alice:
        match = await alice.open("tictactoe")
        answers = [
            await alice.http.get(
                f"/api/matches/{match}", headers={"X-Forwarded-For": f"2001:db8::{number}"}
            )
            for number in range(40)
        ]

    assert [answer.status_code for answer in answers[:3]] == [200] * 3
    assert 429 in [answer.status_code for answer in answers]


async def test_all_tabs_of_a_customer_look_for_unknown_matches_at_one_pace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.gateways.web._tables.LOOKED_AT_ONCE", 3)
    async with house() as doors, table(doors) as (match, _, _), doors.guest() as eve:
        now = doors.service.host.now()
        monkeypatch.setattr(doors.service.host, "now", lambda: now)
        told = []
        for number in range(6):
            async with eve.tab(forwarded=f"2001:db8::{number}") as tab:
                await tab.watch(match)  # what goes on need not be looked for
                told.append(await tab.ask("watch", match=f"match-none{number}"))
                told.append(await tab.ask("say", match=f"match-none{number}", text="hello"))
        async with eve.tab(forwarded="2001:db8:0:1::1") as tab:  # another customer
            told.append(await tab.ask("watch", match="match-none"))
        now += 100
        async with eve.tab(forwarded="2001:db8::1") as tab:
            told += [await tab.ask("watch", match="match-none") for _ in range(2)]

    no = ["unknown-stream"]
    assert [one["refusal"] for one in told] == no * 6 + ["limit", *no] * 3 + no * 2 + ["limit"]


async def test_who_watches_a_match_that_is_long_over_need_not_look_for_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parlour.gateways.web._tables.LOOKED_AT_ONCE", 1)
    async with house() as doors, table(doors) as (match, one, other):
        await other.ask("resign", match=match)
        await one.event(match, "ended")
        doors.service.host.directory.forget(match)
        for _ in range(20):
            await one.watch(match)


async def crowd(locks: Locks, customer: str, count: int) -> list[asyncio.Task[None]]:
    """So many guesses at a table, all at once."""
    looks = [
        asyncio.create_task(locks.look("match-1", "wrong", customer, NOW)) for _ in range(count)
    ]
    await asyncio.sleep(0)
    return looks


async def test_one_customer_takes_not_every_place_and_what_nobody_looked_at_is_no_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with house() as doors:
        locks = doors.gateway.hall.tables.locks
        lock, over = Lock(new_lock("sesame", True)), threading.Event()
        locks._locks["match-1"] = lock
        fits = lock.fits
        monkeypatch.setattr(lock, "fits", lambda password: over.wait() and fits(password))
        looks = await crowd(locks, "2001:db8::", 60)
        other = asyncio.create_task(locks.look("match-1", "sesame", "192.0.2.1", NOW))
        await asyncio.sleep(0)
        declined = [one for one in looks if one.done()]
        busy = [await crowd(locks, f"192.0.2.{number}", 8) for number in range(2, 5)]
        with pytest.raises(Declined, match="at once"):
            await locks.look("match-1", "sesame", "192.0.2.9", NOW)
        over.set()
        await other
        ended = await asyncio.gather(
            *looks, *(one for some in busy for one in some), return_exceptions=True
        )

    assert len(declined) == 52
    assert {type(one) for one in ended} == {Declined}
    assert locks._guesses.may("match-1", "192.0.2.9", NOW)
    assert not locks._guesses.may("match-1", "2001:db8::", NOW)  # 8 were looked at
