"""Real processes of `parlour serve` and the other commands."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from parlour.cli._config import PROTOCOLS

SOON = 20.0  # seconds in which a process has started or ended; a busy machine takes a few
COMMAND = (sys.executable, "-m", "parlour")
DOORS = PROTOCOLS


def free_port() -> int:
    """A loopback port that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def taken_port() -> Iterator[int]:
    """A loopback port that somebody else listens on."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def parlour(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=SOON, check=False
    )


class Server:
    """A running server; `greeting` is what it printed once it listened."""

    def __init__(
        self,
        data: Path,
        *options: str,
        doors: tuple[str, ...] = DOORS,
        before: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        where = dict.fromkeys(doors, "127.0.0.1:0")
        listen = [
            word
            for name in dict.fromkeys((*DOORS, *doors))
            for word in (f"--{name}", where.get(name, "off"))
        ]
        self.process = subprocess.Popen(
            [*before, *COMMAND, "serve", "--data", str(data), *listen, "--xmpp", "off", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.greeting = self._read_greeting(1 + len(doors))
        self.ports = {
            name: int(at.rpartition(":")[2]) for name, at in addresses(self.greeting).items()
        }

    def _read_greeting(self, count: int) -> list[str]:
        assert self.process.stdout is not None
        lines = []
        for _ in range(count):
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"the server ended: {self.process.communicate()[1]}")
            lines.append(line.rstrip("\n"))
        return lines

    def connect(self, door: str = "textbook") -> socket.socket:
        """A connection to one of the protocols."""
        return socket.create_connection(("127.0.0.1", self.ports[door]), SOON)

    def stop(self, by: signal.Signals = signal.SIGTERM, within: float = SOON) -> tuple[int, str]:
        """The exit status and everything on standard error."""
        self.process.send_signal(by)
        _, said = self.process.communicate(timeout=within)
        return self.process.returncode, said

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def addresses(greeting: list[str]) -> dict[str, str]:
    """The address after each protocol's name."""
    found = (re.match(r"([\w-]+) +(\S+) +try: ", line) for line in greeting)
    return {match[1]: match[2] for match in found if match is not None}
