"""Runs a Prosody of our own on loopback: configured, started, watched, and gone when we are."""

import asyncio
import contextlib
import ctypes
import logging
import os
import random
import re
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from parlour.cli._prosody_program import (
    NoProsodyError,
    Program,
    find_program,
    lua_string,
)
from parlour.cli._repeats import SHOWN, Repeats
from parlour.wire import clean

log = logging.getLogger("parlour.prosody")

READY = {"c2s", "component", "http"}  # the doors that must be open
GET_READY = 20.0  # seconds; it takes a tenth of one on an idle machine
GOODBYE = 1.5  # seconds between SIGTERM and SIGKILL
FIRST_WAIT = 0.5  # seconds until it is started again, doubled each time
LONGEST_WAIT = 5.0  # nobody plays meanwhile, and it is ours alone
STEADY = 60.0  # seconds it must have run for the waits to start anew
PR_SET_PDEATHSIG = 1  # prctl(2)
# Lines of its log: who says it, the level, a tab, and what may quote a stranger.
OPENED = re.compile(r"portmanager +\w+\tActivated service '(\w+)' on (\[|no)")
PROBLEM = re.compile(r"(\S+) +(?:warn|error)\t(.*)")


class Hosts(Struct, frozen=True):
    """The names under which people log in and games are found, and the loopback ports."""

    games: str
    clients: int
    web: int
    components: int
    secret: str

    @property
    def accounts(self) -> str:
        """Where people have names: `example.org` for `games.example.org`."""
        return self.games.partition(".")[2] or "localhost"

    @property
    def guests(self) -> str:
        """Where anybody logs in without one."""
        return f"anonymous.{self.accounts}"


class ManagedProsody:
    """One child process, started again when it dies."""

    def __init__(
        self, folder: Path, hosts: Hosts, opened: Callable[[Hosts], None] = lambda _: None
    ) -> None:
        """`opened` is called whenever it is ready, with the port for components of that time."""
        self.folder = folder.resolve()  # Prosody runs in it
        self.hosts = hosts
        self.ready = asyncio.Event()
        self._opened = opened
        self.process: asyncio.subprocess.Process | None = None
        self._last_error = ""
        self._problems = Repeats(log.warning)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> asyncio.Task[None]:
        """Look for a Prosody and keep it running; what is returned ends only if there is none."""
        self._task = asyncio.get_running_loop().create_task(self._stay())
        return self._task

    async def close(self) -> None:
        """End it in an orderly way."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._problems.end()

    async def _stay(self) -> None:
        try:
            program = await find_program(self.folder)
        except (NoProsodyError, OSError) as error:
            log.warning("XMPP is not served: %s", error)
            return
        wait, said = FIRST_WAIT, ""
        while True:
            began = time.monotonic()
            reason = await self._run(program)
            if time.monotonic() - began > STEADY:
                wait, said = FIRST_WAIT, ""
            if reason != said:
                log.warning("Prosody %s; starting it again", reason)
                said = reason
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            # Ours to choose: somebody else may have the last one now.
            self.hosts = replace(self.hosts, components=free_port())

    async def _run(self, program: Program) -> str:
        """Why it came to its end."""
        self._last_error = ""
        try:
            config = self._configure()
            process = await asyncio.create_subprocess_exec(
                *program.command,
                *("-F", "--config", str(config)),
                cwd=self.folder,
                env=os.environ | program.environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,  # a Ctrl-C is for us; we end it in our order
                preexec_fn=_dies_with(os.getpid()),
            )
        except OSError as error:
            return f"cannot be started ({error.strerror or error})"
        self.process = process
        try:
            watch = asyncio.get_running_loop().call_later(GET_READY, self._kill_unready)
            await self._read(process)
            watch.cancel()
            with contextlib.suppress(TimeoutError):  # asyncio is to hear first that it is dead
                await asyncio.wait_for(process.wait(), GOODBYE)
            await _end(process)
            if self._last_error:
                return f"says: {clean(self._last_error, SHOWN)}"
            return f"ended with status {process.returncode}"
        finally:
            self.ready.clear()
            await _end(process)
            self.process = None

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Follow its log until it ends: what is ready, and what goes wrong."""
        assert process.stdout is not None
        waited = set(READY)
        while line := await _line(process.stdout):
            opened = OPENED.match(line)
            if opened is not None and opened[2] == "[":
                waited.discard(opened[1])
                if not waited and not self.ready.is_set():
                    self.ready.set()
                    self._opened(self.hosts)
            elif opened is not None and opened[1] in READY:
                self._kill_unready()
            elif problem := PROBLEM.match(line):
                self._last_error = problem[2].strip()
                self._problems.hear(f"{problem[1]}: {self._last_error}", time.monotonic())

    def _kill_unready(self) -> None:
        if not self.ready.is_set() and self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    def _configure(self) -> Path:
        """Write the configuration, which has the secret, so that only we can read it."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # accounts are kept in it
        (self.folder / "data/certs").mkdir(parents=True, exist_ok=True)
        (self.folder / "certs").mkdir(exist_ok=True)
        path = self.folder / "prosody.cfg.lua"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(configuration(self.folder, self.hosts))
        return path


def configuration(folder: Path, hosts: Hosts) -> str:
    """What Prosody is told: loopback only, so without TLS; guests, accounts, and our component."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return f"""-- Written by parlour at every start.
run_as_root = {str(as_root).lower()}
daemonize = false
data_path = {lua_string(str(folder / "data"))}
log = {{ {{ levels = {{ min = "info" }}, to = "console" }} }}

interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {hosts.clients} }}
component_ports = {{ {hosts.components} }}
component_interfaces = {{ "127.0.0.1" }}
http_ports = {{ {hosts.web} }}
http_interfaces = {{ "127.0.0.1" }}
https_ports = {{ }}
http_default_host = {lua_string(hosts.accounts)}
c2s_require_encryption = false
-- A turn is two stanzas: the second must not wait until the client has acknowledged the first.
network_settings = {{ nagle = false }}
consider_bosh_secure = true
consider_websocket_secure = true

modules_enabled = {{ "bosh"; "disco"; "limits"; "ping"; "posix"; "register"; "roster"; "saslauth";
    "smacks"; "websocket";
}}
modules_disabled = {{ "s2s"; "tls"; }}
-- Whoever sends as fast as they can keeps Prosody from reading what the component says to all.
limits = {{ c2s = {{ rate = "100kb/s" }} }}

VirtualHost {lua_string(hosts.accounts)}
    authentication = "internal_hashed"
    allow_registration = true

VirtualHost {lua_string(hosts.guests)}
    authentication = "anonymous"

Component {lua_string(hosts.games)}
    component_secret = {lua_string(hosts.secret)}
"""


def free_port() -> int:
    """A loopback port that nobody has just now.

    Below those that the system gives to anybody who asks for any: those for clients are to be free
    again when Prosody is started again.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        # Not by `create_server`: it takes what doors of ours have taken but do not listen at yet.
        with contextlib.suppress(OSError), socket.socket() as bound:
            bound.bind(("127.0.0.1", port))
            return port


def _dies_with(parent: int) -> Callable[[], None] | None:
    """What the child does between fork and exec, so that it ends with us however we end.

    It would survive our SIGKILL otherwise, and hold the ports.
    """
    if sys.platform != "linux":
        return None
    prctl, ppid, leave = ctypes.CDLL(None).prctl, os.getppid, os._exit

    def before_exec() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # a stopped one would not hear SIGTERM
        if ppid() != parent:  # we were gone before the child had asked
            leave(1)

    return before_exec


async def _line(stream: asyncio.StreamReader) -> str:
    """The next line; one that is too long is skipped."""
    while True:
        try:
            return (await stream.readline()).decode(errors="replace")
        except ValueError:
            continue


async def _end(process: asyncio.subprocess.Process) -> None:
    """SIGTERM, and SIGKILL when that does not help."""
    for by in (process.terminate, process.kill):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                by()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), GOODBYE)
