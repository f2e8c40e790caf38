"""A service starts: whatever the last one left is stopped, for good, before anybody is served."""

import asyncio

import pytest

from parlour.games import Refusal
from parlour.host import Host, StoreError, Write
from parlour.match import (
    CreateMatch,
    ForfeitCause,
    Match,
    MovePlayed,
    Newcomer,
    Pause,
    PlayMove,
    Resign,
    SeatForfeited,
    Status,
    Terms,
)
from parlour.stores import MemoryStore
from tests.contracts.stores import appended, everything
from tests.host.stores import Medium
from tests.host.tallies import MISTAKE, Add, Finish, Sum, Tallies, tally_host
from tests.host.test_host import CREATE, Ear, X
from tests.host.wall import Wall
from tests.match.tables import MATCHES

RECLAIM = 5_000
BACK = Terms(ready=True)
LOST = Terms(ready=True, reclaims=False)
PATIENT = Terms(suspends=True)


def table(*terms: Terms) -> CreateMatch:
    """Three seats of Chinese checkers; the game begins when all are taken."""
    newcomers = tuple(Newcomer(n, n, one) for n, one in zip("abc", terms, strict=False))
    return CreateMatch("chinese_checkers", {"players": 3}, newcomers)


def two(*terms: Terms) -> CreateMatch:
    """The two seats of a tic-tac-toe."""
    newcomers = tuple(Newcomer(n, n, one) for n, one in zip("ab", terms, strict=True))
    return CreateMatch("tictactoe", newcomers=newcomers)


async def left(medium: Medium, *commands: object) -> list[str]:
    """Streams of a service that is gone, each begun with a command."""
    host = tally_host(medium)
    streams = [
        host.create("match" if isinstance(command, CreateMatch) else "tally", command)
        for command in commands
    ]
    await medium.quiet()
    await host.close()
    return streams


async def match_of(host: Host, stream: str) -> Match:
    match = (await host.state(stream))[0]
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize(
    ("create", "status"),
    [
        (two(BACK, BACK), Status.SUSPENDED),
        (two(LOST, LOST), Status.ABORTED),
        (two(LOST, BACK), Status.OVER),
        (table(BACK, LOST, BACK), Status.SUSPENDED),
        (table(LOST, LOST, LOST), Status.ABORTED),
        (table(BACK), Status.ABORTED),  # not begun: an absence frees the seat, the last one all
        (table(PATIENT, BACK), Status.OPEN),
        (table(), Status.OPEN),
    ],
    ids=[
        "all back",
        "none",
        "one of two",
        "two of three",
        "none of three",
        "open",
        "kept",
        "empty",
    ],
)
async def test_who_can_come_back_says_what_becomes_of_a_match(
    create: CreateMatch, status: Status
) -> None:
    wall, medium = Wall(asyncio.get_running_loop()), Medium(MemoryStore())
    (stream,) = await left(medium, create)
    host = tally_host(medium, now=wall.now)
    await host.recover(RECLAIM)
    listing = host.directory.get(stream)
    assert listing is not None
    assert listing.status is status
    assert (stream in host.directory.unfinished) is not status.finished
    if not status.finished:  # and those who do not come back in time are lost
        match = await match_of(host, stream)
        assert match.pause_until == wall.now() + RECLAIM
        await wall.passes(RECLAIM)
        later = await match_of(host, stream)
        assert later.status.finished or later.pause is not Pause.RESTART
    await host.close()


async def test_who_cannot_come_back_is_lost_and_the_others_wait() -> None:
    medium = Medium(MemoryStore())
    (stream,) = await left(medium, table(BACK, LOST, BACK))
    host = tally_host(medium)
    await host.recover(RECLAIM)
    events = [record.event for record in await host.history(stream)]
    lost = [(one.seat, one.cause) for one in events if isinstance(one, SeatForfeited)]
    assert lost == [(1, ForfeitCause.RESTART)]
    await host.close()


async def test_what_was_finished_stays_as_it_was() -> None:
    medium, tallies = Medium(MemoryStore()), Tallies()
    tallies.restarts_by_listing = True
    before = tally_host(medium)
    over, closed = before.create("match", CREATE), before.create("tally", Add("ann", 1))
    before.submit(over, Resign(X))
    before.submit(closed, Finish())
    await medium.quiet()
    await before.close()
    log = await everything(medium)
    host = tally_host(medium, tallies)
    await host.recover(RECLAIM)
    assert await everything(medium) == log
    assert (set(host.directory.finished), host.directory.others) == ({over}, {})
    assert host._streams == {}
    await host.close()


@pytest.mark.parametrize("by_listing", [False, True])
async def test_streams_of_other_kinds_are_taken_up_and_listed(by_listing: bool) -> None:
    medium, tallies = Medium(MemoryStore()), Tallies()
    tallies.restarts_by_listing = by_listing
    stream, match = await left(medium, Add("ann", 5), two(BACK, BACK))
    host = tally_host(medium, tallies)
    await host.recover(RECLAIM)
    assert host.directory.others == {stream: Sum(total=5, restarts=1)}
    assert await host.state(stream) == (Sum(total=5, restarts=1), 2)
    assert set(host.directory.unfinished) == {match}
    await host.close()


@pytest.mark.parametrize("create", [two(BACK, BACK), two(LOST, BACK), table(PATIENT)])
async def test_nobody_is_served_before_every_restart_is_durable(create: CreateMatch) -> None:
    medium = Medium(MemoryStore())
    (stream,) = await left(medium, create)
    length = len(medium.log[stream])
    host = tally_host(medium)
    medium.held = True
    recovers = asyncio.ensure_future(host.recover(RECLAIM))
    await medium.quiet()
    assert not recovers.done()
    medium.mend()
    await recovers
    assert len(medium.log[stream]) > length
    await host.close()


@pytest.mark.parametrize("create", [two(BACK, BACK), two(LOST, BACK)])
@pytest.mark.parametrize("mood", ["full", "silent"])
async def test_a_medium_that_fails_is_no_start(create: CreateMatch, mood: str) -> None:
    medium = Medium(MemoryStore())
    (stream,) = await left(medium, create)
    length = len(medium.log[stream])
    host = tally_host(medium)
    setattr(medium, mood, True)
    with pytest.raises(StoreError):
        await host.recover(RECLAIM)
    await host.close()
    assert len(medium.log[stream]) == length


async def test_more_than_are_written_at_once_are_all_taken_up() -> None:
    medium, tallies = Medium(MemoryStore()), Tallies()
    tallies.restarts_by_listing = True
    streams = await left(medium, *[Add("ann", 1)] * 1_001)
    host = tally_host(medium, tallies)
    await host.recover(RECLAIM)
    assert {len(medium.log[stream]) for stream in streams} == {2}
    await host.close()


async def test_a_mistake_in_one_restart_costs_that_stream_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    medium, ear = Medium(MemoryStore()), Ear()
    broken, sound, match = await left(medium, Add("ann", MISTAKE), Add("ann", 5), two(BACK, BACK))
    host = tally_host(medium, Tallies("restart"))
    await host.recover(RECLAIM)
    assert host.directory.others == {sound: Sum(total=5, restarts=1)}
    assert set(host.directory.unfinished) == {match}
    assert f"{broken} is left as it is, and the others go on" in caplog.messages

    host.submit(broken, Add("ann", 1), ear.refuse)  # on what it has become nobody can build
    await medium.quiet()
    assert ear.refusals == [Refusal.UNKNOWN_STREAM]
    assert len(medium.log[broken]) == 1
    assert host.directory.others == {sound: Sum(total=5, restarts=1)}
    await host.close()


async def test_what_a_mistake_with_a_listing_hides_is_decided_on_the_whole_stream() -> None:
    medium, tallies = Medium(MemoryStore()), Tallies("restarted")
    tallies.restarts_by_listing = True
    broken, sound = await left(medium, Add("ann", MISTAKE), Add("ann", 5))
    host = tally_host(medium, tallies)
    await host.recover(RECLAIM)
    restarted = {stream: len(medium.log[stream]) for stream in (broken, sound)}
    assert restarted == {broken: 2, sound: 2}
    await host.close()


async def test_a_move_that_cannot_be_read_keeps_no_service_from_starting() -> None:
    """The directory does not look at moves; the restart of this match has to."""
    medium = Medium(MemoryStore())
    broken, sound = await left(medium, two(LOST, BACK), two(BACK, BACK))
    bad = MATCHES.encode(MovePlayed(7, 0, "9,9"))
    assert await appended(medium.store, Write(broken, 4, [bad])) is None
    host = tally_host(medium)
    await host.recover(RECLAIM)
    assert set(host.directory.unfinished) == {sound}
    host.submit(sound, PlayMove("a", "0,0"))
    await host.close()
