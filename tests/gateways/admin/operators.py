"""An operator at a terminal, beside a real server and the real clients of its protocols."""

import asyncio
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from parlour.cli import main
from tests.cli.servers import Server


class Operator:
    """Types `parlour admin` for the server of a data directory."""

    def __init__(self, data: Path) -> None:
        self.data = data

    async def does(self, *words: str) -> dict[str, Any]:
        """The answer to an act that is carried out."""
        answer = await self.asks(*words)
        assert answer["ok"], answer
        return answer

    async def asks(self, *words: str) -> dict[str, Any]:
        """The answer, whatever it is."""
        answer: dict[str, Any] = json.loads(await self.reads("--json", *words))
        return answer

    async def reads(self, *words: str) -> str:
        """What the command prints for people."""
        # Not in a process of its own: most of its time is its start.
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            await asyncio.to_thread(main, ["admin", "--data", str(self.data), *words])
        assert printed.getvalue(), words
        return printed.getvalue()

    async def connections(self, protocol: str) -> list[dict[str, Any]]:
        """Who is there over a protocol."""
        here = (await self.does("connections"))["connections"]
        return [one for one in here if one["protocol"] == protocol]

    async def acts(self) -> list[str]:
        """The kinds of acts so far, in order."""
        return [act["type"] for act in (await self.does("history"))["acts"]]


class House(Server):
    """A server with an operator."""

    def __init__(self, data: Path, *doors: str) -> None:
        super().__init__(data, doors=doors)
        self.operator = Operator(data)
