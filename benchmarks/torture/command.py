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
from benchmarks.torture.samples import GROWTH, growth

MIX = {
    "textbook": 3,
    "nedap": 4,
    "ruc": 4,
    "web": 4,
    "web with textbook": 1,
    "web with nedap": 1,
    "web with ruc": 1,
}
MUG = {"mug": 2, "mug with textbook": 1}
GAMES = 200
THINKING = 4.0  # seconds for a move, which is a third of a core for server and clients
KILL_GAMES = 24
KILL_THINKING = 0.05
KILLING = 0.5  # seconds from one start of the server to the next kill, where kills are counted


def plan(options: argparse.Namespace) -> Plan:
    """What the command line asks for."""
    seconds = options.minutes * 60
    if options.soak:
        return Plan(
            games=options.games or GAMES,
            mix=MIX | _rooms(),
            xmpp=bool(_rooms()),
            seconds=seconds,
            think=THINKING,
            sample_every=min(60.0, seconds / 4),
            seed=options.seed,
        )
    if options.kills:
        # Without rooms: another XMPP server would have to start each time.
        return Plan(
            games=options.games or KILL_GAMES,
            mix=MIX,
            think=KILL_THINKING,
            kills=options.kills,
            kill_every=KILLING,
            fault_every=0.3,
            stranger_every=2,
            seed=options.seed,
        )
    return Plan(
        games=options.games or GAMES,
        mix=MIX | _rooms(),
        xmpp=bool(_rooms()),
        seconds=seconds,
        think=THINKING,
        kill_every=30,
        fault_every=0.5,
        stranger_every=2,
        xmpp_kill_every=200,
        seed=options.seed,
    )


def _rooms() -> dict[str, int]:
    """Rooms of Multi-User Gaming, where there is an XMPP server for them."""
    return MUG if shutil.which("prosody") else {}


def torture(options: argparse.Namespace) -> tuple[dict[str, object], bool]:
    """Do it, print the verdict, and return what is to be recorded, and whether all is well.

    Raises:
        BenchError: the server did not start or end.
    """
    what = plan(options)
    with _folder(options.keep) as folder:
        done = asyncio.run(run(what, folder))
        verdict = examine(folder)
    verdict.problems += done.failures
    for client in done.waiting:
        verdict.blame("stuck", f"{client} waits for ever")
    record = _recorded(what, done, verdict)
    if (more := growth(done.samples)) is not None:
        record["memory_growth"] = round(more, 4)
        if more > GROWTH:
            verdict.problems.append(f"the server needs {more:.1%} more memory than at first")
    print(report(verdict))
    return record, not verdict.problems


def _recorded(what: Plan, done: Done, verdict: Verdict) -> dict[str, object]:
    record: dict[str, object] = msgspec.to_builtins(what)
    starts = sorted(done.starts)
    record |= msgspec.to_builtins(verdict)
    record |= {"attempts": done.attempts, "start_seconds_median": starts[len(starts) // 2]}
    record["samples"] = msgspec.to_builtins(done.samples)
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
