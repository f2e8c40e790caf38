"""Who looks finds: an opponent, or a table that waits for one."""

import asyncio
from functools import partial
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from parlour.games import Refusal
from parlour.games.tictactoe import Options
from parlour.host import Host, Pairer
from parlour.lobby import Lobby, Seek
from parlour.match import (
    ComeBack,
    CreateMatch,
    LeaveSeat,
    Newcomer,
    Status,
    Terms,
    TimeControl,
    Visibility,
)
from parlour.stores import MemoryStore
from tests.host.stores import HeldStore, Medium
from tests.host.test_host import Ear, make_host, until
from tests.host.wall import Wall, turns

READY = Terms(ready=True)
OPTIONS = to_builtins(Options())


def seek(name: str) -> Seek:
    return Seek(f"web:{name}", f"web:{name}", name, "tictactoe", OPTIONS, READY)


def shy(name: str) -> Seek:
    """One who has not said yet that the match may begin."""
    return replace(seek(name), terms=Terms())


def look(pairer: Pairer, who: Seek, found: list[str]) -> None:
    pairer.seek(who, found.append, Ear().refuse, lambda: found.append("waits"))


async def table(host: Host, options: dict[str, Any] = {}) -> str:  # noqa: B006 - never changed
    create = CreateMatch("tictactoe", options, (Newcomer("web:t", "t", READY),))
    stream = host.create("match", create)
    await until(lambda: stream in host.directory.unfinished)
    return stream


async def test_two_who_look_meet() -> None:
    host = make_host(MemoryStore())
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    look(pairer, seek("ann"), first)
    look(pairer, seek("bob"), second)
    assert (first, second) == (["waits"], [])  # nobody is told before it is recorded
    await until(lambda: bool(second))
    assert first == ["waits", *second]
    await until(lambda: second[0] in host.directory.unfinished)
    assert [one.name for one in host.directory.unfinished[second[0]].sitters] == ["ann", "bob"]
    await host.close()


async def test_two_who_race_for_one_seat_do_not_share_it() -> None:
    host = make_host(MemoryStore())
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host)
    look(pairer, seek("ann"), first)
    look(pairer, seek("bob"), second)
    await until(lambda: first and second)
    assert (first, second) == ([stream], ["waits"])
    await host.close()


async def test_who_goes_and_comes_while_being_seated_sits_once() -> None:
    store = HeldStore()
    host = make_host(store)
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host)
    store.held = True
    look(pairer, shy("ann"), first)
    pairer.cancel("web:ann")
    look(pairer, shy("ann"), second)
    store.release()
    await until(lambda: second)
    await until(lambda: len(host.directory.unfinished[stream].sitters) == 1)
    assert (first, second) == ([], ["waits"])
    assert host.directory.unfinished[stream].status is Status.OPEN
    assert pairer.cancel("web:ann")
    await host.close()


async def test_who_wants_somebody_meets_nobody_else() -> None:
    host = make_host(MemoryStore())
    pairer, ann, bob, cleo = Pairer(host, Lobby()), list[str](), list[str](), list[str]()
    await table(host)  # which a seek for one opponent passes by
    look(pairer, replace(seek("ann"), opponent="web:cleo"), ann)
    await turns()
    assert ann == ["waits"]
    look(pairer, replace(seek("bob"), options=to_builtins(Options(cols=4))), bob)
    look(pairer, replace(seek("cleo"), opponent="web:ann"), cleo)
    await turns()
    assert (ann, bob) == (["waits", *cleo], ["waits"])
    assert [one.name for one in pairer.waiting()] == ["bob"]
    await host.close()


@pytest.mark.parametrize("flexible", ["first", "second"])
async def test_who_is_flexible_takes_the_options_of_the_other(flexible: str) -> None:
    host = make_host(MemoryStore())
    pairer, wide = Pairer(host, Lobby()), to_builtins(Options(rows=5, cols=5, strike=4))
    found = list[str]()
    for name in ("first", "second"):
        options = OPTIONS if name == flexible else wide
        look(pairer, replace(seek(name), options=options, flexible=name == flexible), found)
    await turns()
    assert host.directory.unfinished[found[-1]].options == wide
    await host.close()


async def test_who_is_flexible_sits_down_at_any_table_of_the_game() -> None:
    host = make_host(MemoryStore())
    pairer, strict, flexible = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host, {"cols": 4})
    look(pairer, seek("ann"), strict)
    look(pairer, replace(seek("bob"), flexible=True), flexible)
    await turns()
    assert (strict, flexible) == (["waits"], [stream])
    await host.close()


@pytest.mark.parametrize(
    "create",
    [
        CreateMatch("tictactoe", newcomers=(Newcomer("web:t", "t", READY),), opening=("1,1",)),
        CreateMatch(
            "tictactoe", newcomers=(Newcomer("web:t", "t", READY),), visibility=Visibility.HIDDEN
        ),
        CreateMatch("tictactoe", {"cols": 4}, (Newcomer("web:t", "t", READY),)),
        CreateMatch("go", {"size": 9}, (Newcomer("web:t", "t", READY),)),
        CreateMatch("tictactoe", newcomers=(Newcomer("web:ann", "ann", READY),)),
        CreateMatch("tictactoe", newcomers=(Newcomer("web:t", "t", READY, 1),)),
        CreateMatch("tictactoe", newcomers=(Newcomer("web:t", "t"),)),
        CreateMatch("tictactoe"),
        CreateMatch("tictactoe", newcomers=(Newcomer("web:t", "t"), Newcomer("web:u", "u"))),
        CreateMatch(
            "tictactoe",
            newcomers=(Newcomer("web:t", "t", READY),),
            control=TimeControl(turn=150),
        ),
    ],
    ids=[
        "set up",
        "hidden",
        "options",
        "game",
        "own",
        "seat",
        "not ready",
        "empty",
        "full",
        "clock",
    ],
)
async def test_a_table_that_does_not_suit_is_passed_by(create: CreateMatch) -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    host.create("match", create)
    await turns()
    assert len(host.directory.open) == 1
    suits = await table(host)
    look(pairer, replace(seek("ann"), seat=1, flexible=create.game == "go"), found)
    await turns()
    assert found == [suits]
    await host.close()


async def test_a_match_that_somebody_left_waits_for_whom_it_knows() -> None:
    host = make_host(MemoryStore())
    pairer, found, patient = Pairer(host, Lobby()), list[str](), Terms(ready=True, suspends=True)
    seats = (Newcomer("web:t", "t", patient), Newcomer("web:u", "u", patient))
    stream = host.create("match", CreateMatch("tictactoe", newcomers=seats))
    await turns()
    host.submit(stream, LeaveSeat("web:u"))
    await turns()
    assert host.directory.unfinished[stream].status is Status.SUSPENDED
    assert len(host.directory.unfinished[stream].sitters) == 1
    look(pairer, seek("ann"), found)
    await turns()
    assert found == ["waits"]
    await host.close()


async def test_a_table_whose_player_is_still_to_come_back_is_offered_to_nobody() -> None:
    store, patient = MemoryStore(), Terms(ready=True, suspends=True)
    host = make_host(store)
    stream = host.create("match", CreateMatch("tictactoe", {}, (Newcomer("web:t", "t", patient),)))
    await until(lambda: stream in host.directory.open)
    await host.close()

    host = make_host(store)
    await host.recover(120_000)
    pairer, found = Pairer(host, Lobby()), list[str]()
    look(pairer, seek("ann"), found)
    await turns()
    assert found == ["waits"]
    host.submit(stream, ComeBack("web:t"))
    await until(lambda: len(found) > 1)
    assert found == ["waits", stream]
    await host.close()


async def test_the_oldest_table_that_waits_is_the_one() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    tables = [await table(host) for _ in range(3)]
    host.submit(tables[0], LeaveSeat("web:t"))
    await until(lambda: len(host.directory.open) == 2)
    look(pairer, seek("ann"), found)
    look(pairer, seek("bob"), found)
    await turns()
    assert found == tables[1:]  # the second asked before the first sat, and got the next
    look(pairer, seek("cleo"), found)
    await turns()
    assert found[2:] == ["waits"]
    await host.close()


@pytest.mark.parametrize("fails", [False, True])
async def test_who_is_gone_while_being_seated_leaves_the_seat(fails: bool) -> None:
    """Also when the store fails just when they must be taken from it."""
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    host = make_host(medium, now=wall.now)
    pairer, found = Pairer(host, Lobby()), list[str]()
    stream = await table(host)
    medium.held = True
    look(pairer, shy("ann"), found)
    assert not pairer.cancel("web:ann")
    await medium.quiet()
    medium.mend()
    medium.full = fails
    await medium.quiet()
    if fails:
        assert len(host.directory.unfinished[stream].sitters) == 2
        medium.mend()
        await wall.passes(1_000)
    assert [one.name for one in host.directory.unfinished[stream].sitters] == ["t"]
    assert found == []
    await host.close()


async def test_a_match_that_no_rule_allows_fails_for_both() -> None:
    host = make_host(MemoryStore())
    pairer, ears, found = Pairer(host, Lobby()), (Ear(), Ear()), list[str]()
    for name, ear in zip(("ann", "bob"), ears, strict=True):
        wrong = replace(seek(name), options={"cols": 0})
        pairer.seek(wrong, found.append, ear.refuse, lambda: None)
    await turns()
    assert [ear.refusals for ear in ears] == [[Refusal.BAD_OPTIONS]] * 2
    assert (pairer.waiting(), found) == ([], [])
    await host.close()


async def test_two_of_one_name_are_told_apart() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    look(pairer, replace(seek("Ann"), identity="nedap:Ann"), found)
    look(pairer, seek("ann"), found)
    await turns()
    assert [one.name for one in host.directory.unfinished[found[-1]].sitters] == ["Ann", "ann 2"]
    await host.close()


async def test_who_has_the_name_of_whoever_waits_at_a_table_sits_down_there_too() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    stream = await table(host)
    look(pairer, seek("T"), found)
    await until(lambda: bool(found))
    assert found == [stream]
    assert [one.name for one in host.directory.unfinished[stream].sitters] == ["t", "T 2"]
    await host.close()


async def test_who_goes_while_a_seat_is_being_missed_is_not_looked_for_any_more() -> None:
    store = HeldStore()
    host = make_host(store)
    pairer, found = Pairer(host, Lobby()), list[str]()
    await table(host)
    store.held = True
    look(pairer, seek("ann"), found)
    look(pairer, seek("bob"), found)  # behind ann, for the same seat
    pairer.cancel("web:bob")
    store.release()
    await until(lambda: bool(found))
    await turns()
    assert len(found) == 1
    assert pairer.waiting() == []
    await host.close()


async def test_who_misses_a_seat_is_shown_the_next_table() -> None:
    host = make_host(MemoryStore())
    pairer, first, second = Pairer(host, Lobby()), list[str](), list[str]()
    tables = [await table(host), await table(host)]
    look(pairer, seek("ann"), first)
    look(pairer, seek("bob"), second)
    await until(lambda: bool(first and second))
    assert [first, second] == [tables[:1], tables[1:]]
    await host.close()


async def test_who_comes_in_a_drain_is_refused_and_who_waited_waits_on() -> None:
    host, drains, ears = make_host(MemoryStore()), False, (Ear(), Ear())
    pairer, told = Pairer(host, Lobby(), lambda: drains), (list[str](), list[str]())
    ann, flexible = seek("ann"), replace(seek("ann"), flexible=True)
    pairer.seek(ann, told[0].append, ears[0].refuse, lambda: told[0].append("waits"))

    drains = True
    for who, heard, ear in ((flexible, told[0], ears[0]), (seek("bob"), told[1], ears[1])):
        pairer.seek(who, heard.append, ear.refuse, partial(heard.append, "waits"))
    assert told == (["waits", "waits"], [])
    assert [ear.refusals for ear in ears] == [[], [Refusal.UNAVAILABLE]]
    assert pairer.waiting() == [flexible]
    await host.close()


async def test_those_who_waited_meet_after_a_drain() -> None:
    host, drains = make_host(MemoryStore()), False
    pairer, first, second = Pairer(host, Lobby(), lambda: drains), list[str](), list[str]()
    look(pairer, seek("ann"), first)
    look(pairer, replace(seek("bob"), options={}), second)
    drains = True
    look(pairer, seek("bob"), second)
    await turns()
    assert (first, second) == (["waits"], ["waits", "waits"])

    drains = False
    pairer.look_again()

    await until(lambda: len(first) > 1)
    assert first[1:] == second[2:]
    await host.close()
