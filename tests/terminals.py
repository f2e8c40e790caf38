"""Somebody at a terminal: a program that is read line by line and typed to."""

import subprocess
from types import TracebackType
from typing import Self

from tests.cli.servers import SOON


class Terminal:
    """A running program. What it shows is read in order; reading waits for it."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def reads_until(self, wanted: str) -> list[str]:
        """The lines up to the one that begins with `wanted`."""
        assert self.process.stdout is not None
        shown: list[str] = []
        while not shown or not shown[-1].startswith(wanted):
            line = self.process.stdout.readline()
            assert line, (shown, self.process.communicate()[1])
            shown.append(line.rstrip("\n"))
        return shown

    def types(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end(self) -> tuple[int, str, str]:
        """Status, rest of the output and complaints once it has ended, with the terminal open."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        status = self.process.wait(SOON)
        return status, self.process.stdout.read(), self.process.stderr.read()

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
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
