"""Several streams are changed together or not at all, whatever else is asked of each.

What is asked of one of them alone while the two wait may come before or after: each order is one
in which the two could have been asked. What is recorded together is never parted by it.
"""

import asyncio

import pytest

from parlour.buses import MemoryBus
from parlour.games import Refusal
from parlour.host import Host
from parlour.match import GoAway, PlayMove
from parlour.stores import MemoryStore
from tests.contracts.stores import everything
from tests.host.stores import FailingStore, HeldStore, Medium
from tests.host.tallies import Add, Finish, tally_host
from tests.host.test_asks import tally, totals
from tests.host.test_host import CREATE, Ear, O, X, make_host
from tests.host.wall import turns


async def two_tallies(host: Host, *ears: Ear) -> list[str]:
    """Two followed tallies of 1 each."""
    return [await tally(host, ear) for ear in ears]


async def test_nobody_hears_of_either_before_both_are_durable() -> None:
    store, order, one, other = HeldStore(), list[str](), Ear(), Ear()
    host = tally_host(store)
    a, b = await two_tallies(host, one, other)
    host.follow(a, 1, lambda _: order.append("a"))
    host.follow(b, 1, lambda _: order.append("b"))
    await turns()
    store.held = True
    together = [(b, Add("ann", 2)), (a, Add("ann", 3))]
    host.submit_together(together, accept=lambda: order.append("accepted"))
    await turns()
    assert (totals(one), totals(other), order, len(store.waiting)) == ([1], [1], [], 1)
    store.release()
    await turns()
    assert (totals(one), totals(other)) == ([1, 4], [1, 3])
    assert order == ["accepted", "b", "a"]
    await host.close()


async def test_a_refusal_of_one_is_a_refusal_of_both() -> None:
    host, one, other = tally_host(MemoryStore()), Ear(), Ear()
    a, b = await two_tallies(host, one, other)
    for wanted in ([(a, -1), (b, 2)], [(a, 2), (b, -1)]):
        host.submit_together([(stream, Add("ann", n)) for stream, n in wanted], one.refuse)
    await turns()
    assert one.refusals == [Refusal.ILLEGAL_MOVE] * 2
    host.submit_together([(a, Add("ann", 2)), ("club-1", Add("ann", 2))], one.refuse)
    assert one.refusals[2:] == [Refusal.UNKNOWN_STREAM]
    host.submit_together([(a, Add("bob", 4)), (b, Add("bob", 5))], one.refuse)
    await turns()
    assert (totals(one), totals(other)) == ([1, 5], [1, 6])
    await host.close()


async def test_nothing_to_add_in_either_is_a_success_in_both() -> None:
    host, one, other, accepted = tally_host(MemoryStore()), Ear(), Ear(), list[int]()
    a, b = await two_tallies(host, one, other)
    wanted = [(a, Add("ann", 0)), (b, Add("ann", 0))]
    host.submit_together(wanted, one.refuse, lambda: accepted.append(1))
    await turns()
    assert (totals(one), totals(other), one.refusals, accepted) == ([1], [1], [], [1])
    await host.close()


@pytest.mark.parametrize("stale", [0, 1])
async def test_what_another_host_wrote_in_one_is_read_and_both_are_decided_again(
    stale: int,
) -> None:
    store, one, other = MemoryStore(), Ear(), Ear()
    host, elsewhere = tally_host(store), tally_host(store)  # neither hears the other's bell
    streams = await two_tallies(host, one, other)
    elsewhere.submit(streams[stale], Add("bob", 10))
    await turns()
    host.submit_together([(stream, Add("ann", 2)) for stream in streams])
    await turns()
    assert (totals(one), totals(other)) == (([1, 11, 13], [1, 3]), ([1, 3], [1, 11, 13]))[stale]

    elsewhere.submit(streams[stale], Finish())
    await turns()
    host.submit_together([(stream, Add("ann", 2)) for stream in streams], one.refuse)
    await turns()
    assert one.refusals == [Refusal.OVER]
    assert len(await store.read(streams[1 - stale])) == 2
    await host.close()
    await elsewhere.close()


async def test_reading_again_does_not_part_one_from_what_is_on_its_way() -> None:
    """Somebody played at the table where the two had nothing to add, and waits for the store."""
    medium, ear = Medium(MemoryStore()), Ear()
    host, elsewhere = make_host(medium), make_host(medium)
    a, b = host.create("match", CREATE), host.create("match", CREATE)
    await medium.quiet()
    host.follow(b, 4, ear.deliver)
    elsewhere.submit(a, PlayMove(X, "0,0"))
    await medium.quiet()
    host.submit_together([(a, GoAway(O)), (b, GoAway("web:nobody"))])  # stale in a
    medium.held = True
    host.submit(b, PlayMove(X, "0,0"))
    await medium.quiet()
    host.submit(b, PlayMove(O, "1,1"), ear.refuse)
    await medium.quiet()
    assert ear.moves == []
    medium.mend()
    await medium.quiet()
    assert (ear.moves, ear.refusals) == (["0,0", "1,1"], [])
    assert (await host.state(a))[0].status.finished
    await host.close()
    await elsewhere.close()


@pytest.mark.parametrize("first", [0, 1])
async def test_two_wait_for_the_one_that_is_busy_in_their_turn(first: int) -> None:
    store, one, other = HeldStore(), Ear(), Ear()
    host = tally_host(store)
    busy, idle = await two_tallies(host, one, other)
    store.held = True
    together = [(busy, Add("ann", 30)), (idle, Add("ann", 30))]
    host.submit(busy, Add("ann", 10))
    host.submit(busy, Add("ann", 20))
    host.submit_together(together[:: 1 - 2 * first])
    host.submit(busy, Add("ann", 40))
    store.release()
    await turns()
    assert (totals(one), totals(other)) == ([1, 11, 31, 61, 101], [1, 31])
    await host.close()


async def test_what_answers_one_of_the_two_waits_for_it() -> None:
    """Nothing is decided on a state that the two are about to change."""
    store, one, other = HeldStore(), Ear(), Ear()
    host = make_host(store)
    a, b = host.create("match", CREATE), host.create("match", CREATE)
    host.follow(a, 4, one.deliver)
    host.follow(b, 4, other.deliver)
    await turns()
    store.held = True
    host.submit_together([(a, PlayMove(X, "0,0")), (b, PlayMove(X, "0,0"))])
    for stream, ear in ((a, one), (b, other)):
        host.submit(stream, PlayMove(O, "1,1"), ear.refuse)
    await turns()
    store.release()
    await turns()
    assert one.moves == other.moves == ["0,0", "1,1"]
    assert one.refusals == other.refusals == []
    await host.close()


async def test_the_two_wait_for_each_that_is_busy() -> None:
    store, ear = HeldStore(), Ear()
    host = make_host(store)
    a, b = host.create("match", CREATE), host.create("match", CREATE)
    host.follow(b, 4, ear.deliver)
    await turns()
    store.held = True
    for stream in (a, b):
        host.submit(stream, PlayMove(X, "0,0"))
    host.submit_together([(a, PlayMove(O, "1,1")), (b, PlayMove(O, "1,1"))], ear.refuse)
    store.waiting.pop(0)()  # the move in the first of them
    await turns()
    assert ear.refusals == []
    store.release()
    await turns()
    assert (ear.moves, ear.refusals) == (["0,0", "1,1"], [])
    assert (await host.state(a))[1] == 6
    await host.close()


async def test_what_is_asked_of_the_idle_one_meanwhile_changes_nothing_of_the_two() -> None:
    store, one, other = HeldStore(), Ear(), Ear()
    host = tally_host(store)
    busy, idle = await two_tallies(host, one, other)
    store.held = True
    host.submit(busy, Add("ann", 10))
    host.submit_together([(busy, Add("ann", 20)), (idle, Add("ann", 20))])
    host.submit(idle, Add("bob", 40))
    host.submit(idle, Add("bob", -1), other.refuse)
    store.release()
    await turns()
    assert totals(one) == [1, 11, 31]
    assert totals(other) in ([1, 41, 61], [1, 21, 61])
    assert other.refusals == [Refusal.ILLEGAL_MOVE]
    log = [(event.stream, event.data) for event in await everything(store)]
    at = log.index((busy, b'{"type":"Added","number":20}'))
    assert log[at + 1] == (idle, b'{"type":"Added","number":20}')  # one append, nothing between
    await host.close()


async def test_a_stream_that_only_the_two_know_of_is_not_lost_while_they_wait() -> None:
    """It is new, and in no directory; who follows it meanwhile hears of it, here and elsewhere."""
    store, bus, one, new, there = HeldStore(), MemoryBus(), Ear(), Ear(), Ear()
    host, elsewhere = tally_host(store, bus=bus), tally_host(store, bus=bus)
    a = await tally(host, one)
    store.held = True
    host.submit(a, Add("ann", 10))
    host.submit_together([(a, Add("ann", 20)), ("tally-new", Add("ann", 30))])
    await turns()  # it has been read, and there is nothing
    (first,) = store.waiting
    store.waiting.clear()
    first()
    await turns()
    host.follow("tally-new", 0, new.deliver)
    elsewhere.follow("tally-new", 0, there.deliver)
    await turns()
    store.release()
    await turns()
    assert (totals(one), totals(new), totals(there)) == ([1, 11, 31], [30], [30])
    await host.close()
    await elsewhere.close()


async def test_what_was_refused_together_is_not_kept_in_memory() -> None:
    host, ear = tally_host(MemoryStore()), Ear()
    names = [f"tally-no{number}" for number in range(3)]
    wanted = [(name, Add("ann", -1)) for name in names]
    host.submit_together(wanted, ear.refuse)
    host.submit_together(list(reversed(wanted)), ear.refuse)
    await turns()
    assert ear.refusals == [Refusal.ILLEGAL_MOVE] * 2
    assert host._streams == {}
    await host.close()


@pytest.mark.parametrize("count", [1, 2])
async def test_what_has_ended_together_is_not_kept_in_memory(count: int) -> None:
    host, ear = tally_host(MemoryStore()), Ear()
    names = [host.name("tally") for _ in range(count)]
    host.submit_together([(name, Add("ann", 1)) for name in names], ear.refuse)
    host.submit_together([(name, Finish()) for name in names], ear.refuse)
    await turns()
    assert ear.refusals == []
    assert host._streams == {}
    await host.close()


async def test_a_store_that_fails_writes_nothing_of_either() -> None:
    store, one, other = FailingStore(), Ear(), Ear()
    host = tally_host(store)
    a, b = await two_tallies(host, one, other)
    together = [(a, Add("ann", 2)), (b, Add("ann", 2))]
    store.failing = True
    host.submit_together(together, one.refuse)
    host.submit(b, Add("bob", 3), other.refuse)  # waits behind the two
    await turns()
    assert one.refusals == other.refusals == [Refusal.UNAVAILABLE]
    store.failing = False
    host.submit_together(together, one.refuse)
    await turns()
    assert (totals(one), totals(other)) == ([1, 3], [1, 3])
    assert len(await everything(store)) == 4
    await host.close()


async def test_a_medium_that_cannot_be_read_refuses_both() -> None:
    medium, one, other = Medium(MemoryStore()), Ear(), Ear()
    host = tally_host(medium)
    a, b = await two_tallies(host, one, other)
    medium.silent = True
    for wanted in ([(a, Add("ann", 2)), ("tally-9", Add("ann", 2))], [(b, Add("ann", -1))]):
        host.submit_together(wanted, one.refuse)
    await asyncio.wait_for(medium.quiet(), 5)
    assert one.refusals == [Refusal.UNAVAILABLE] * 2
    assert (totals(one), totals(other)) == ([1], [1])
    await host.close()
