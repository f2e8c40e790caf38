"""Runs a torture or a soak from the first start of the server to the verdict."""

import asyncio
import random
import signal
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from benchmarks.torture.house import ABSENCE, TURN_LIMIT, House
from benchmarks.torture.notes import Notebook, Planned, now
from benchmarks.torture.players import World
from benchmarks.torture.samples import Sample, sample
from benchmarks.torture.tables import Tables
from benchmarks.torture.trouble import crowd, for_ever, hurt, stranger

# Seconds in which every game must end when nothing is done any more, those by the limits included.
SETTLING = 2.0 * TURN_LIMIT + ABSENCE
QUICK = 0.1  # seconds for a move then


class Plan(Struct, frozen=True):
    """What is done, to how many games, how long. Times are seconds; 0 is never."""

    games: int
    mix: Mapping[str, int]
    seconds: float = 0
    think: float = 2.0
    kills: int = 0  # the run ends after so many, where it does not end by time
    kill_every: float = 0
    fault_every: float = 0
    stranger_every: float = 0
    xmpp_kill_every: float = 0
    sample_every: float = 0
    xmpp: bool = False
    seed: int = 0


class Done(Struct, frozen=True):
    """What a run was like, apart from the proof."""

    kills: int
    moves: int
    attempts: dict[str, int]  # games that players came for, of each kind
    starts: list[float]
    samples: list[Sample]
    waiting: list[str]  # clients to whom nothing more was said, when all should have ended
    failures: list[str]  # of the tool itself


async def run(plan: Plan, folder: Path) -> Done:
    """Do it; the notes, the server's log and its data are left in `folder`.

    Raises:
        BenchError: the server did not start or end, or the games did not end.
    """
    notebook = Notebook(folder / "notes.jsonl")
    notebook.write(Planned(now(), "run", list(plan.mix), plan.stranger_every > 0))
    house = House(folder, notebook, plan.xmpp)
    world = World(notebook, random.Random(plan.seed), plan.think)
    world.ports = house.ports
    tables = Tables(world, plan.mix)
    samples: list[Sample] = []
    playing = asyncio.create_task(tables.keep(plan.games))
    try:
        await house.start()
        await _while_it_lasts(plan, house, tables, [playing, *_also(plan, house, world, samples)])
        world.calm, tables.open, world.think = True, False, min(QUICK, plan.think)
        if plan.kill_every:
            await house.kill()
        if plan.stranger_every:  # however short the run was
            await crowd(world, house)
        tables.peace.set()
        waiting = await _settle(playing, tables)
        await house.stop()
    finally:
        house.leave()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        notebook.close()
    return Done(
        house.kills,
        world.moves,
        dict(tables.attempts),
        house.starts,
        samples,
        waiting,
        tables.failures,
    )


def _also(
    plan: Plan, house: House, world: World, samples: list[Sample]
) -> list[asyncio.Task[None]]:
    if not plan.sample_every:
        return []
    return [asyncio.create_task(sample(world, house, plan.sample_every, samples))]


async def _while_it_lasts(
    plan: Plan, house: House, tables: Tables, tasks: list[asyncio.Task[None]]
) -> None:
    """Until the time is over, the server was killed often enough, or somebody says stop."""
    world = tables.world

    async def hurting() -> None:
        hurt(tables)

    if plan.fault_every:
        tasks.append(asyncio.create_task(for_ever(world, plan.fault_every, hurting)))
    if plan.stranger_every:
        coming = for_ever(world, plan.stranger_every, lambda: stranger(world, house))
        tasks.append(asyncio.create_task(coming))
    if plan.xmpp_kill_every:
        tasks.append(asyncio.create_task(for_ever(world, plan.xmpp_kill_every, house.kill_xmpp)))
    tasks.append(asyncio.create_task(_kill(plan, house, world)))
    tasks.append(asyncio.create_task(_told_to_stop()))
    try:
        await asyncio.wait(tasks, timeout=plan.seconds or None, return_when="FIRST_COMPLETED")
        for task in tasks:
            if task.done():
                await task
    finally:
        for task in tasks[1:]:
            task.cancel()
        await asyncio.gather(*tasks[1:], return_exceptions=True)


async def _told_to_stop() -> None:
    """Ends at Ctrl-C: what has been done until then is proved all the same."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


async def _kill(plan: Plan, house: House, world: World) -> None:
    """Ends when the server was killed often enough."""
    while plan.kills == 0 or house.kills < plan.kills - 1:
        if not plan.kill_every:
            await asyncio.Event().wait()
        await asyncio.sleep(world.rng.uniform(0.3, 1.7) * plan.kill_every)
        await house.kill()
        if house.kills % 50 == 0:
            print(f"{house.kills} kills, {world.moves} moves", flush=True)


async def _settle(playing: asyncio.Task[None], tables: Tables) -> list[str]:
    """Whatever goes on comes to its end; returns the clients for which it does not."""
    await asyncio.wait([playing], timeout=SETTLING)
    if playing.done():
        await playing
    kinds = [f"a game of {kind}" for kind in tables.going.elements()]
    return sorted([*kinds, *(player.id for player in tables.players)])
