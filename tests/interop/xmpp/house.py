"""The whole server behind a real XMPP server, and players with our own plugin for slixmpp."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

import msgspec
from slixmpp import Message, Presence

import parlour.clients.mug  # noqa: F401  # makes the plugin known to slixmpp
from parlour.cli._config import Config
from parlour.cli._service import Service, running
from parlour.clients.mug import MUG
from tests.interop.xmpp.peers import Person
from tests.interop.xmpp.servers import GAMES, HOST, SECRET, SOON, XmppServer

ROOM = f"garden@{GAMES}"


@contextlib.asynccontextmanager
async def parlour_behind(
    server: XmppServer, data: Path, limits: dict[str, int] | None = None, **options: Any
) -> AsyncIterator[Service]:
    """`parlour serve` inside this process, with XMPP and a textbook door on a free port."""
    data.mkdir(exist_ok=True)
    (data / "xmpp-secret").write_text(SECRET)
    xmpp = {
        "server": f"component:127.0.0.1:{server.components}",
        "domain": GAMES,
        "secret_file": str(data / "xmpp-secret"),
    }
    settings = {
        "xmpp": xmpp | options,
        "limits": limits or {},
        "textbook": {"listen": "127.0.0.1:0"},
        **{name: {"listen": "off"} for name in ("nedap", "ruc", "web")},
    }
    async with running(msgspec.convert(settings, Config), data / "log.sqlite3") as service:
        yield service


class Player(Person):
    """Somebody with the plugin; `told` has what the room said, in order, in short words."""

    def __init__(self, server: XmppServer, jid: str, *plugins: str) -> None:
        super().__init__(server, jid)
        for name in ("mug", *plugins):
            self.client.register_plugin(name)
        self.mug: MUG = cast(Any, self.client.plugin)["mug"]
        self.told: asyncio.Queue[str] = asyncio.Queue()
        self.heard: list[str] = []
        for name in ("state", "occupant", "left", "start", "turn", "error"):
            self.client.add_event_handler(f"mug_{name}", self._note)

    def _note(self, said: Presence | Message) -> None:
        self.heard.append(in_short(said))
        self.told.put_nowait(self.heard[-1])

    async def hears_of(self, *wanted: str) -> None:
        """What is wanted comes in that order; other things may come between. `*` is any text."""
        for one in wanted:
            seen: list[str] = []
            try:
                async with asyncio.timeout(SOON):
                    while not fnmatchcase(heard := await self.told.get(), one):
                        seen.append(heard)
            except TimeoutError:
                raise AssertionError(f"never heard {one!r}, but {seen}") from None

    async def cut(self) -> None:
        """Lose the connection; the session hibernates where both ends know how (XEP-0198)."""
        gone = asyncio.ensure_future(self.client.wait_until("disconnected", SOON))
        self.client.end_session_on_disconnect = False
        self.client.abort()
        await gone

    async def come_back(self) -> None:
        """Take the hibernating session up again."""
        resumed = asyncio.ensure_future(self.client.wait_until("session_resumed", SOON))
        self.client.connect(*self._address)
        await resumed


def in_short(said: Presence | Message) -> str:
    """`active o: 1,1=x`, `inactive x won x`, `ben: o`, `ben left`, `ben starts`, `ben 1: 2,3`."""
    nick = said["from"].resource
    if said["type"] == "error":
        return f"error {said['error']['condition']}"
    if isinstance(said, Message):
        move = said["mug_turn"]["tictactoe"] if said.get_plugin("mug_turn", check=True) else None
        if move is None:
            return f"{nick} starts"
        return f"{nick} {move['id']}: {move['row']},{move['col']}"
    game = said["mug"]
    if nick:
        leaves = said["type"] == "unavailable"
        return f"{nick} left" if leaves else f"{nick}: {game['item']['role'] or 'none'}"
    state = game["tictactoe"]
    marks = " ".join(f"{row},{col}={mark}" for (row, col), mark in sorted(state["board"].items()))
    result = f" won {state['won']}" if state["won"] else " draw" if state["draw"] else ""
    return f"{game['status']} {state['next']}:{' ' if marks else ''}{marks}{result}"


@contextlib.asynccontextmanager
async def player(
    server: XmppServer, name: str, *plugins: str, resource: str = "board"
) -> AsyncIterator[Player]:
    """A player with an account, logged in."""
    someone = Player(server, f"{name}@{HOST}/{resource}", *plugins)
    await someone.log_in()
    try:
        yield someone
    finally:
        await someone.log_out()
