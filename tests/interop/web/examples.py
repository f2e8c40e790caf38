"""The examples of the page "Connect your own client", run as somebody would run them."""

import os
import select
import shlex
import subprocess
import sys
import time
from types import TracebackType
from typing import Self

from playwright.sync_api import Page

from tests.cli.servers import SOON


class Example:
    """A program that was copied from the page; what is to be typed into it waits in `lines`."""

    def __init__(self, page: Page, protocol: str, **environment: str) -> None:
        text = page.get_by_label(f"Example for {protocol}").inner_text()
        first, *lines = text.splitlines()
        typed = first.startswith(("nc ", "openssl "))
        self.lines = lines if typed else []
        self._heard = ""
        self._process = subprocess.Popen(
            shlex.split(first) if typed else [sys.executable, "-u", "-c", text],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | environment,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def ends(self) -> None:
        """By itself, and in order."""
        assert self._process.wait(SOON) == 0

    def types(self) -> None:
        """The next line."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{self.lines.pop(0)}\n".encode())
        self._process.stdin.flush()

    def hears(self, wanted: str) -> None:
        """Something with these words comes next; what came before is passed over."""
        assert self._process.stdout is not None
        until = time.monotonic() + SOON
        while wanted not in self._heard:
            left = until - time.monotonic()
            ready, _, _ = select.select([self._process.stdout], [], [], max(left, 0))
            piece = os.read(self._process.stdout.fileno(), 65536) if ready else b""
            assert piece, f"never heard {wanted}, but {self._heard}"
            self._heard += piece.decode()
        self._heard = self._heard.partition(wanted)[2]
