"""A store that fails for a while: nothing that anybody did is forgotten."""

from tests.gateways.textbook.peers import table
from tests.host.stores import FailingStore


async def test_who_leaves_during_an_outage_has_left() -> None:
    store = FailingStore()
    async with table(store=store) as room:
        first, second = await room.pair()
        store.failing = True
        second.reset()
        await room.fence()  # by then the store has failed
        store.failing = False
        assert await first.rest() == (1,)


async def test_a_move_during_an_outage_is_played_when_it_is_over() -> None:
    store = FailingStore()
    async with table(store=store) as room:
        first, second = await room.pair()
        store.failing = True
        first.mark(1, 2)
        await room.fence()  # by then the store has failed
        store.failing = False
        assert await second.ints(3) == (4, 1, 2)


async def test_of_two_moves_in_an_outage_the_first_is_played_and_the_second_loses() -> None:
    store = FailingStore()
    async with table(store=store) as room:
        first, second = await room.pair()
        store.failing = True
        first.mark(0, 0)
        first.mark(1, 1)
        await room.fence()  # by then the store has failed
        store.failing = False
        assert await second.ints(3) == (4, 0, 0)
        assert await second.rest() == (2,)
