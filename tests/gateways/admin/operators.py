"""An operator at a terminal, beside a real server and the real clients of its protocols."""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.cli.servers import Server, parlour


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
        done = await asyncio.to_thread(parlour, "admin", "--data", str(self.data), "--json", *words)
        assert done.returncode in (0, 2), done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    async def reads(self, *words: str) -> str:
        """What the command prints for people."""
        done = await asyncio.to_thread(parlour, "admin", "--data", str(self.data), *words)
        assert done.returncode == 0, done.stderr
        return done.stdout

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
