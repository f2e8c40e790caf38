"""Every command of the pages for operators, as it is written there, beside a real server."""

import asyncio
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.wire.ruc import Opcode
from tests.cli.servers import Server
from tests.cli.test_matches import WIN, played, record
from tests.cli.test_prune import games
from tests.durability.log import lines
from tests.gateways.nedap.peers import Peer
from tests.gateways.ruc.peers import Peer as RucPeer
from tests.gateways.textbook.peers import visiting

HOW_TO = Path(__file__).resolve().parents[2] / "docs/how-to"
SOON = 30.0  # seconds in which any command has ended

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets"),
]


def commands(page: str) -> list[str]:
    """The lines of a page's shell blocks, in order."""
    text = (HOW_TO / page).read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


class Terminal:
    """A shell in the folder that holds `parlour-data`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "parlour-data"
        self.typed: list[str] = []
        command = folder / "bin" / "parlour"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m parlour "$@"\n')
        command.chmod(command.stat().st_mode | stat.S_IXUSR)
        self._path = f"{command.parent}:{os.environ['PATH']}"

    async def types(self, line: str, **put: str) -> str:
        """Run one line of the page; `put` fills what the page leaves open in capitals."""
        self.typed.append(line)
        for name, value in put.items():
            line = line.replace(name, value)
        done = await asyncio.to_thread(
            subprocess.run,
            ["sh", "-c", line],
            cwd=self.folder,
            env={**os.environ, "PATH": self._path},
            capture_output=True,
            text=True,
            timeout=SOON,
        )
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        assert done.stderr == ""
        return done.stdout


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


async def go_player(server: Server, name: str) -> Peer:
    peer = await Peer.connect(server.ports["nedap"])
    peer.send(f"PLAYER {name}")
    assert await peer.heard() == []
    return peer


async def test_a_server_is_looked_after(terminal: Terminal) -> None:
    page = commands("operate.md")
    with Server(terminal.data) as server:
        alice, bob = await go_player(server, "alice"), await go_player(server, "bob")
        gardener = RucPeer(*await asyncio.open_connection("127.0.0.1", server.ports["ruc"]))
        gardener.says(Opcode.JOIN_ROOM, "garden", "carol")
        assert (await gardener.frame())[0] == "JOIN_ROOM_REPLY"
        async with visiting(server.ports["textbook"]) as door:
            first, second = await door.pair()
            listed = (await terminal.types("parlour admin matches")).splitlines()
            (match,) = [line.split()[0] for line in listed if "tictactoe" in line]
            for line in page:
                said = await terminal.types(line, ID=match)
                if " kick " in line:
                    assert said == "1 connection ended\n"
                    assert await alice.rest() == ["WARNING one game at a time"]
                elif "ban --name bob" in line and "unban" not in line:
                    assert (await bob.rest())[0].startswith("WARNING you are banned until")
                elif "--room" in line:
                    await gardener.hears(("CLOSE_ROOM", "the operator has closed it", ""))
                elif "--match" in line:
                    assert await first.rest() == await second.rest() == ()
                elif " drain" in line:
                    break  # no game is left
        for peer in (alice, bob, gardener):
            await peer.close()
        server.process.wait(timeout=SOON)
        assert server.process.returncode == 0
    with Server(terminal.data, doors=("nedap",)) as server:
        for line in page[len(terminal.typed) - 1 :]:
            await terminal.types(line)
        acts = await terminal.types(page[0])
        assert "one game at a time" in acts
        server.stop()
    assert [line for line in page if line not in terminal.typed] == []


async def test_the_log_is_kept(terminal: Terminal) -> None:
    """Backed up beside the server, restored without it, checked, pruned, and a name deleted."""
    page = commands("keep-the-log.md")
    terminal.data.mkdir()
    await record(terminal.data, {"match-old": played(*WIN), "match-new": played("0,0")})
    old = lines(terminal.data)
    with Server(terminal.data, doors=("nedap",)) as server:
        for _ in range(2):  # backup, verify
            await terminal.types(page[len(terminal.typed)])
        server.stop()
    while "prune" not in page[len(terminal.typed)]:
        await terminal.types(page[len(terminal.typed)])
    assert [line for line in lines(terminal.data) if line.kind != "Suspended"] == old
    for line in page[len(terminal.typed) :]:
        said = await terminal.types(line.replace("2026-01-31", "2027-01-31"))
        if "prune" in line and "--yes" in line:
            assert set(games(terminal.data)) == {"match-new"}
        if "erase" in line and "--yes" in line:
            assert b"alice" not in (terminal.data / "log.sqlite3").read_bytes()
            assert "it says erased" in said
    assert len(terminal.typed) == len(page)
    shutil.rmtree(terminal.folder / "before-restore")
