"""What a server needs and how fast it answers, minute by minute."""

import asyncio
import os
import statistics
from collections.abc import Sequence

from msgspec import Struct

from benchmarks.processes import Running, processor
from benchmarks.torture.house import House
from benchmarks.torture.players import World

FIRST = 5  # the minute that later ones are compared with: by then everything has been used once
GROWTH = 0.05  # that much more memory in the end is well


class Sample(Struct, frozen=True):
    """The server after `minute` minutes. Shares are of one core, in the minute before."""

    minute: float
    moves: int
    p50_ms: float
    p99_ms: float
    memory_mib: float
    files: int
    server_share: float
    clients_share: float


async def sample(world: World, house: House, every: float, into: list[Sample]) -> None:
    """Take a sample every so many seconds, for ever."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    spent = 0.0, 0.0
    while True:
        before = loop.time()
        world.waits.clear()
        await asyncio.sleep(every)
        server = house.running
        assert server is not None
        passed = loop.time() - before
        now = server.processor(), processor(os.getpid())
        into.append(
            Sample(
                minute=round((loop.time() - began) / 60, 2),
                moves=len(world.waits),
                p50_ms=_percentile(world.waits, 50),
                p99_ms=_percentile(world.waits, 99),
                memory_mib=_memory(server),
                files=server.files(),
                server_share=round((now[0] - spent[0]) / passed, 3),
                clients_share=round((now[1] - spent[1]) / passed, 3),
            )
        )
        spent = now
        print(shown(into[-1]), flush=True)


def shown(one: Sample) -> str:
    """A sample as a line."""
    return (
        f"minute {one.minute:6.2f}: {one.moves:6} moves, p50 {one.p50_ms:7.2f} ms,"
        f" p99 {one.p99_ms:7.2f} ms, {one.memory_mib:7.1f} MiB, {one.files:4} files,"
        f" {one.server_share:5.1%} and {one.clients_share:5.1%} of a core"
    )


def growth(samples: Sequence[Sample]) -> float | None:
    """How much more memory the last five minutes needed than minute five; None: too short."""
    first = next((one for one in samples if one.minute >= FIRST), None)
    if first is None or samples[-1].minute < 2 * FIRST:
        return None
    last = [one.memory_mib for one in samples if one.minute > samples[-1].minute - FIRST]
    return statistics.mean(last) / first.memory_mib - 1


def _memory(server: Running) -> float:
    return round(server.memory() / 2**20, 2)


def _percentile(seconds: Sequence[float], percent: int) -> float:
    if not seconds:
        return 0.0
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) * percent // 100, len(ordered) - 1)], 2)
