"""How many appends a second the SQLite log makes durable, by how many streams wait at once.

    python -m benchmarks.store [--json FILE]

Each stream appends one event of a move's size as soon as its last one is durable. Numbers are
medians of five rounds, with the lowest and the highest.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from parlour.host import StoreError, Write
from parlour.stores import SqliteStore

STREAMS = (1, 100, 500)
ROUNDS = 5
SECONDS = 1.0
EVENT = b'{"type":"MovePlayed/1","at":1780000000000,"seat":0,"move":"3,4"}'


class Load:
    """Streams that append again and again until time is up."""

    def __init__(self, store: SqliteStore, prefix: str) -> None:
        self.store = store
        self.prefix = prefix
        self.durable = 0
        self.running = 0
        self.ends = 0.0
        self.over = asyncio.get_running_loop().create_future()

    async def run(self, streams: int) -> float:
        """Appends a second."""
        begin = time.perf_counter()
        self.ends = begin + SECONDS
        self.running = streams
        for number in range(streams):
            self._append(f"{self.prefix}-{number}", 0)
        await self.over
        return self.durable / (time.perf_counter() - begin)

    def _append(self, stream: str, version: int) -> None:
        done = partial(self._appended, stream, version)
        self.store.append([Write(stream, version, [EVENT])], done)

    def _appended(self, stream: str, version: int, error: StoreError | None) -> None:
        if error is not None:
            raise error
        self.durable += 1
        if time.perf_counter() < self.ends:
            self._append(stream, version + 1)
            return
        self.running -= 1
        if not self.running:
            self.over.set_result(None)


async def measure(path: Path) -> dict[int, list[float]]:
    """Appends a second of each round, by the number of streams."""
    store = SqliteStore(path)
    rates: dict[int, list[float]] = {streams: [] for streams in STREAMS}
    for number in range(ROUNDS):
        for streams in STREAMS:
            rates[streams].append(await Load(store, f"match-{number}-{streams}").run(streams))
    await store.close()
    return rates


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="measure the SQLite log")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers there")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        rates = asyncio.run(measure(Path(folder) / "log.sqlite3"))
    report = {}
    for streams, found in rates.items():
        low, middle, high = min(found), statistics.median(found), max(found)
        report[f"appends_per_second_{streams}"] = [round(low), round(middle), round(high)]
        print(f"{streams:4} streams: {middle:9,.0f} appends/s ({low:,.0f} to {high:,.0f})")
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
