"""The server that is tortured: a real process on fixed ports, killed and started again."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from benchmarks.processes import BenchError, Running
from benchmarks.torture.notes import Killed, Notebook, Started, now
from tests.interop.xmpp.servers import free_ports

TLS = Path(__file__).parents[2] / "tests" / "data" / "tls"
CERTIFICATE, KEY = TLS / "one.crt", TLS / "one.key"
PROTOCOLS = ("textbook", "nedap", "ruc", "web")
DOORS = (*PROTOCOLS, *(f"{name}-tls" for name in PROTOCOLS))
STOPPING = 20.0  # seconds
MAX_ROUNDS = 6  # of Chinese checkers: a game of random moves does not end otherwise
TURN_LIMIT = 120  # seconds; nobody is stalled so long, on a busy machine either
ABSENCE = 60  # seconds that a seat is kept, after a restart too
# The players come from this machine's own address, strangers from others of it: those must meet
# the limits of an address, and with few of them around the limits must be low for that.
CONFIG = f"""
reclaim = {ABSENCE}

[textbook]
turn_limit = {TURN_LIMIT}

[nedap]
turn_limit = {TURN_LIMIT}
grace = {ABSENCE}

[ruc]
turn_limit = {TURN_LIMIT}
grace = {ABSENCE}
max_rounds = {MAX_ROUNDS}

[web]
grace = {ABSENCE}

[limits]
exempt = ["127.0.0.1"]
proxies = []
arrivals = 10
arrivals_at_once = 20
strangers = 1
strangers_at_once = 10
handshakes = 5
handshakes_at_once = 5

[xmpp]
server = "{{xmpp}}"
clients = {{clients}}
http = {{http}}
"""


class House:
    """`parlour serve` on a data directory of its own."""

    def __init__(self, folder: Path, notebook: Notebook, xmpp: bool) -> None:
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.notebook = notebook
        self.kills = 0
        self.running: Running | None = None
        self.starts: list[float] = []  # seconds from the command to listening, and recovered
        self._process: subprocess.Popen[str] | None = None
        self._config = folder / "parlour.toml"
        ports = free_ports(len(DOORS) + 2)
        self.ports = dict(zip(DOORS, ports, strict=False)) | {"xmpp": ports[-1]}
        where = {"xmpp": "managed" if xmpp else "off", "clients": ports[-1], "http": ports[-2]}
        self._config.write_text(CONFIG.format(**where))

    async def start(self) -> None:
        """Start it, and return when it listens.

        Raises:
            BenchError: it ended instead.
        """
        command = [sys.executable, "-m", "parlour", "serve", "--config", str(self._config)]
        command += ["--data", str(self.data)]
        command += ["--tls-cert", str(CERTIFICATE), "--tls-key", str(KEY)]
        for name in DOORS:
            command += [f"--{name}", f"127.0.0.1:{self.ports[name]}"]
        with self.log.open("ab") as errors:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True
            )
        self.running = await asyncio.to_thread(Running, self._process, len(DOORS))
        self.starts.append(self.running.started)
        self.notebook.write(Started(now(), "server"))

    async def kill(self) -> None:
        """SIGKILL, and back again."""
        self.notebook.write(Killed(now(), "server"))
        await self._end(signal.SIGKILL)
        self.kills += 1
        await self.start()

    async def stop(self) -> None:
        """SIGTERM.

        Raises:
            BenchError: it did not end in good order.
        """
        if await self._end(signal.SIGTERM) != 0:
            raise BenchError(f"the server did not end in good order: see {self.log}")

    async def _end(self, by: signal.Signals) -> int:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        process.send_signal(by)
        try:
            return await asyncio.to_thread(process.wait, STOPPING)
        except subprocess.TimeoutExpired:
            raise BenchError(f"the server does not end: see {self.log}") from None
        finally:
            process.stdout.close()

    async def kill_xmpp(self) -> None:
        """SIGKILL to the XMPP server, which the server is to start again."""
        assert self._process is not None
        for child in children(self._process.pid):
            self.notebook.write(Killed(now(), "xmpp"))
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    def leave(self) -> None:
        """Nothing of ours goes on running."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
