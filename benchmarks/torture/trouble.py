"""What a torture does: to the server, to its clients, and as a stranger at every door."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any

from benchmarks.torture.house import House
from benchmarks.torture.players import World
from benchmarks.torture.tables import Tables

FAULTS = ("cut", "reset", "stall", "throttle", "flood")
FOREIGN = (
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
    b"\xff\xfe\x00\n" * 100,
    b"A" * 70_000 + b"\nTABLEFLIP\n",
    b"",
)
FLOODS = {
    "nedap": b"PLAYER mallory\n" + b"CHAT hello hello hello\nGO 6\nMOVE 1 1\nFOO\n",
    "ruc": b'{"op":200000,"data1":"flood","data2":"mallory"}\n[]\n{"op":200007}\n',
    "web": b"GET /api/matches?limit=200 HTTP/1.1\r\nHost: x\r\n\r\n",
}
STRANGER = 3.0  # seconds that a stranger stays
FLOOD = 65_536  # bytes a second of one stranger


async def for_ever(
    world: World, seconds: float, do: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """Do it again and again, `seconds` apart in the mean, until it is calm."""
    while not world.calm:
        await asyncio.sleep(world.rng.uniform(0.5, 1.5) * seconds)
        if not world.calm:
            await do()


def hurt(tables: Tables) -> None:
    """One fault to one of the clients."""
    begun = [one for one in tables.players if one.begun]
    if begun:
        tables.world.rng.choice(begun).suffer(tables.world.rng.choice(FAULTS))


async def stranger(world: World, house: House) -> None:
    """Somebody who speaks no protocol, or one of them far too much, and reads nothing."""
    door = world.rng.choice(tuple(house.ports))
    data = world.rng.choice(FOREIGN)
    if door in FLOODS and world.rng.random() < 0.5:
        data = FLOODS[door] * (FLOOD // 10 // len(FLOODS[door]) + 1)
    host = world.rng.randint(2, 250)  # what is limited for an address must not hurt the others
    # Only one at a time may be at the textbook's door: a player could be paired with another.
    waits = world.meeting if door == "textbook" else contextlib.nullcontext()
    async with waits:
        try:
            _, writer = await asyncio.open_connection(
                "127.0.0.1", house.ports[door], local_addr=(f"127.0.0.{host}", 0)
            )
        except OSError:
            return
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(STRANGER):
                while True:
                    writer.write(data)
                    await writer.drain()
                    await asyncio.sleep(0.1)
                    if len(data) < 1000:
                        break
        writer.transport.abort()
        if door == "textbook":
            await asyncio.sleep(0.1)  # until the server has seen that it is gone
