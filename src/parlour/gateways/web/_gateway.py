"""The browser's door: pages, REST and WebSocket, from a bound address to the last goodbye."""

from asyncio import BaseProtocol
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from parlour.games import AnyGame, Refused
from parlour.gateways import Desk
from parlour.gateways.web._answers import answer, problem
from parlour.gateways.web._bodies import ProtocolInfo
from parlour.gateways.web._catalogue import Catalogue
from parlour.gateways.web._connection import UNREAD, Connection, Hall
from parlour.gateways.web._declined import Declined, No
from parlour.gateways.web._guard import Guard
from parlour.gateways.web._guests import COOKIE, Cookies, Guests
from parlour.gateways.web._lobby import LobbyBoard
from parlour.gateways.web._metrics import Metrics
from parlour.gateways.web._openapi import document
from parlour.gateways.web._openers import Openers
from parlour.gateways.web._operator import Reception
from parlour.gateways.web._options import WebOptions
from parlour.gateways.web._pages import STATIC, Pages
from parlour.gateways.web._rest import Rest
from parlour.gateways.web._server import Server
from parlour.gateways.web._tables import Tables
from parlour.host import StoreError

LOCAL = ("127.0.0.1", "::1", "")


class Neighbours(Protocol):
    """The other doors of the same server."""

    def protocols(self) -> Sequence[ProtocolInfo]:
        """Where one can connect, and to play what."""

    def connections(self) -> Mapping[str, int]:
        """How many connections each protocol has."""


class WebGateway:
    """Everything that a browser is served, over the host and the policies of `desk`."""

    def __init__(
        self,
        options: WebOptions,
        desk: Desk,
        games: Iterable[AnyGame],
        secret: bytes,
        new_id: Callable[[], str],
        metrics: Metrics,
        neighbours: Neighbours,
        client: Path = STATIC,
    ) -> None:
        self._options = options
        self._neighbours = neighbours
        self._desk = desk
        self._host = host = desk.host
        self._cookies = Cookies(secret, new_id)
        grace = options.grace * 1000
        limits = desk.limits
        tables = Tables(games, host.directory, grace, limits)
        self._guests = Guests(
            host, desk.pairer, tables.seats, options.linger, options.grace, limits.tabs
        )
        is_exempt = desk.gatekeeper.is_exempt
        openers = Openers(host.directory, limits.tables, limits.tables_of_address, is_exempt)
        catalogue = Catalogue(host.directory, tables.is_public, openers.share_of)
        lobby = LobbyBoard(host, desk.pairer, tables, catalogue, self._online)
        self.hall = Hall(
            host, desk.chat, tables, self._guests, lobby, new_id(), desk.bans, metrics.turned_away
        )
        self.reception = Reception(self.hall)
        self._metrics = metrics
        self._openers = openers
        self._rest = Rest(self.hall, self._cookies, catalogue, openers, neighbours.protocols)
        self._pages = Pages(client)
        self._server = Server(desk)
        self._ready = False
        self._document = answer(document("1"))

    async def listen(self, host: str, port: int) -> int:
        """Take an address and return its port. Nobody is let in before `start`.

        Raises:
            OSError: the address is in use or not ours.
        """
        return await self._server.bind(host, port)

    @property
    def connect(self) -> Callable[[], BaseProtocol]:
        """Makes what serves a connection that came in by a door over TLS."""
        return self._server.connect

    async def start(self) -> None:
        """Let in whoever comes.

        Raises:
            OSError: another server listens there since the address was taken.
        """
        self._openers.take_up()
        self._metrics.start(self._host, self._online)
        await self._server.start(self.app())
        self._ready = True

    async def close(self) -> None:
        """Say goodbye, and return when everybody has gone."""
        self._ready = False
        self.hall.close()
        await self._server.close()
        self._metrics.close()

    def app(self) -> Guard:
        """The ASGI application."""
        app = Starlette(
            routes=self._routes(),
            exception_handlers={
                Declined: self._declined,  # type: ignore[dict-item]  # it is called with no other
                Refused: lambda request, no: problem(Declined.of(no)),
                StoreError: lambda request, error: problem(UNREAD),
                ClientDisconnect: lambda request, gone: Response(),
                HTTPException: _no_page,  # type: ignore[dict-item]  # as above
            },
        )
        return Guard(app, self._options.origins, self._desk, self._metrics.turned_away)

    def _routes(self) -> list[BaseRoute]:
        rest = self._rest
        match = "/api/matches/{id}"
        return [
            Route("/api/me", rest.me, methods=["GET"]),
            Route("/api/me", rest.rename, methods=["PUT"]),
            Route("/api/games", rest.games),
            Route("/api/protocols", rest.protocols),
            Route("/api/matches", rest.matches, methods=["GET"]),
            Route("/api/matches", rest.open, methods=["POST"]),
            Route(match, rest.match),
            Route(f"{match}/moves", rest.moves),
            Route(f"{match}/record.json", rest.json_record),
            Route(f"{match}/record.sgf", rest.sgf_record),
            Route("/api/openapi.json", self._openapi),
            WebSocketRoute("/api/live", _Live(self.hall, self._cookies)),
            Route("/healthz", self._healthz),
            Route("/readyz", self._readyz),
            Route("/metrics", self._figures),
            Route("/api/{path:path}", _nothing),
            Route("/{path:path}", self._pages.page),
        ]

    async def _declined(self, request: Request, no: Declined) -> Response:
        self._metrics.turned_away(no.refusal)
        return problem(no)

    async def _openapi(self, request: Request) -> Response:
        return self._document

    async def _healthz(self, request: Request) -> Response:
        return PlainTextResponse("ok")

    async def _readyz(self, request: Request) -> Response:
        if not self._ready:
            return PlainTextResponse("not now", 503)
        return PlainTextResponse("ok")

    async def _figures(self, request: Request) -> Response:
        address = request.client.host if request.client is not None else ""
        if self._options.metrics == "local" and address not in LOCAL:
            raise Declined(No.FORBIDDEN, "figures are for this machine")
        return PlainTextResponse(self._metrics.text())

    def _online(self) -> Mapping[str, int]:
        return {**self._neighbours.connections(), "web": len(self.hall.connections)}


class _Live:
    """An ASGI application for one WebSocket after the other."""

    def __init__(self, hall: Hall, cookies: Cookies) -> None:
        self._hall = hall
        self._cookies = cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        guest = self._cookies.read(HTTPConnection(scope).cookies.get(COOKIE))
        await Connection(self._hall, guest).run(scope, receive, send)


async def _nothing(request: Request) -> Response:
    raise Declined(No.NOT_FOUND, f"there is nothing at {request.url.path}")


def _allowed(request: Request) -> set[str]:
    """The methods of an address, whichever routes they have (RFC 9110, 10.2.1)."""
    routes: list[BaseRoute] = request.app.routes
    fitting = (one for one in routes if one.matches(request.scope)[0] is not Match.NONE)
    return {method for one in fitting if isinstance(one, Route) for method in one.methods or ()}


async def _no_page(request: Request, error: HTTPException) -> Response:
    if error.status_code == 405:
        refused = problem(Declined(No.NOT_ALLOWED, f"{request.method} is not for this address"))
        refused.headers["allow"] = ", ".join(sorted(_allowed(request)))
        return refused
    return problem(Declined(No.NOT_FOUND, f"there is nothing at {request.url.path}"))
