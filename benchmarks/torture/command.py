"""The torture as a command: how long, how many kills, and what is kept of it."""

import argparse
import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.torture.proof import Verdict, examine, report
from benchmarks.torture.run import Done, Plan, run

MIX = {"textbook": 1, "nedap": 1, "ruc": 1}
KILLING = 0.5  # seconds between the start of the server and the next kill, when kills are counted
KILL_GAMES = 24
GAMES = 200


def plan(options: argparse.Namespace) -> Plan:
    """What the command line asks for."""
    if options.kills:
        return Plan(
            games=options.games or KILL_GAMES,
            mix=MIX,
            think=0.05,
            kills=options.kills,
            kill_every=KILLING,
            fault_every=0.3,
            stranger_every=2,
            seed=options.seed,
        )
    return Plan(
        games=options.games or GAMES,
        mix=MIX,
        seconds=options.minutes * 60,
        think=3,
        kill_every=30,
        fault_every=1,
        stranger_every=2,
        seed=options.seed,
    )


def torture(options: argparse.Namespace) -> tuple[dict[str, object], bool]:
    """Do it, print the verdict, and return what is to be recorded, and whether all is well.

    Raises:
        BenchError: the server did not start or end.
    """
    what = plan(options)
    with _folder(options.keep) as folder:
        done = asyncio.run(run(what, folder))
        verdict = examine(folder)
    print(report(verdict))
    return _recorded(what, done, verdict), not verdict.problems


def _recorded(what: Plan, done: Done, verdict: Verdict) -> dict[str, object]:
    record: dict[str, object] = msgspec.to_builtins(what)
    starts = sorted(done.starts)
    record |= msgspec.to_builtins(verdict)
    record |= {"begun": done.begun, "start_seconds_median": starts[len(starts) // 2]}
    return record


@contextlib.contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """Where notes and log go: a folder that stays, or one that is gone afterwards."""
    if keep is not None:
        keep.mkdir(parents=True)
        yield keep
        return
    folder = Path(tempfile.mkdtemp(prefix="parlour-torture-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
