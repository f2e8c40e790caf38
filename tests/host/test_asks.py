"""What is asked is answered, whatever goes wrong; the stream goes on, and so do all others."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from parlour.games import Refusal, Refused
from parlour.host import Host, Recorded, StoreError
from parlour.match import (
    ComeBack,
    CreateMatch,
    GoAway,
    Listing,
    MatchCreated,
    Newcomer,
    PlayMove,
    Resign,
    Terms,
)
from parlour.stores import MemoryStore
from tests.host.stores import FailingStore, HeldStore, Medium
from tests.host.tallies import MISTAKE, Add, Tallies, tally_host
from tests.host.test_following import BEFORE, CELLS, long_game, plays
from tests.host.test_host import CREATE, Ear, O, X, make_host, until
from tests.host.wall import Wall, turns

FAILS = pytest.mark.parametrize("fails", ["decide", "evolve", "encode"])


def fail(*_: Any) -> None:
    """For every place where somebody else's code is called."""
    raise ZeroDivisionError


def mistakes(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the log says of them; each has its traceback."""
    return [one.getMessage() for one in caplog.records if one.exc_info]


def totals(ear: Ear) -> list[int]:
    return [record.state.total for record in ear.records]


async def tally(host: Host, ear: Ear) -> str:
    """A followed tally that begins with 1."""
    stream = host.create("tally", Add("ann", 1))
    host.follow(stream, 0, ear.deliver)
    await host.state(stream)
    await turns()
    return stream


@FAILS
async def test_a_mistake_in_an_aggregate_refuses_the_command_and_nothing_else(
    fails: str, caplog: pytest.LogCaptureFixture
) -> None:
    store, ear, other = MemoryStore(), Ear(), Ear()
    host = tally_host(store, Tallies(fails))
    stream, beside = await tally(host, ear), await tally(host, other)
    host.submit(stream, Add("ann", MISTAKE), ear.refuse)
    host.submit(stream, Add("bob", 2), ear.refuse)
    host.submit(beside, Add("bob", 3), other.refuse)
    await turns()
    assert (totals(ear), totals(other)) == ([1, 3], [1, 4])
    assert (ear.refusals, other.refusals) == ([Refusal.MISTAKE], [])
    assert len(await store.read(stream)) == 2
    assert mistakes(caplog) == [f"a command failed: Add(by='ann', number={MISTAKE}) to {stream}"]
    await host.close()


@FAILS
async def test_those_who_wait_behind_a_mistake_are_decided(
    fails: str, caplog: pytest.LogCaptureFixture
) -> None:
    store, ear = HeldStore(), Ear()
    host = tally_host(store, Tallies(fails))
    stream = await tally(host, ear)
    store.held = True
    for number in (2, MISTAKE, 4, -1):
        host.submit(stream, Add("ann", number), ear.refuse)
    store.release()
    await until(lambda: len(ear.refusals) == 2)
    assert totals(ear) == [1, 3, 7]
    assert ear.refusals == [Refusal.MISTAKE, Refusal.ILLEGAL_MOVE]
    assert len(mistakes(caplog)) == 1
    await host.close()


@FAILS
@pytest.mark.parametrize("number", [0, 1])
async def test_a_mistake_in_one_of_two_leaves_nothing_in_either(
    number: int, fails: str, caplog: pytest.LogCaptureFixture
) -> None:
    store, ears = MemoryStore(), (Ear(), Ear())
    host = tally_host(store, Tallies(fails))
    streams = [await tally(host, ear) for ear in ears]
    wanted = [Add("ann", MISTAKE if place == number else 2) for place in (0, 1)]
    host.submit_together(list(zip(streams, wanted, strict=True)), ears[0].refuse)
    await turns()
    assert ears[0].refusals == [Refusal.MISTAKE]
    assert [len(await store.read(stream)) for stream in streams] == [1, 1]
    for stream in streams:
        host.submit(stream, Add("bob", 3))
    await turns()
    assert [totals(ear) for ear in ears] == [[1, 4], [1, 4]]
    assert len(mistakes(caplog)) == 1
    await host.close()


class Unread(MemoryStore):
    """A store that cannot be read."""

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        raise StoreError(f"{stream} was to be read")


async def test_a_named_stream_is_begun_without_a_look_at_the_log() -> None:
    host, ear = tally_host(Unread()), Ear()
    one, other = host.name("tally"), host.name("tally")
    host.submit_together([(one, Add("ann", 2)), (other, Add("ann", 3))], ear.refuse)
    host.follow(other, 0, ear.deliver)
    await turns()
    assert (totals(ear), ear.refusals) == ([3], [])
    await host.close()


async def test_nothing_stays_of_a_named_stream_that_was_refused() -> None:
    host, ear = tally_host(MemoryStore()), Ear()
    one, other = await tally(host, ear), host.name("tally")
    host.submit_together([(one, Add("ann", -1)), (other, Add("ann", 3))], ear.refuse)
    await turns()
    assert ear.refusals == [Refusal.ILLEGAL_MOVE]
    with pytest.raises(Refused):
        await host.state(other)
    await host.close()


async def test_a_mistake_in_what_is_listed_hides_no_event(caplog: pytest.LogCaptureFixture) -> None:
    store, ear, other = HeldStore(), Ear(), Ear()
    host = tally_host(store, Tallies("project"))
    stream, beside = await tally(host, ear), await tally(host, other)
    store.held = True
    host.submit_together([(stream, Add("ann", MISTAKE)), (beside, Add("ann", 2))])
    host.submit(stream, Add("bob", 3))
    store.release()
    await turns()
    assert (totals(ear), totals(other)) == ([1, 14, 17], [1, 3])
    assert len(mistakes(caplog)) == 1
    await host.close()


@pytest.mark.parametrize("together", [False, True])
async def test_a_mistake_of_whoever_is_told_of_success_stops_no_stream(
    together: bool, caplog: pytest.LogCaptureFixture
) -> None:
    host, ears = tally_host(MemoryStore()), (Ear(), Ear())
    streams = [await tally(host, ear) for ear in ears]
    wanted = [(stream, Add("ann", 2)) for stream in streams]
    if together:
        host.submit_together(wanted, accept=fail)
    else:
        for stream, command in wanted:
            host.submit(stream, command, accept=fail)
    for stream in streams:
        host.submit(stream, Add("bob", 3), ears[0].refuse)
    await turns()
    assert [totals(ear) for ear in ears] == [[1, 3, 6], [1, 3, 6]]
    assert ears[0].refusals == []
    assert len(mistakes(caplog)) == (1 if together else 2)
    await host.close()


async def test_a_mistake_of_whoever_is_refused_stops_no_stream(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store, ears = FailingStore(), (Ear(), Ear())
    host = tally_host(store)
    one, other = [await tally(host, ear) for ear in ears]
    host.submit(one, Add("ann", -1), fail)  # by a rule
    store.failing = True
    host.submit(other, Add("ann", 2), fail)  # by the medium
    await turns()
    host.submit_together([(one, Add("ann", 2)), (other, Add("ann", 2))], fail)
    host.submit("club-1", Add("ann", 2), ears[0].refuse)
    await turns()
    store.failing = False
    for stream in (one, other):
        host.submit(stream, Add("bob", 3))
    await turns()
    assert [totals(ear) for ear in ears] == [[1, 4], [1, 4]]
    assert ears[0].refusals == [Refusal.UNKNOWN_STREAM]
    assert len(mistakes(caplog)) == 3
    await host.close()


async def test_a_mistake_of_a_watcher_is_not_the_others(caplog: pytest.LogCaptureFixture) -> None:
    host, ear, seen = make_host(MemoryStore()), Ear(), list[Listing]()
    stream = host.create("match", CREATE)
    host.follow(stream, 0, ear.deliver)
    stop = host.directory.watch(fail)
    host.directory.watch(lambda _, listing: seen.append(listing))
    await turns()
    stop()
    host.submit(stream, Resign(X))
    await turns()
    assert [listing.status.finished for listing in seen] == [False, True]
    assert ear.versions == list(range(1, ear.records[-1].version + 1))
    assert mistakes(caplog) == [f"a watcher of the directory failed at {stream}"]
    await host.close()


async def test_a_follower_that_fails_is_told_no_more(caplog: pytest.LogCaptureFixture) -> None:
    host, ear, told = make_host(MemoryStore()), Ear(), Ear()
    stream = host.create("match", CREATE)

    def hears_a_move(records: Sequence[Recorded]) -> None:
        told.deliver(records)
        if not isinstance(records[0].event, MatchCreated):
            raise ZeroDivisionError

    host.follow(stream, 0, hears_a_move)
    host.follow(stream, 0, ear.deliver)
    await turns()
    plays = ((X, "0,0"), (O, "1,1"), (X, "2,2"))
    for by, move in plays:
        host.submit(stream, PlayMove(by, move))
    await turns()
    assert (told.moves, ear.moves) == (["0,0"], ["0,0", "1,1", "2,2"])
    assert len(mistakes(caplog)) == 1
    await host.close()


async def test_while_a_stream_cannot_be_read_everybody_is_told_so() -> None:
    wall, medium, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    before, stream = await long_game(medium, 1)
    await before.close()
    host = make_host(medium, now=wall.now)
    medium.silent = True
    host.submit(stream, PlayMove(O, CELLS[1]), fail)  # whose mistake is nobody else's
    host.submit(stream, PlayMove(O, CELLS[1]), ear.refuse)
    with pytest.raises(StoreError, match="the log cannot be read just now"):
        await host.state(stream)
    assert ear.refusals == [Refusal.UNAVAILABLE]
    medium.silent = False
    looks = asyncio.ensure_future(host.state(stream))
    await wall.passes(1_000)
    assert (await looks)[1] == 1 + BEFORE
    await host.close()


async def test_who_is_refused_may_ask_again_at_once() -> None:
    wall, medium, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    before, stream = await long_game(medium, 1)
    await before.close()
    host = make_host(medium, now=wall.now)

    def ask(no: Refused | None = None) -> None:
        ear.refusals += [no.refusal] if no else []
        assert len(ear.refusals) < 10
        host.submit(stream, PlayMove(O, CELLS[1]), ask)

    medium.silent = True
    ask()
    await wall.passes(0)
    await wall.passes(1_000)
    assert ear.refusals == [Refusal.UNAVAILABLE] * 2
    medium.silent = False
    await wall.passes(1_000)
    assert (await host.state(stream))[1] == 2 + BEFORE
    await host.close()


async def test_nobody_fills_the_queue_of_another() -> None:
    store, flood, ear = HeldStore(), Ear(), Ear()
    host = make_host(store)
    stream = host.create("match", CREATE)
    await turns()
    store.held = True
    host.submit(stream, PlayMove(X, "0,0"))
    for _ in range(100):
        host.submit(stream, PlayMove(X, "0,1"), flood.refuse)
    host.submit(stream, PlayMove(O, "1,1"), ear.refuse)
    host.submit_together([(stream, Resign(X))], flood.refuse)
    assert flood.refusals == [Refusal.LIMIT] * 37
    store.release()
    await turns(200)
    assert ear.refusals == []
    await host.close()


@pytest.mark.parametrize("heard", [BEFORE + 29, BEFORE + 20, 2])
async def test_who_was_passed_over_hears_all_of_it(heard: int) -> None:
    """From memory where it is short, from the store where it is long."""
    medium, ear = Medium(MemoryStore()), Ear()
    host, stream = await long_game(medium, 30)
    follower = host.follow(stream, 30 + BEFORE, ear.deliver)
    await turns()
    follower.version = heard  # which nothing that is known makes happen
    plays(host, stream, 30, 32)
    await medium.quiet()
    assert ear.versions == list(range(heard + 1, 32 + BEFORE + 1))
    await host.close()


async def test_that_there_is_nothing_to_add_is_decided_on_what_another_host_wrote() -> None:
    """Who comes back at one host had gone away at another, whose bell was not heard."""
    store = MemoryStore()
    one, other = make_host(store), make_host(store)
    patient = Terms(ready=True, grace=60_000)
    seats = (Newcomer(X, "xena", patient), Newcomer(O, "otto", patient))
    stream = one.create("match", CreateMatch("tictactoe", newcomers=seats))
    await turns()
    other.submit(stream, GoAway(O))
    await turns()
    one.submit(stream, ComeBack(O))
    await turns()
    match, version = await one.state(stream)
    assert (match.player(1).away_since, version) == (None, 6)
    await one.close()
    await other.close()
