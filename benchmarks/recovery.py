"""A server that starts on a log of ten thousand live matches of sixty moves."""

import asyncio
import socket
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.processes import parlour
from parlour.cli import GAMES
from parlour.host import StoreError, Write
from parlour.match import CreateMatch, Event, MatchAggregate, Newcomer, PlayMove, Terms
from parlour.stores import SqliteStore

MATCHES = 10_000
MOVES = 60
ASKED = 20  # matches whose first answer is timed
TOGETHER = 500


def events_of(aggregate: MatchAggregate, number: int, now: int) -> list[Event]:
    """A live match between `pa...` and `qa...`, as the Nedap gateway would have recorded it."""
    terms = Terms(grace=30_000, ready=True, reclaims=True)
    names = [side + letters(number) for side in "pq"]
    newcomers = tuple(Newcomer(f"nedap:{name} 127.0.0.1", name, terms) for name in names)
    events = aggregate.decide(None, CreateMatch("go", {"size": 19}, newcomers), now)
    match = None
    for event in events:
        match = aggregate.evolve(match, event)
    for ply in range(MOVES):
        x, y = ply // 2 % 19, 4 * (ply // 38) + 2 * (ply % 2)
        by = newcomers[ply % 2].identity
        for event in aggregate.decide(match, PlayMove(by, f"{x},{y}"), now):
            match = aggregate.evolve(match, event)
            events.append(event)
    return events


def letters(number: int) -> str:
    """Four small letters for each number."""
    return "".join(chr(ord("a") + number // 26**place % 26) for place in range(4))


async def write_log(path: Path, matches: int) -> None:
    """Fill a new log with live matches."""
    path.parent.mkdir(parents=True)
    store = SqliteStore(path)
    aggregate = MatchAggregate(GAMES)
    now = time.time_ns() // 1_000_000
    for first in range(0, matches, TOGETHER):
        writes = []
        for number in range(first, min(first + TOGETHER, matches)):
            data = [aggregate.encode(event) for event in events_of(aggregate, number, now)]
            writes.append(Write(f"match-{number:012d}", 0, data))
        done: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
        store.append(writes, done.set_result)
        error = await done
        if error is not None:
            raise error
    await store.close()


def first_answer(port: int, number: int) -> float:
    """Milliseconds from a player's return until the first line about the game comes."""
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        begin = time.perf_counter()
        connection.sendall(f"PLAYER p{letters(number)}\n".encode())
        connection.recv(65536)
        return (time.perf_counter() - begin) * 1000


def measure(rounds: int, matches: int = MATCHES) -> list[Figure]:
    """Seconds until it listens, and until any of the matches has answered."""
    started, slowest = [], []
    for _ in range(rounds):
        with TemporaryDirectory(prefix="parlour-bench-") as folder:
            data = Path(folder) / "data"
            asyncio.run(write_log(data / "log.sqlite3", matches))
            with parlour("nedap", data=data) as server:
                started.append(server.started)
                step = max(matches // ASKED, 1)
                port = server.ports["nedap"]
                slowest.append(max(first_answer(port, one) for one in range(0, matches, step)))
    name = f"recovery of {matches:,} live matches of {MOVES} moves"
    return [
        Figure(name, "s", started, most=3),
        Figure(f"{name}, slowest first answer", "ms", slowest, most=50),
    ]
