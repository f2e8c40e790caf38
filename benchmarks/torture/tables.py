"""Keeps so many games going: when one has ended, another begins."""

import asyncio
import contextlib
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from benchmarks.torture import textbook
from benchmarks.torture.house import MAX_ROUNDS
from benchmarks.torture.nedap import Nedap
from benchmarks.torture.players import Player, World
from benchmarks.torture.ruc import Ruc
from benchmarks.torture.web import Guest

SIZES = (5, 7, 9)
MEETING = 5.0  # seconds that the one or the other may take to find the table
Game = Callable[["Tables"], Awaitable[None]]


class Tables:
    """The games of a run; `players` are those who play just now."""

    def __init__(self, world: World, mix: Mapping[str, int]) -> None:
        self.world = world
        self.players: set[Player] = set()
        self.attempts: Counter[str] = Counter()
        self.going: Counter[str] = Counter()  # kinds of games that have not come to an end
        self.failures: list[str] = []
        self.open = True  # whether another game begins when one has ended
        self.peace = asyncio.Event()  # nothing is done to the last games
        self._mix = mix
        turns = range(max(mix.values()))
        self._kinds = [kind for turn in turns for kind, share in mix.items() if turn < share]

    async def keep(self, games: int) -> None:
        """So many games at once, until the tables are closed and all of them have ended.

        One of each kind follows in peace: whatever has been done, it must be possible again.
        """
        async with asyncio.TaskGroup() as group:
            for number in range(games):
                group.create_task(self._table(number))
        await self.peace.wait()
        async with asyncio.TaskGroup() as group:
            for kind in self._mix:
                group.create_task(self._game(kind))

    async def _table(self, number: int) -> None:
        # The first games begin one after the other, or all would end together.
        await asyncio.sleep(self.world.rng.uniform(0, self.world.think * 5))
        while self.open:
            await self._game(self._kinds[number % len(self._kinds)])

    async def _game(self, kind: str) -> None:
        self.attempts[kind] += 1
        self.going[kind] += 1
        try:
            await GAMES[kind](self)
        except Exception:  # a mistake of ours must not end a run of an hour, nor be hidden
            self.failures.append(traceback.format_exc())
        finally:
            self.going[kind] -= 1

    async def play(self, *players: Player) -> None:
        """One game, from the coming of its players to its end."""
        await self.watch([player.live() for player in players], *players)

    async def watch(self, lives: Sequence[Awaitable[None]], *players: Player) -> None:
        """The same for players whose lives may have begun."""
        self.players |= set(players)
        try:
            await asyncio.gather(*lives)
        finally:
            self.players -= set(players)


async def books(tables: Tables) -> None:
    """Two textbook clients."""
    world = tables.world
    first, second = textbook.Textbook(world), textbook.Textbook(world)
    lives = await textbook.meet(world, first, second)
    await tables.watch(lives, first, second)


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


async def browsers(tables: Tables) -> None:
    """Browsers among themselves, at a table that one of them opens."""
    world = tables.world
    game = world.rng.choice(("go", "tictactoe", "chinese_checkers"))
    options: dict[str, Any] = {}
    count = 2
    if game == "go":
        options = {"size": world.rng.choice(SIZES)}
    elif game == "chinese_checkers":
        count = world.rng.randint(2, 6)
        options = {"players": count, "max_rounds": MAX_ROUNDS}
    host = Guest(world)
    # Hidden, or a textbook client would be given the second seat.
    await host.open(game, options, visibility="hidden")
    await tables.play(host, *(Guest(world, host.match) for _ in range(count - 1)))


async def browser_and_book(tables: Tables) -> None:
    """A browser opens a table; the next textbook client is given the other seat."""
    world = tables.world
    host = Guest(world)
    await _sit_down(tables, host, textbook.Textbook(world), lambda: host.open("tictactoe", {}))


async def _sit_down(
    tables: Tables,
    host: Player,
    book: textbook.Textbook,
    prepare: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """The host first, and only then the textbook client, who could be given another seat."""
    world = tables.world
    async with world.meeting:
        if prepare is not None:
            await prepare()
        lives = [asyncio.create_task(host.live())]
        await _soon(host.seated)
        lives.append(asyncio.create_task(book.live()))
        await _soon(book.met)
        if not book.begun:
            host.give_up()
            book.give_up()
            await _soon(book.met)
        await asyncio.sleep(textbook.APART)
    await tables.watch(lives, host, book)


async def _soon(event: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), MEETING)


async def browser_and_go(tables: Tables) -> None:
    """A browser and a Go client find each other in the lobby."""
    world = tables.world
    size = world.rng.choice(SIZES)
    guest = Guest(world, wish={"game": "go", "options": {"size": size}})
    other = Nedap(world, size)
    async with world.seeking:  # both take anybody: two guests would find each other
        lives = [asyncio.create_task(other.live())]
        await _soon(other.seated)
        lives.append(asyncio.create_task(guest.live()))
        await _soon(guest.seated)
    await tables.watch(lives, guest, other)


async def browser_and_star(tables: Tables) -> None:
    """A browser opens a room, and Chinese checkers clients join it."""
    world = tables.world
    room, count = world.name(), world.rng.randint(2, 6)
    host = Guest(world)
    await host.open("chinese_checkers", {"players": count, "max_rounds": MAX_ROUNDS}, room=room)
    others = [Ruc(world, room, count, MAX_ROUNDS) for _ in range(count - 1)]
    await tables.play(host, *others)


async def occupants(tables: Tables) -> None:
    """Two XMPP clients in a room."""
    from benchmarks.torture.mug import Occupant  # stands on slixmpp

    world = tables.world
    room = world.name()
    await tables.play(*(Occupant(world, room, role, public=False) for role in ("x", "o")))


async def occupant_and_book(tables: Tables) -> None:
    """An XMPP client makes a room; the next textbook client is given the free role."""
    from benchmarks.torture.mug import Occupant

    host = Occupant(tables.world, tables.world.name(), "x", public=True)
    book = textbook.Textbook(tables.world)
    await _sit_down(tables, host, book)


GAMES: dict[str, Game] = {
    "textbook": books,
    "nedap": go,
    "ruc": star,
    "web": browsers,
    "web with textbook": browser_and_book,
    "web with nedap": browser_and_go,
    "web with ruc": browser_and_star,
    "mug": occupants,
    "mug with textbook": occupant_and_book,
}
