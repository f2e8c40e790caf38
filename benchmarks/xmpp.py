"""Rooms over XMPP: turns, latency and processor time through real servers, beside a bare sender."""

import contextlib
import selectors
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from benchmarks import xmpp_turns
from benchmarks.figures import Figure
from benchmarks.processes import BenchError, Running, processor, running
from benchmarks.xmpp_people import Person, Table
from tests.interop.xmpp.servers import GAMES, SECRET, Ejabberd, Prosody, XmppServer

OCCUPANTS = (2, 10, 50)
PEOPLE = 400  # in all rooms together: fewer wait for each other, and the server for them
HELD = 5_000  # rooms of two
WARM = 0.5  # seconds of play before anything is counted
LIMITS = "stanzas = 1000000\nstanzas_at_once = 1000000\nrooms = 100000\nall_rooms = 100000\n"
NO_OTHERS = ("--textbook", "off", "--nedap", "off", "--ruc", "off", "--web", "off")


class Round(Struct, frozen=True):
    """What one round has shown."""

    turns: float  # a second, in all rooms
    median: float  # ms from a turn to its state
    worst: float  # the same, that 1 % exceed
    component: float  # of a core
    server: float
    presence: float  # microseconds of the component's processor for each presence it sends


@contextlib.contextmanager
def parlour(server: XmppServer) -> Iterator[Running]:
    """Our rooms behind the server, without the limits on one person."""
    with TemporaryDirectory(prefix="parlour-bench-") as folder:
        secret, config = Path(folder) / "secret", Path(folder) / "parlour.toml"
        secret.write_text(SECRET)
        config.write_text(f"[limits]\n{LIMITS}")
        command = [sys.executable, "-m", "parlour", "serve", "--config", str(config)]
        command += ["--data", f"{folder}/data", *NO_OTHERS, "--xmpp-domain", GAMES]
        command += ["--xmpp", f"component:127.0.0.1:{server.components}"]
        command += ["--xmpp-secret-file", str(secret)]
        with running(command, 1, subprocess.DEVNULL) as ours:
            yield ours


@contextlib.contextmanager
def bare(server: XmppServer) -> Iterator[Running]:
    """The sender that knows no rules."""
    command = [sys.executable, "-m", "benchmarks.xmpp_bare", str(server.components), GAMES, SECRET]
    with running(command, 1, subprocess.DEVNULL) as sender:
        yield sender


def play(server: XmppServer, component: Running, occupants: int, seconds: float) -> Round:
    """As many turns as get through in so many seconds."""
    tables = [Table(server, f"room{n}", occupants) for n in range(PEOPLE // occupants)]
    try:
        return _play(server, component, tables, seconds)
    finally:
        for table in tables:
            table.close()


def _play(server: XmppServer, component: Running, tables: list[Table], seconds: float) -> Round:
    players = [player for table in tables for player in table.players]
    with selectors.DefaultSelector() as selector:
        for player in players:
            selector.register(player.connection, selectors.EVENT_READ, player.goes_on)
        for table in tables:
            for one in table.spectators:
                selector.register(one.connection, selectors.EVENT_READ, one.reads)
        for player in players:
            player.starts()
        _pump(selector, WARM)
        for player in players:
            player.turns, player.spent = 0, []
        assert server.process is not None
        pids = (component.pid, server.process.pid)
        before, began = [processor(pid) for pid in pids], time.perf_counter()
        _pump(selector, seconds)
        spent = [processor(pid) - one for pid, one in zip(pids, before, strict=True)]
        wall = time.perf_counter() - began
    turns = sum(table.players[0].turns for table in tables)
    if not turns:
        raise BenchError("nobody made a turn")
    latencies = statistics.quantiles([one for who in players for one in who.spent], n=100)
    occupants = 2 + len(tables[0].spectators)
    return Round(
        turns=turns / wall,
        median=latencies[49],
        worst=latencies[98],
        component=spent[0] / wall,
        server=spent[1] / wall,
        presence=spent[0] / (turns * occupants) * 1e6,
    )


def _pump(selector: selectors.BaseSelector, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        for key, _ in selector.select(left):
            key.data()


def held(server: XmppServer) -> tuple[float, float]:
    """Rooms of two, all held by one pair: seconds to make them, and kB of memory for each."""
    with parlour(server) as ours:
        owner, guest = Person(server), Person(server)
        before, began = ours.memory(), time.perf_counter()
        for number in range(HELD):
            owner.enters(f"room{number}", "n0")
            owner.hears("created")
            owner.configures(f"room{number}")
            owner.hears(f"c-room{number}")
            guest.enters(f"room{number}", "n1")
            guest.hears("/n1")
        seconds = time.perf_counter() - began
        memory = (ours.memory() - before) / HELD / 1000
        owner.close()
        guest.close()
    return seconds, memory


@contextlib.contextmanager
def servers(kind: type[XmppServer]) -> Iterator[XmppServer]:
    """A server of that kind."""
    if not kind.installed():
        raise BenchError(f"{kind.__name__} is not installed")
    with (
        TemporaryDirectory(prefix="parlour-bench-") as folder,
        kind(Path(folder) / "server") as server,
    ):
        yield server


def measure(rounds: int, seconds: float) -> list[Figure]:
    """Everything, through both servers; the bare sender in the same round as we."""
    figures = [xmpp_turns.measure(rounds, occupants) for occupants in OCCUPANTS]
    for kind in (Prosody, Ejabberd):
        for occupants in OCCUPANTS:
            ours, theirs = [], []
            for _ in range(rounds):
                with servers(kind) as server:
                    with parlour(server) as component:
                        ours.append(play(server, component, occupants, seconds))
                    with bare(server) as component:
                        theirs.append(play(server, component, occupants, seconds))
            figures += _figures(f"{kind.__name__}, rooms of {occupants}", occupants, ours, theirs)
        with servers(kind) as server:
            spent, memory = held(server)
        name = f"{kind.__name__}, {HELD:,} rooms of 2"
        figures.append(Figure(f"{name}, made and entered", "s", [spent]))
        figures.append(Figure(f"{name}, memory for each", "kB", [memory]))
    return figures


def _figures(name: str, occupants: int, ours: list[Round], theirs: list[Round]) -> list[Figure]:
    ratios = [one.turns / other.turns for one, other in zip(ours, theirs, strict=True)]
    most = 20.0 if occupants == max(OCCUPANTS) else None
    return [
        Figure(f"{name}, turns", "/s", [one.turns for one in ours]),
        Figure(f"{name}, of what a bare sender reaches", "", ratios, least=0.8),
        Figure(f"{name}, from a turn to its state, p50", "ms", [one.median for one in ours]),
        Figure(f"{name}, from a turn to its state, p99", "ms", [one.worst for one in ours]),
        Figure(f"{name}, processor of the component", "cores", [one.component for one in ours]),
        Figure(f"{name}, processor of the server", "cores", [one.server for one in ours]),
        Figure(
            f"{name}, processor for each presence", "us", [one.presence for one in ours], most=most
        ),
        Figure(f"{name}, the same of a bare sender", "us", [one.presence for one in theirs]),
    ]
