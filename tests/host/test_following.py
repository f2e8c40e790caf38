"""Who follows hears every event once, in order, wherever it is read from and whatever fails."""

import asyncio
from collections.abc import Sequence

import pytest

from parlour.buses import MemoryBus
from parlour.games import Refusal
from parlour.host import Host, Recorded, StoreError
from parlour.match import CreateMatch, PlayMove, SeatTaken
from parlour.stores import MemoryStore
from tests.host.stores import Medium
from tests.host.test_host import CREATE, Ear, O, X, make_host, until
from tests.host.wall import Wall, turns

GO = CreateMatch("go", {"size": 9}, CREATE.newcomers)
# Nothing is ever captured while every other column is empty.
CELLS = [f"{x},{y}" for y in range(9) for x in range(0, 9, 2)]
BEFORE = 4  # events before the first move


class BrokenMedium(Medium):
    """One whose reading has a mistake of ours in it while `broken`."""

    broken = False

    async def read(self, stream: str, after: int = 0) -> list[bytes]:
        if self.broken:
            raise ZeroDivisionError(stream)
        return await super().read(stream, after)


def plays(host: Host, stream: str, first: int, last: int) -> None:
    """Ask for the moves from number `first` up to `last`, counted from 0."""
    for number in range(first, last):
        host.submit(stream, PlayMove((X, O)[number % 2], CELLS[number]))


async def long_game(medium: Medium, moves: int) -> tuple[Host, str]:
    host = make_host(medium)
    stream = host.create("match", GO)
    plays(host, stream, 0, moves)
    await medium.quiet()
    return host, stream


@pytest.mark.parametrize("after", [0, 1, 7, 17, 18, 33])
async def test_who_comes_late_reads_the_store_while_moves_keep_coming(after: int) -> None:
    medium = Medium(MemoryStore())
    host, stream = await long_game(medium, 30)
    medium.slow = True
    ear = Ear()
    host.follow(stream, after, ear.deliver)
    for number in range(30, 45):
        plays(host, stream, number, number + 1)
        await turns(3)
    await until(lambda: 45 + BEFORE in ear.versions)
    assert ear.versions == list(range(after + 1, 45 + BEFORE + 1))
    assert ear.moves == CELLS[max(after - BEFORE, 0) :]
    assert ear.records[-1].state == (await host.state(stream))[0]
    await host.close()


async def test_what_was_read_before_its_append_was_reported_is_told_once() -> None:
    """The reader is faster than the writer's report."""
    medium = Medium(MemoryStore())
    host, stream = await long_game(medium, 30)
    medium.late = True
    plays(host, stream, 30, 31)
    await medium.quiet()
    ear, late = Ear(), Ear()
    host.follow(stream, 0, ear.deliver)
    await until(lambda: len(ear.moves) == 31)
    assert (await host.history(stream))[-1].version == 31 + BEFORE

    host.follow(stream, 31 + BEFORE, late.deliver)
    medium.mend()
    plays(host, stream, 31, 33)
    await medium.quiet()
    assert ear.moves == CELLS[:33]
    assert late.moves == CELLS[31:33]
    await host.close()


async def test_of_what_two_moves_make_together_only_the_unknown_is_told() -> None:
    """One of the events of an append was heard already from the store."""
    store, bus = MemoryStore(), MemoryBus()
    medium = Medium(store)
    host, stream = await long_game(medium, 30)
    other = make_host(store, bus)
    await other.state(stream)
    plays(other, stream, 30, 33)  # the host hears no bell
    await turns()
    ear = Ear()
    host.follow(stream, 0, ear.deliver)
    await until(lambda: ear.records)
    plays(other, stream, 33, 35)
    await turns()
    plays(host, stream, 35, 36)
    await until(lambda: len(ear.moves) == 36)
    assert ear.moves == CELLS[:36]
    await host.close()
    await other.close()


async def test_a_read_that_fails_is_tried_again_and_nothing_is_missed() -> None:
    wall, medium, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    host, stream = await long_game(medium, 30)
    medium.silent = True
    host.follow(stream, 2, ear.deliver)
    await wall.passes(2_500)
    plays(host, stream, 30, 32)
    await wall.passes(2_500)
    assert ear.records == []
    medium.silent = False
    await wall.passes(1_000)
    plays(host, stream, 32, 33)
    await wall.passes(0)
    assert ear.versions == list(range(3, 33 + BEFORE + 1))
    await host.close()


async def test_a_stream_that_cannot_be_read_yet_is_read_when_the_medium_answers() -> None:
    """Nothing is decided on what is not known, and nobody need wait to hear that."""
    wall, medium, ear = Wall(asyncio.get_running_loop()), Medium(MemoryStore()), Ear()
    before, stream = await long_game(medium, 30)
    await before.close()
    host = make_host(medium, now=wall.now)
    medium.silent = True
    host.follow(stream, 0, ear.deliver)
    host.submit(stream, PlayMove(O, CELLS[30]), ear.refuse)
    plays(host, stream, 30, 31)
    await wall.passes(3_000)
    assert (ear.records, set(ear.refusals)) == ([], {Refusal.UNAVAILABLE})
    ear.refusals.clear()
    host.submit(stream, PlayMove(O, CELLS[30]), ear.refuse)
    plays(host, stream, 30, 31)
    medium.silent = False
    await wall.passes(1_000)
    assert ear.moves == CELLS[:31]
    assert ear.refusals == [Refusal.OUT_OF_TURN]
    await host.close()


async def test_who_stops_hears_nothing_that_was_on_its_way() -> None:
    medium, ears = Medium(MemoryStore()), [Ear(), Ear(), Ear()]
    host, stream = await long_game(medium, 30)
    host.follow(stream, 0, ears[0].deliver).stop()
    reading = host.follow(stream, 0, ears[1].deliver)
    told = host.follow(stream, 33, ears[2].deliver)
    medium.slow = True
    await turns(3)
    plays(host, stream, 30, 31)
    reading.stop()
    told.stop()
    told.stop()
    await medium.quiet()
    assert [ear.moves for ear in ears] == [[], [], CELLS[29:30]]
    await host.close()


async def test_who_stops_while_being_told_stops_for_themselves_alone() -> None:
    medium, first, second = Medium(MemoryStore()), Ear(), Ear()
    host, stream = await long_game(medium, 0)

    def hears_once(records: Sequence[Recorded]) -> None:
        first.deliver(records)
        one.stop()

    one = host.follow(stream, 4, hears_once)
    host.follow(stream, 4, second.deliver)
    plays(host, stream, 0, 2)
    await medium.quiet()
    assert (first.moves, second.moves) == (CELLS[:1], CELLS[:2])
    await host.close()


async def test_who_knows_more_than_there_is_hears_what_comes_after_it() -> None:
    medium, ear = Medium(MemoryStore()), Ear()
    host, stream = await long_game(medium, 2)
    host.follow(stream, 8, ear.deliver)
    await turns()
    plays(host, stream, 2, 6)
    await medium.quiet()
    assert ear.versions == [9, 10]
    await host.close()


async def test_a_stream_may_be_followed_before_it_is_there() -> None:
    medium, bus, ear = Medium(MemoryStore()), MemoryBus(), Ear()
    host, other = make_host(medium, bus), make_host(medium, bus)
    host.follow("match-1", 0, ear.deliver)
    await turns()
    assert ear.records == []
    assert other.create("match", CREATE) == "match-1"
    await until(lambda: len(ear.records) == BEFORE)
    await host.close()
    await other.close()


async def test_history_is_read_past_a_version() -> None:
    medium = Medium(MemoryStore())
    host, stream = await long_game(medium, 3)
    whole = await host.history(stream)
    assert [one.version for one in whole] == list(range(1, 8))
    assert isinstance(whole[1].event, SeatTaken)
    assert await host.history(stream, 5) == whole[5:]
    assert await host.history("match-none") == []
    medium.silent = True
    with pytest.raises(StoreError, match="does not answer"):
        await host.history(stream)
    await host.close()


async def test_rings_that_are_lost_leave_the_hosts_consistent() -> None:
    """At most once is enough: whoever asks for something is answered on what is in the log."""
    medium = Medium(MemoryStore())
    one, other, here, there = make_host(medium), make_host(medium), Ear(), Ear()  # a bus each
    stream = one.create("match", CREATE)
    await medium.quiet()
    one.follow(stream, 4, here.deliver)
    other.follow(stream, 4, there.deliver)
    await medium.quiet()
    one.submit(stream, PlayMove(X, "0,0"))
    await medium.quiet()
    assert there.moves == []

    other.submit(stream, PlayMove(O, "0,0"), there.refuse)  # X has just played there
    await medium.quiet()
    assert there.refusals == [Refusal.ILLEGAL_MOVE]
    assert there.moves == ["0,0"]

    other.submit(stream, PlayMove(O, "1,1"))
    await medium.quiet()
    one.submit(stream, PlayMove(X, "2,2"))  # refused, but for what the other host has recorded
    await medium.quiet()
    other.submit(stream, PlayMove(X, "2,2"), there.refuse)
    await medium.quiet()
    assert there.refusals[1:] == [Refusal.OUT_OF_TURN]
    assert here.moves == there.moves == ["0,0", "1,1", "2,2"]
    assert here.versions == there.versions == [5, 6, 7]
    await one.close()
    await other.close()


async def test_a_bell_during_a_read_is_not_lost() -> None:
    """What is being read was older than what has been rung for."""
    medium, bus, ear = Medium(MemoryStore()), MemoryBus(), Ear()
    other = make_host(medium, bus)
    stream = other.create("match", CREATE)
    await medium.quiet()
    host = make_host(medium, bus)
    medium.slow = True
    host.follow(stream, 0, ear.deliver)
    await turns(3)
    other.submit(stream, PlayMove(X, "0,0"))
    await medium.quiet()
    assert ear.versions == [1, 2, 3, 4, 5]
    await host.close()
    await other.close()


async def test_a_mistake_in_reading_for_one_ends_that_one_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    medium, ear, other, lost = BrokenMedium(MemoryStore()), Ear(), Ear(), list[str]()
    host, stream = await long_game(medium, 30)
    host.follow(stream, 30 + BEFORE, other.deliver, lambda: lost.append("other"))
    medium.broken = True
    follower = host.follow(stream, 0, ear.deliver, lambda: lost.append("ear"))
    await medium.quiet()
    assert follower.stopped
    assert lost == ["ear"]
    assert [one for one in caplog.messages if stream in one] == [
        f"a follower of {stream} is told no more"
    ]

    medium.broken = False
    plays(host, stream, 30, 31)
    await medium.quiet()
    assert (ear.records, other.moves) == ([], CELLS[30:31])
    await host.close()


async def test_who_follows_what_was_taken_out_of_the_log_is_told_nothing() -> None:
    """But that, and nobody asks the store for it again and again."""
    store = MemoryStore()
    medium = Medium(store)
    host, stream = await long_game(medium, 40)
    host.follow(stream, 0, Ear().deliver)
    await medium.quiet()
    del store._streams[stream]
    ear = Ear()

    lost = list[bool]()
    follower = host.follow(stream, 0, ear.deliver, lambda: lost.append(True))

    await until(lambda: follower.stopped)
    assert (ear.versions, lost) == ([], [True])
    await host.close()
