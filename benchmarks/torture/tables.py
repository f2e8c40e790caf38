"""Keeps so many games going: when one has ended, another begins."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

from benchmarks.torture import textbook
from benchmarks.torture.house import MAX_ROUNDS
from benchmarks.torture.nedap import Nedap
from benchmarks.torture.players import Player, World
from benchmarks.torture.ruc import Ruc

SIZES = (5, 7, 9)
Game = Callable[["Tables"], Awaitable[None]]


class Tables:
    """The games of a run; `players` are those who play just now."""

    def __init__(self, world: World, mix: Mapping[str, int]) -> None:
        self.world = world
        self.players: set[Player] = set()
        self.begun: Counter[str] = Counter()
        self.open = True  # whether another game begins when one has ended
        self._kinds = [kind for kind, share in mix.items() for _ in range(share)]

    async def keep(self, games: int) -> None:
        """So many games at once, until the tables are closed and all of them have ended."""
        async with asyncio.TaskGroup() as group:
            for number in range(games):
                group.create_task(self._table(number))

    async def _table(self, number: int) -> None:
        # The first games begin one after the other, or all would end together.
        await asyncio.sleep(self.world.rng.uniform(0, self.world.think * 5))
        while self.open:
            kind = self._kinds[number % len(self._kinds)]
            self.begun[kind] += 1
            await GAMES[kind](self)

    async def play(self, *players: Player) -> None:
        """One game, from the coming of its players to its end."""
        self.players |= set(players)
        try:
            await asyncio.gather(*(player.live() for player in players))
        finally:
            self.players -= set(players)


async def books(tables: Tables) -> None:
    """Two textbook clients."""
    await textbook.pair(tables.world, tables.players)


async def go(tables: Tables) -> None:
    """Two Go clients by name."""
    world = tables.world
    size, one, other = world.rng.choice(SIZES), world.name(), world.name()
    await tables.play(Nedap(world, size, one, other), Nedap(world, size, other, one))


async def star(tables: Tables) -> None:
    """Two to six Chinese checkers clients in a room."""
    world = tables.world
    room, count = world.name(), world.rng.randint(2, 6)
    await tables.play(*(Ruc(world, room, count, MAX_ROUNDS) for _ in range(count)))


GAMES: dict[str, Game] = {"textbook": books, "nedap": go, "ruc": star}
