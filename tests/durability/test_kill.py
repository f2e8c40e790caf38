"""What any client saw confirmed is in the log after SIGKILL, exactly once.

PARLOUR_KILL_ROUNDS sets the number of kills (default 4).
"""

import asyncio
import os
import random
import struct
import time
from pathlib import Path

import pytest

from parlour.cli import GAMES
from parlour.match import Match, MatchAggregate, MovePlayed
from parlour.stores import SqliteStore
from tests.durability.servers import Server

ROUNDS = int(os.environ.get("PARLOUR_KILL_ROUNDS", "4"))
CLIENTS = 40
CONTINUE = 4
Moves = list[tuple[int, int]]


class Client:
    """Plays random games, and notes the moves that the server has confirmed."""

    def __init__(self, port: int, rng: random.Random) -> None:
        self.port = port
        self.rng = rng
        self.seen: list[Moves] = []

    async def play(self) -> None:
        """Game after game until the server is gone."""
        try:
            while True:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    await self._game(reader, writer)
                finally:
                    writer.close()
        except (OSError, asyncio.IncompleteReadError):
            return

    async def _game(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        moves: Moves = []
        (role,) = struct.unpack(">i", await reader.readexactly(4))
        if role == 1:
            await reader.readexactly(4)
            self._mark(writer, moves)
        while struct.unpack(">i", await reader.readexactly(4)) == (CONTINUE,):
            moves.append(struct.unpack(">ii", await reader.readexactly(8)))
            self.seen.append(list(moves))  # my own earlier move is confirmed by the answer to it
            self._mark(writer, moves)

    def _mark(self, writer: asyncio.StreamWriter, moves: Moves) -> None:
        free = [(row, column) for row in range(3) for column in range(3)]
        move = self.rng.choice([cell for cell in free if cell not in moves])
        moves.append(move)
        writer.write(struct.pack(">ii", *move))


async def recorded(data: Path) -> list[Moves]:
    """The moves of every match in the log; folding them holds them to the rules."""
    store, aggregate = SqliteStore(data / "log.sqlite3"), MatchAggregate(GAMES)
    states: dict[str, Match] = {}
    games: dict[str, Moves] = {}
    async for batch in store.read_all():
        for one in batch:
            event = aggregate.decode(one.data)
            states[one.stream] = aggregate.evolve(states.get(one.stream), event)
            assert states[one.stream].version == one.version
            if isinstance(event, MovePlayed):
                column, row = event.move.split(",")
                games.setdefault(one.stream, []).append((int(row), int(column)))
    await store.close()
    return list(games.values())


@pytest.mark.slow
async def test_confirmed_moves_survive_sigkill(tmp_path: Path) -> None:
    rng = random.Random(7)
    seen: list[Moves] = []
    for _ in range(ROUNDS):
        server = await Server.start(tmp_path)
        clients = [Client(server.port, rng) for _ in range(CLIENTS)]
        games = [asyncio.create_task(client.play()) for client in clients]
        await asyncio.wait(games, timeout=rng.uniform(0.3, 1.0))
        await server.kill()
        await asyncio.wait_for(asyncio.gather(*games), 10)
        seen += [moves for client in clients for moves in client.seen]

    prefixes = {tuple(game[:n]) for game in await recorded(tmp_path) for n in range(1, 10)}
    assert len(seen) > 50 * ROUNDS
    assert [moves for moves in seen if tuple(moves) not in prefixes] == []


@pytest.mark.slow
async def test_sigterm_ends_within_five_seconds_with_connections_open(tmp_path: Path) -> None:
    server = await Server.start(tmp_path)
    pairs = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(10)]
    for reader, _ in pairs:
        await reader.readexactly(4)
    begin = time.monotonic()
    assert await server.terminate() == 0
    assert time.monotonic() - begin < 5
    for _, writer in pairs:
        writer.close()
