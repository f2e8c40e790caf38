"""Starts what is measured: the server, the relay and the load programs, on free ports."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

HERE = Path(__file__).parent
STOPPING = 10  # seconds
LISTENING = re.compile(r"([\w-]+) +127\.0\.0\.1:([0-9]+)")


class BenchError(Exception):
    """Something that is measured with is missing or failed; the message is for the user."""


def cache_folder() -> Path:
    """Where compiled load programs are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "parlour-bench"


def compiled(name: str) -> Path:
    """The load program of `benchmarks/load/NAME.c`, compiled once for each of its versions.

    Raises:
        BenchError: there is no C compiler, or it failed.
    """
    source = HERE / "load" / f"{name}.c"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
    program = cache_folder() / f"{name}-{digest}"
    if program.exists():
        return program
    compiler = shutil.which("cc")
    if compiler is None:
        raise BenchError("needs a C compiler for the load, and finds no cc: install gcc or clang")
    program.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [compiler, "-O2", "-o", f"{program}.new", str(source)], capture_output=True, text=True
    )
    if done.returncode:
        raise BenchError(f"cannot compile {source}: {done.stderr}")
    os.replace(f"{program}.new", program)
    return program


def load(name: str, *arguments: object, within: float = 120) -> dict[str, float]:
    """Run a load program and read the figures that it prints.

    Raises:
        BenchError: it failed, or did not end `within` seconds.
    """
    command = [str(compiled(name)), *map(str, arguments)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=within)
    except subprocess.TimeoutExpired:
        raise BenchError(f"{name} load did not end within {within} s") from None
    if done.returncode:
        raise BenchError(done.stderr.strip() or f"{name} load ended with {done.returncode}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def ports(greeting: str) -> dict[str, int]:
    """The ports in the lines that a server prints when it listens."""
    return {name: int(port) for name, port in LISTENING.findall(greeting)}


class Running:
    """A server that listens on `ports`, by protocol. `started` is how many seconds that took."""

    def __init__(self, process: "subprocess.Popen[str]", wanted: int) -> None:
        begin = time.perf_counter()
        self.pid = process.pid
        self.ports: dict[str, int] = {}
        assert process.stdout is not None
        while len(self.ports) < wanted:
            line = process.stdout.readline()
            if not line:
                raise BenchError("the server ended before it listened")
            self.ports |= ports(line)
        self.started = time.perf_counter() - begin

    def memory(self) -> int:
        """Bytes of memory in use (resident set)."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def files(self) -> int:
        """How many files and connections it has open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def processor(self) -> float:
        """Seconds of processor time so far."""
        return processor(self.pid)


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running(command: list[str], wanted: int, errors: IO[Any] | int) -> Iterator[Running]:
    """Run a server until it is no longer needed."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        try:
            yield Running(process, wanted)
        finally:
            process.terminate()
            try:
                process.wait(STOPPING)
            except subprocess.TimeoutExpired:
                process.kill()


@contextlib.contextmanager
def relay() -> Iterator[Running]:
    """The bare relay."""
    with running([sys.executable, str(HERE / "relay.py")], 1, subprocess.DEVNULL) as server:
        yield server


@contextlib.contextmanager
def parlour(*protocols: str, data: Path | None = None, settings: str = "") -> Iterator[Running]:
    """`parlour serve` with these protocols only, on a log in `data` or on a new one."""
    with TemporaryDirectory(prefix="parlour-bench-") as folder:
        config = Path(folder) / "parlour.toml"
        config.write_text(settings)
        command = [sys.executable, "-m", "parlour", "serve", "--config", str(config)]
        command += ["--data", str(data or Path(folder) / "data")]
        for name in known_protocols():
            command += [f"--{name}", "127.0.0.1:0" if name in protocols else "off"]
        command += ["--xmpp", "off"]
        with running(command, len(protocols), subprocess.DEVNULL) as server:
            yield server


def known_protocols() -> list[str]:
    """What this version of the server can listen for."""
    done = subprocess.run(
        [sys.executable, "-m", "parlour", "serve", "--help"], capture_output=True, text=True
    )
    return re.findall(r"--(\w+) HOST:PORT", done.stdout)
