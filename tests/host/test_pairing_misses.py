"""Who is offered a seat and does not get it loses nothing by that, nor do those behind."""

import asyncio
from functools import partial

import pytest
from msgspec.structs import replace

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.games import Refusal
from parlour.host import Host, Pairer
from parlour.lobby import Lobby
from parlour.match import (
    AbortCause,
    Command,
    CreateMatch,
    Event,
    LeaveSeat,
    Listing,
    Match,
    MatchAggregate,
    Newcomer,
    Status,
    TakeSeat,
    Terms,
)
from parlour.stores import MemoryStore
from tests.host.stores import HeldStore, Medium
from tests.host.test_host import Ear, make_host
from tests.host.test_pairing import READY, look, seek, table
from tests.host.wall import Wall, turns
from tests.service import wall_clock


def made(host: Host) -> list[Listing]:
    return [*host.directory.unfinished.values(), *host.directory.finished.values()]


@pytest.mark.parametrize("goes", [False, True], ids=["stays", "goes"])
async def test_a_table_is_offered_again_when_the_disk_has_room(goes: bool) -> None:
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    host = make_host(medium, now=wall.now)
    pairer, ann, bob = Pairer(host, Lobby()), list[str](), list[str]()
    look(pairer, replace(seek("ann"), seat=0), ann)
    look(pairer, replace(seek("bob"), seat=0), bob)
    full = host.directory.watch(lambda *_: setattr(medium, "full", True))
    create = CreateMatch("tictactoe", newcomers=(Newcomer("web:t", "t", READY, 1),))
    stream = host.create("match", create)
    await medium.quiet()
    await wall.passes(1_000)
    assert (ann, bob) == (["waits"], ["waits"])
    assert [one.name for one in pairer.waiting()] == ["ann", "bob"]

    full()
    medium.mend()
    if goes:
        pairer.cancel("web:ann")
    await wall.passes(1_000)

    assert (ann, bob)[goes] == ["waits", stream]
    assert (ann, bob)[not goes] == ["waits"]
    await host.close()


async def test_who_waits_is_not_failed_by_a_disk_that_is_full_for_whoever_comes() -> None:
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    host, ear = make_host(medium, now=wall.now), Ear()
    pairer, ann, bob = Pairer(host, Lobby()), list[str](), list[str]()
    look(pairer, seek("ann"), ann)
    medium.full = True
    pairer.seek(seek("bob"), bob.append, ear.refuse, lambda: None)
    await medium.quiet()
    assert (ann, bob, ear.refusals) == (["waits"], [], [Refusal.UNAVAILABLE])
    medium.mend()
    look(pairer, seek("bob"), bob)
    await medium.quiet()
    assert ann == ["waits", *bob]
    await host.close()


async def test_two_who_wait_and_met_a_full_disk_meet_again() -> None:
    wall, medium, drains = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), True
    host = make_host(medium, now=wall.now)
    pairer, ann, bob = Pairer(host, Lobby(), lambda: drains), list[str](), list[str]()
    drains = False
    look(pairer, seek("ann"), ann)
    look(pairer, replace(seek("bob"), options={}), bob)
    drains = True
    look(pairer, seek("bob"), bob)
    drains, medium.full = False, True
    pairer.look_again()
    await medium.quiet()
    medium.mend()
    assert (ann, bob) == (["waits"], ["waits", "waits"])
    await wall.passes(1_000)
    assert len(ann) == 2
    assert ann[1:] == bob[2:]
    await host.close()


async def test_who_has_stopped_and_misses_the_seat_by_a_full_disk_is_told() -> None:
    loop, medium, stopped = asyncio.get_running_loop(), Medium(MemoryStore()), list[bool]()
    host, ear = make_host(medium), Ear()
    pairer, found = Pairer(host, Lobby()), list[str]()

    def when_offered(stream: str, listing: Listing) -> None:
        medium.full = True
        loop.call_soon(lambda: stopped.append(pairer.stop("web:ann")))

    pairer.seek(seek("ann"), found.append, ear.refuse, lambda: None)
    host.directory.watch(when_offered)
    await table(host)
    await medium.quiet()
    assert stopped == [False]
    assert ear.refusals == [Refusal.UNAVAILABLE]
    assert (pairer.waiting(), found) == ([], [])
    await host.close()


async def test_who_misses_a_seat_in_a_drain_waits_for_its_end() -> None:
    host, drains = make_host(MemoryStore()), False
    pairer, found = Pairer(host, Lobby(), lambda: drains), list[str]()
    tables = [await table(host), await table(host)]
    look(pairer, seek("bob"), list[str]())
    look(pairer, seek("ann"), found)
    drains = True
    await turns()
    assert found == ["waits"]
    drains = False
    pairer.look_again()
    await turns()
    assert found == ["waits", tables[1]]
    await host.close()


async def test_who_asks_anew_while_being_seated_has_just_asked() -> None:
    """They are answered where whoever waits would not be."""
    loop, medium = asyncio.get_running_loop(), Medium(MemoryStore())
    host, ear = make_host(medium), Ear()
    pairer, found = Pairer(host, Lobby()), list[str]()
    again = partial(pairer.seek, seek("ann"), found.append, ear.refuse, lambda: None)

    def when_offered(stream: str, listing: Listing) -> None:
        medium.full = True
        loop.call_soon(again)

    look(pairer, seek("ann"), found)
    host.directory.watch(when_offered)
    await table(host)
    await medium.quiet()
    assert (found, ear.refusals) == (["waits"], [Refusal.UNAVAILABLE])
    await host.close()


@pytest.mark.parametrize("known", [True, False], ids=["in the lobby", "after a match"])
async def test_whoever_has_waited_waits_on_whatever_passes(known: bool) -> None:
    """Also with a new seek that they did not ask for just now, and they hear that they wait."""
    wall, medium, drains = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), not known
    host, ear = make_host(medium, now=wall.now), Ear()
    pairer, ann, bob = Pairer(host, Lobby(), lambda: drains), list[str](), list[str]()
    waits = partial(bob.append, "waits")
    if known:
        look(pairer, seek("ann"), ann)
        look(pairer, replace(seek("bob"), options={}), list[str]())
    medium.full = known
    pairer.seek(seek("bob"), bob.append, ear.refuse, waits, waited=True)
    await medium.quiet()
    assert (ear.refusals, bob) == ([], ["waits"])

    drains = False
    medium.mend()
    if not known:
        look(pairer, seek("ann"), ann)
    await wall.passes(1_000)
    assert bob[1:] == ann[-1:] != ["waits"]
    await host.close()


async def bears_no_more_of_ann(host: Host) -> str:
    """A table that ann has left as often as it bears."""
    stream = await table(host)
    for _ in range(100):
        host.submit(stream, TakeSeat(Newcomer("web:ann", "ann")))
        host.submit(stream, LeaveSeat("web:ann"))
        await turns()
    return stream


async def test_a_table_that_refuses_one_is_tried_once_and_offered_to_the_next() -> None:
    host = make_host(MemoryStore())
    pairer, ann, bob = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await bears_no_more_of_ann(host)
    pairer.pass_over("web:t")
    look(pairer, replace(seek("ann"), seat=1), ann)
    look(pairer, replace(seek("bob"), seat=1), bob)

    pairer.offer_again("web:t")
    await turns()

    assert (ann, bob) == (["waits"], ["waits", stream])
    assert [one.name for one in pairer.waiting()] == ["ann"]
    await host.close()


class Mistaken(MatchAggregate):
    """Seats nobody, by a mistake of ours, and counts who asks."""

    asked = 0

    def decide(self, match: Match | None, command: Command, now: int) -> list[Event]:
        if isinstance(command, TakeSeat):
            self.asked += 1
            raise ZeroDivisionError
        return super().decide(match, command, now)


async def test_a_table_that_refuses_everybody_is_tried_once_by_each_who_waits() -> None:
    """However often they look again: each of them offered it on to all behind."""
    matches, told = Mistaken(GAMES), list[str]()
    host = Host(MemoryStore(), MemoryBus(), [matches], wall_clock, lambda: "1")
    pairer = Pairer(host, Lobby())
    for number in range(40):
        look(pairer, replace(seek(f"p{number}"), seat=1), told)
    await table(host)
    await turns(2_000)
    assert matches.asked == 40

    pairer.look_again()
    await turns(2_000)

    assert matches.asked == 80
    assert told == ["waits"] * 40
    await host.close()


async def test_whoever_is_refused_by_a_table_waits() -> None:
    host = make_host(MemoryStore())
    pairer, found = Pairer(host, Lobby()), list[str]()
    await bears_no_more_of_ann(host)
    look(pairer, seek("ann"), found)
    await turns()
    assert found == ["waits"]
    await host.close()


async def test_a_seat_that_was_missed_and_is_free_again_is_tried_again() -> None:
    store = HeldStore()
    host = make_host(store)
    pairer, found = Pairer(host, Lobby()), list[str]()
    first, second = await table(host), await table(host)

    def takes(stream: str) -> None:
        host.submit(stream, TakeSeat(Newcomer("web:quick", "quick")))

    store.held = True
    takes(first)
    look(pairer, seek("ann"), found)
    store.release()
    store.held = True
    takes(second)
    await turns()  # the first seat is missed, the second asked for
    host.submit(first, LeaveSeat("web:quick"))
    store.release()
    await turns()

    assert found == [first]
    await host.close()


async def test_who_is_offered_a_table_in_vain_has_still_waited_longest() -> None:
    host = make_host(MemoryStore())
    pairer, told = Pairer(host, Lobby()), list[str]()
    look(pairer, replace(seek("ann"), seat=0), told)
    look(pairer, replace(seek("bob"), seat=0), told)

    def sits_down(stream: str, listing: Listing) -> None:
        if len(listing.sitters) == 1:
            host.submit(stream, TakeSeat(Newcomer("web:friend", "friend", READY, 0)))

    host.directory.watch(sits_down)
    host.create("match", CreateMatch("tictactoe", {}, (Newcomer("web:t", "t", READY, 1),)))
    await turns()

    assert [one.status for one in made(host)] == [Status.LIVE]
    assert told == ["waits", "waits"]
    assert [one.name for one in pairer.waiting()] == ["ann", "bob"]
    await host.close()


@pytest.mark.parametrize("drains", [False, True])
async def test_who_asks_for_something_else_keeps_their_place(drains: bool) -> None:
    host, drain = make_host(MemoryStore()), False
    pairer, ann, bob = Pairer(host, Lobby(), lambda: drain), list[str](), list[str]()
    look(pairer, replace(seek("ann"), options={}), ann)
    look(pairer, replace(seek("bob"), seat=1), bob)
    drain = drains
    look(pairer, seek("ann"), ann)
    if drains:
        assert [one.name for one in pairer.waiting()] == ["ann", "bob"]
        drain = False
        pairer.look_again()
    await turns()
    assert [one.name for one in made(host)[0].sitters] == ["ann", "bob"]
    assert ann[-1:] == bob[1:]
    await host.close()


@pytest.mark.parametrize("where", ["lobby", "table"])
async def test_nobody_wins_against_whoever_left_while_being_seated(where: str) -> None:
    """A table that waited for one has nobody to wait for either, once the game has begun."""
    store = HeldStore()
    host = make_host(store)
    pairer, found = Pairer(host, Lobby()), list[str]()
    if where == "table":
        await table(host)
    else:
        look(pairer, seek("bob"), found)
    store.held = True
    look(pairer, seek("ann"), found)
    pairer.cancel("web:ann")
    store.release()
    await turns()
    (match,) = made(host)
    assert (match.status, match.abort) == (Status.ABORTED, AbortCause.STRANGER)
    assert match.abort_detail == "left before the game began"
    assert match.forfeits == ()
    await host.close()


async def test_a_table_that_somebody_leaves_while_being_seated_is_offered_to_the_next() -> None:
    store = HeldStore()
    host = make_host(store)
    pairer, ann, bob = Pairer(host, Lobby()), list[str](), list[str]()
    stream = await table(host)
    store.held = True
    look(pairer, replace(seek("ann"), terms=Terms(), seat=1), ann)
    pairer.cancel("web:ann")
    store.release()
    look(pairer, replace(seek("bob"), seat=1), bob)
    await turns()
    assert (ann, bob[-1:]) == ([], [stream])
    await host.close()
