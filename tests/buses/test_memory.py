"""A bell rings at every other host, later, and never at a closed one."""

import asyncio

from parlour.buses import MemoryBus


async def test_a_ring_is_heard_by_the_others_in_a_later_turn() -> None:
    bus = MemoryBus()
    heard: dict[str, list[str]] = {name: [] for name in "abc"}
    bells = {name: bus.connect(heard[name].append) for name in "abc"}
    bells["a"].ring("match-1")
    assert not any(heard.values())
    bells["c"].close()
    bells["c"].ring("match-2")
    await asyncio.sleep(0)
    assert heard["b"][0] == "match-1"
    assert heard["c"] == []
    assert "match-1" not in heard["a"]
