"""The bus within one process; what it shares with every bus is in the contract."""

import asyncio

from parlour.buses import MemoryBus


async def test_rings_are_heard_in_their_order_in_the_next_turn() -> None:
    bus, heard = MemoryBus(), list[str]()
    bell = bus.connect(list[str]().append)
    bus.connect(heard.append)
    names = [f"match-{number}" for number in range(100)]
    for name in names:
        bell.ring(name)
    await asyncio.sleep(0)
    assert heard == names
