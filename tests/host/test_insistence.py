"""What must be heard although nobody is left to ask again is asked until it is in the log."""

import asyncio

import pytest

from parlour.host import Write
from parlour.match import (
    ComeBack,
    CreateMatch,
    GoAway,
    Newcomer,
    SeatAway,
    SeatBack,
    SeatForfeited,
    Terms,
)
from parlour.stores import MemoryStore
from tests.contracts.stores import appended
from tests.host.stores import Medium
from tests.host.test_following import BEFORE, long_game
from tests.host.test_host import CREATE, Ear, O, X, make_host
from tests.host.wall import Wall
from tests.match.tables import MATCHES


def gone(ear: Ear) -> list[int]:
    """The seats that were lost."""
    return [one.event.seat for one in ear.records if isinstance(one.event, SeatForfeited)]


@pytest.mark.parametrize("mood", ["full", "silent"])
async def test_it_is_asked_again_each_second_until_the_medium_works(mood: str) -> None:
    wall, medium, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    before, stream = await long_game(medium, 1)
    await before.close()
    host = make_host(medium, now=wall.now)
    if mood == "full":
        await host.state(stream)
    setattr(medium, mood, True)
    host.insist(stream, GoAway(O))
    for _ in range(5):
        await wall.passes(1_000)
    assert len(medium.log[stream]) == BEFORE + 1
    medium.mend()
    await wall.passes(1_000)
    await wall.passes(1_000)
    host.follow(stream, BEFORE + 1, ear.deliver)
    await medium.quiet()
    assert gone(ear) == [1]
    assert host._insistence._timers == {}
    await host.close()


async def test_a_rule_that_says_no_ends_it() -> None:
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    host, stream = await long_game(medium, 1)
    host.insist("match-none", GoAway(X))
    host.insist(stream, GoAway("web:nobody"))
    await medium.quiet()
    await wall.passes(1_000)
    assert host._insistence._timers == {}
    assert len(medium.log[stream]) == BEFORE + 1
    await host.close()


async def test_who_has_come_back_too_often_is_not_asked_for_for_ever() -> None:
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    patient = Terms(ready=True, grace=1_000_000)
    create = CreateMatch("tictactoe", newcomers=(Newcomer(X, "xena", patient), CREATE.newcomers[1]))
    before = make_host(medium, now=wall.now)
    stream = before.create("match", create)
    await medium.quiet()
    await before.close()
    away, back = (MATCHES.encode(one(wall.now(), 0)) for one in (SeatAway, SeatBack))
    facts = [*[away, back] * 1_000, away]
    written = Write(stream, 4, facts)
    assert await appended(medium.store, written) is None
    host = make_host(medium, now=wall.now)
    host.insist(stream, ComeBack(X))
    await host.state(stream)  # which is long, and folded beside the loop
    await wall.passes(1_000)
    assert host._insistence._timers == {}
    assert len(medium.log[stream]) == 4 + len(facts)
    await host.close()


async def test_what_is_not_so_any_more_is_not_asked_again() -> None:
    """The player came back while the medium could not record that they had gone."""
    wall, medium, away = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), [True]
    host, stream = await long_game(medium, 1)
    medium.full = True
    host.insist(stream, GoAway(O), lambda: away[0])
    await wall.passes(1_000)
    away[0] = False
    medium.mend()
    await wall.passes(3_000)
    assert len(medium.log[stream]) == BEFORE + 1
    assert host._insistence._timers == {}
    await host.close()


async def test_who_meets_a_full_queue_is_heard_later() -> None:
    wall, medium, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    host, stream = await long_game(medium, 1)
    host.follow(stream, BEFORE + 1, ear.deliver)
    await medium.quiet()
    medium.held = True
    for _ in range(70):
        host.submit(stream, GoAway(X))
    host.insist(stream, GoAway(X))
    medium.mend()
    await wall.passes(1_000)
    assert gone(ear) == [0]
    assert host._insistence._timers == {}
    await host.close()


@pytest.mark.parametrize("again", [False, True])
async def test_nothing_is_asked_of_a_service_that_has_ended(again: bool) -> None:
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    host, stream = await long_game(medium, 1)
    medium.full = True
    host.insist(stream, GoAway(O))
    await wall.passes(3_000 if again else 0)
    await host.close()
    assert all(timer.cancelled() for timer in host._insistence._timers.values())
    medium.mend()
    await wall.passes(10_000)
    assert len(medium.log[stream]) == BEFORE + 1
