"""XMPP stacks that are not slixmpp, each a node process that takes and gives whole stanzas."""

import asyncio
import contextlib
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from tests.interop.xmpp.servers import GUESTS, HOST, PASSWORD, SOON, XmppServer

FOLDER = Path(__file__).parent / "js"


def install() -> None:
    """The packages of the lock file, unless they are there."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    done, lock = FOLDER / "node_modules/.package-lock.json", FOLDER / "package-lock.json"
    if not done.exists() or done.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=FOLDER, check=True, timeout=300)
        done.touch()


class Stack:
    """One client on another stack."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.jid = ""

    def says(self, stanza: str) -> None:
        """Send a stanza; it is parsed and written anew by the stack."""
        assert self._process.stdin is not None
        one = " ".join(stanza.split()).replace(" ", " xmlns='jabber:client' ", 1)
        self._process.stdin.write(one.encode() + b"\n")

    async def hears(self, matches: Callable[[Element], bool] = lambda _: True) -> Element:
        """The next stanza that matches."""
        async with asyncio.timeout(SOON):
            while True:
                told = await self._next()
                if "stanza" in told:
                    stanza = fromstring(namespaced(told["stanza"]))
                    if matches(stanza):
                        return stanza

    async def online(self) -> None:
        async with asyncio.timeout(SOON):
            while not self.jid:
                self.jid = (await self._next()).get("online", "")

    async def _next(self) -> dict[str, str]:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        assert line, "the client has ended"
        if not line.startswith(b"{"):  # strophe.js says some things by itself
            return {}
        told: dict[str, str] = json.loads(line)
        assert "error" not in told, told
        return told

    async def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), SOON)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


def namespaced(stanza: str) -> str:
    """A stanza with the namespace that it has in its stream, whether the stack says it or not."""
    head, tail = stanza.split(">", 1)
    if " xmlns=" in head:
        return stanza
    name = head.split()[0].rstrip("/")
    return f"{name} xmlns='jabber:client'{head[len(name) :]}>{tail}"


@contextlib.asynccontextmanager
async def stack(script: str, server: XmppServer, over: str, name: str = "") -> AsyncIterator[Stack]:
    """A client of `script`, logged in `over` tcp or websocket, by name or as a guest."""
    service = f"xmpp://127.0.0.1:{server.clients}" if over == "tcp" else server.websocket
    who = [HOST, name, PASSWORD] if name else [GUESTS]
    process = await asyncio.create_subprocess_exec(
        *("node", f"{script}.mjs", service, *who),
        cwd=FOLDER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    client = Stack(process)
    try:
        await client.online()
        yield client
    finally:
        await client.end()
