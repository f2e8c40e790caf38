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
ADDRESSES = (2, 9)  # of strangers, the last number: few, so that each of them comes often
CROWD = 40  # connections of one address at once, twice of what is let in
CROWDED = 0.3  # seconds that a crowd stays
CROWDS = 0.2  # of the strangers are a crowd


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
    if world.rng.random() < CROWDS:
        await crowd(world, house)
        return
    door = world.rng.choice(tuple(house.ports))
    data = world.rng.choice(FOREIGN)
    if door in FLOODS and world.rng.random() < 0.5:
        data = FLOODS[door] * (FLOOD // 10 // len(FLOODS[door]) + 1)
    # Only one at a time may be at the textbook's door: a player could be paired with another.
    waits = world.meeting if door.startswith("textbook") else contextlib.nullcontext()
    async with waits:
        try:
            _, writer = await asyncio.open_connection(
                "127.0.0.1", house.ports[door], local_addr=(_address(world), 0)
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
        if door.startswith("textbook"):
            await asyncio.sleep(0.1)  # until the server has seen that it is gone


def _address(world: World) -> str:
    """One of those whose limits must not hurt the players."""
    return f"127.0.0.{world.rng.randint(*ADDRESSES)}"


async def crowd(world: World, house: House) -> None:
    """One address with more connections at once than are let in, all of them without a login."""
    address = _address(world)
    port = house.ports[world.rng.choice(("nedap", "ruc", "web", "nedap-tls"))]
    came = await asyncio.gather(
        *(
            asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            for _ in range(CROWD)
        ),
        return_exceptions=True,
    )
    await asyncio.sleep(CROWDED)
    for one in came:
        if isinstance(one, tuple):
            one[1].transport.abort()
