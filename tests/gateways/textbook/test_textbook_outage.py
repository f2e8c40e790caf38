"""A store that fails for a while: nothing that anybody did is forgotten."""

import asyncio
from collections.abc import Sequence

from parlour.host import Done, StoreError, Write
from parlour.stores import MemoryStore
from tests.gateways.textbook.peers import table


class BrokenStore(MemoryStore):
    """Fails every append while `broken`, and says how many have failed."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = False
        self.failed = 0

    def append(self, writes: Sequence[Write], done: Done) -> None:
        if not self.broken:
            super().append(writes, done)
            return
        self.failed += 1
        asyncio.get_running_loop().call_soon(done, StoreError("the disk is full"))


async def fails(store: BrokenStore) -> None:
    """Wait until the store has failed at least once."""
    while not store.failed:
        await asyncio.sleep(0)


async def test_who_leaves_during_an_outage_has_left() -> None:
    store = BrokenStore()
    async with table(store=store) as room:
        first, second = await room.pair()
        store.broken = True
        second.reset()
        await fails(store)
        store.broken = False
        assert await first.rest() == (1,)


async def test_a_move_during_an_outage_is_played_when_it_is_over() -> None:
    store = BrokenStore()
    async with table(store=store) as room:
        first, second = await room.pair()
        store.broken = True
        first.mark(1, 2)
        await fails(store)
        store.broken = False
        assert await second.ints(3) == (4, 1, 2)


async def test_of_two_moves_in_an_outage_the_first_is_played_and_the_second_loses() -> None:
    store = BrokenStore()
    async with table(store=store) as room:
        first, second = await room.pair()
        store.broken = True
        first.mark(0, 0)
        first.mark(1, 1)
        await fails(store)
        store.broken = False
        assert await second.ints(3) == (4, 0, 0)
        assert await second.rest() == (2,)
