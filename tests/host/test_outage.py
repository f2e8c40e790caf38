"""A store that fails: players hear it each time, and the operator once."""

import asyncio
import logging

import pytest

from parlour.games import Refusal
from parlour.match import PlayMove
from parlour.stores import MemoryStore
from tests.host.stores import Medium
from tests.host.test_following import long_game
from tests.host.test_host import CREATE, Ear, O, X, make_host
from tests.host.wall import Wall

FAILS, WORKS = "the log cannot be written: no space left", "the log can be written again"


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if "the log can" in one.getMessage()]


async def test_what_can_still_be_read_does_not_end_an_outage_of_writing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "parlour.host")
    medium, ear = Medium(MemoryStore()), Ear()
    host = make_host(medium)
    stream = host.create("match", CREATE)
    await medium.quiet()
    medium.full = True
    for _ in range(5):
        host.submit(stream, PlayMove(X, "0,0"), ear.refuse)  # would have to be written
        host.submit(stream, PlayMove(O, "1,1"), ear.refuse)  # is refused when all has been read
        await medium.quiet()
    assert ear.refusals == [Refusal.UNAVAILABLE, Refusal.OUT_OF_TURN] * 5
    assert said(caplog) == [FAILS]

    medium.full = False
    host.submit(stream, PlayMove(X, "0,0"), ear.refuse)
    await medium.quiet()
    assert said(caplog) == [FAILS, WORKS]
    await host.close()


async def test_players_hear_whether_the_log_cannot_be_read_or_not_be_written() -> None:
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    heard: list[str] = []
    before, stream = await long_game(medium, 1)
    await before.close()
    host = make_host(medium, now=wall.now)
    medium.silent = True
    host.submit(stream, PlayMove(O, "0,2"), lambda no: heard.append(no.detail))
    await wall.passes(0)
    medium.silent, medium.full = False, True
    await wall.passes(1_000)
    host.submit(stream, PlayMove(O, "0,2"), lambda no: heard.append(no.detail))
    await wall.passes(0)
    assert heard == ["the log cannot be read just now", "the log cannot be written just now"]
    await host.close()


async def test_many_who_look_back_in_an_outage_are_one_line_for_the_operator(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "parlour.host")
    wall, medium, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    host, stream = await long_game(medium, 30)
    medium.silent = True
    for _ in range(30):
        host.follow(stream, 0, ear.deliver)
    await wall.passes(5_000)
    assert said(caplog) == ["the log cannot be read: the medium does not answer"]

    medium.silent = False
    await wall.passes(1_000)
    assert said(caplog)[1:] == ["the log can be read again"]
    await host.close()
