"""What the connections of one server share, and the doors they come in by."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from parlour.gateways._bans import Bans
from parlour.gateways._crowd import ACCEPTED, lengthen
from parlour.gateways._files import FileLimit
from parlour.gateways._gatekeeper import Gatekeeper, Networks
from parlour.gateways._limits import Limits
from parlour.gateways._pace import Pace
from parlour.gateways._rate import Allowance
from parlour.gateways._turns import Shares, Turns
from parlour.host import Chat, Host, Pairer

log = logging.getLogger("parlour.desk")

DEFAULT = Limits()


class Connected(Protocol):
    """A connection as the desk sees it."""

    def flush(self) -> None:
        """Write what has gathered."""

    def close(self) -> None:
        """The service stops: say so, and end."""

    def drop(self, why: str) -> None:
        """End it without a word."""


class Desk:
    """What the gateways' connections share: the host, its policies, and each other's company."""

    def __init__(self, host: Host, pairer: Pairer, chat: Chat, limits: Limits = DEFAULT) -> None:
        self.limits = limits
        self.bans = Bans()
        self.gatekeeper = Gatekeeper(limits, self.bans)
        self.proxies = Networks(limits.proxies)
        self.handshakes = Allowance(limits.handshakes, limits.handshakes_at_once)
        self.pace = Pace(limits.lines, limits.lines_at_once, host.now)
        self.host = host
        self.pairer = pairer
        self.chat = chat
        self.connections: set[Connected] = set()
        self.turns = Turns()
        self.shares = Shares()
        self.files = FileLimit(host.now)
        self._servers: list[asyncio.Server] = []
        self._unsent: list[Connected] = []
        self._empty: asyncio.Future[None] | None = None

    async def listen(
        self, connect: Callable[[], asyncio.BaseProtocol], host: str, port: int
    ) -> int:
        """Open a door and return its port (a free one for 0).

        Nobody is let in before `start`. `connect` makes what serves a new connection.

        Raises:
            OSError: the address is in use or not ours.
        """
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            connect, host, port, backlog=ACCEPTED, start_serving=False
        )
        self._servers.append(server)
        bound: int = server.sockets[0].getsockname()[1]
        return bound

    async def start(self) -> None:
        """Let in whoever comes, and whoever has come already."""
        for server in self._servers:
            await server.start_serving()
            lengthen(server.sockets)

    async def close(self) -> None:
        """Let nobody in, say goodbye to everybody, and return when they are gone."""
        for server in self._servers:
            server.close()
        for connection in tuple(self.connections):
            _carefully(connection, connection.close)
        if self.connections:
            self._empty = asyncio.get_running_loop().create_future()
            await self._empty

    def let_in(self, connection: Connected) -> None:
        """Somebody has come."""
        self.connections.add(connection)

    def flush_soon(self, connection: Connected) -> None:
        """Write for this connection when everything that came at the same time is decided.

        A commit is news for hundreds of connections. Written one after the other, without our
        own work in between, they wake their readers once and not hundreds of times.
        """
        if not self._unsent:
            asyncio.get_running_loop().call_soon(self._flush)
        self._unsent.append(connection)

    def _flush(self) -> None:
        connections, self._unsent = self._unsent, []
        for connection in connections:
            _carefully(connection, connection.flush)

    def forget(self, connection: Connected) -> None:
        """The connection is gone."""
        self.connections.discard(connection)
        if self._empty is not None and not self.connections and not self._empty.done():
            self._empty.set_result(None)


def _carefully(connection: Connected, act: Callable[[], None]) -> None:
    """A mistake of ours costs one connection, and not those behind it."""
    try:
        act()
    except Exception:
        log.exception("a connection failed")
        connection.drop("a mistake of ours")
