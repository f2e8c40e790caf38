"""uvicorn inside our own loop: it takes sockets that we have bound and leaves signals to us."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from parlour.gateways import ACCEPTED, Desk, lengthen
from parlour.gateways.web._frames import FrameProtocol
from parlour.gateways.web._framing import LastRequests
from parlour.gateways.web._http import HttpProtocol

MESSAGE_MOST = 1 << 14
PINGED_EVERY = 20.0  # seconds
CLOSING = 1.5  # seconds for what is being answered; the service gives its doors two
CUT_OFF = 0.4  # seconds in which whoever is cut off then has gone


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Endable:
    """An application that ends without a word when the service ends it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:  # uvicorn would take it for a mistake, and answer that
            if scope["type"] == "websocket":
                raise ClientDisconnected from None


class Server:
    """A socket that is bound at once and listens when everything else is ready."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._sockets: list[socket.socket] = []
        self._server: uvicorn.Server | None = None
        self._task: asyncio.Task[None] | None = None

    async def bind(self, host: str, port: int) -> int:
        """Take an address and return its port (a free one for 0).

        Raises:
            OSError: the address is in use or not ours.
        """
        loop = asyncio.get_running_loop()
        infos = await loop.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, kind, protocol, _, address in dict.fromkeys(infos):
            bound = socket.socket(family, kind, protocol)
            self._sockets.append(bound)
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            bound.bind((address[0], port, *address[2:]))
            port = bound.getsockname()[1]
        return port

    async def start(self, app: ASGIApp) -> None:
        """Let in whoever comes.

        Raises:
            OSError: another server listens there since the address was taken.
        """
        config = uvicorn.Config(
            _Endable(LastRequests(app)),
            # It says classes, and only calls them.
            http=cast(Any, partial(HttpProtocol, desk=self._desk)),
            ws=cast(Any, partial(FrameProtocol, desk=self._desk)),
            ws_max_size=MESSAGE_MOST,
            ws_ping_interval=PINGED_EVERY,
            ws_ping_timeout=PINGED_EVERY,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            forwarded_allow_ips=list(self._desk.limits.proxies),
            backlog=ACCEPTED,
        )
        self._server = _Server(config)
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._server.serve(self._sockets))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0)
        if self._task.done():
            failed, self._task = self._task, None
            failed.result()
        lengthen(self._sockets)

    def connect(self) -> asyncio.BaseProtocol:
        """What serves a connection that came in by another door, once this one is open."""
        server = self._server
        assert server is not None
        make = cast(Any, server.config.http_protocol_class)
        protocol: asyncio.BaseProtocol = make(
            config=server.config, server_state=server.server_state, app_state={}
        )
        return protocol

    async def close(self) -> None:
        """Let nobody in and return when everybody has gone."""
        if self._server is not None and self._task is not None:
            self._server.should_exit = True
            try:
                await asyncio.wait((self._task,), timeout=CLOSING)
            finally:
                self._cut_off(self._server)
            tasks = (self._task, *self._server.server_state.tasks)
            await asyncio.wait(tasks, timeout=CUT_OFF)
            if self._task.done():
                self._task.result()
        for bound in self._sockets:
            bound.close()

    def _cut_off(self, server: uvicorn.Server) -> None:
        """End whatever goes on: uvicorn would wait for readers who do not read."""
        server.force_exit = True
        for connection in tuple(server.server_state.connections):
            if isinstance(connection, HttpProtocol):
                connection.cut_off()
            else:
                connection.transport.abort()
        for task in tuple(server.server_state.tasks):
            task.cancel()
