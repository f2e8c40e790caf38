"""A web gateway on a free port, and browsers that talk to it as pages do."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from parlour.cli import GAMES
from parlour.gateways import Desk, Limits
from parlour.gateways.web import Metrics, ProtocolInfo, WebGateway, WebOptions
from parlour.gateways.web._channel import Channel
from parlour.host import Store
from tests.service import Service, running

SECRET = b"a secret of the tests, 32 bytes "
SOON = 10.0  # seconds in which everything that is waited for has come


class Browser:
    """One guest: a cookie, a token, and any number of tabs."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = ""
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=SOON)

    def at(self, port: int) -> "Browser":
        """The same guest at another port, as after a restart."""
        again = Browser(port)
        again.token = self.token
        again.http.cookies = httpx.Cookies(self.http.cookies)
        return again

    @property
    def writing(self) -> dict[str, str]:
        """The headers of a write from our own page."""
        return {"Origin": f"http://127.0.0.1:{self.port}", "X-CSRF-Token": self.token}

    async def arrive(self, name: str = "") -> str:
        """Get a cookie, and a name of one's own choice; returns the name."""
        me = (await self.http.get("/api/me")).json()
        self.token = me["token"]
        if name:
            answer = await self.http.put("/api/me", json={"name": name}, headers=self.writing)
            me = answer.raise_for_status().json()
        shown: str = me["name"]
        return shown

    async def open(self, game: str, **fields: Any) -> str:
        """Open a table and return its match."""
        body = {"game": game, **fields}
        answer = await self.http.post("/api/matches", json=body, headers=self.writing)
        stream: str = answer.raise_for_status().json()["id"]
        return stream

    @contextlib.asynccontextmanager
    async def tab(self, **keywords: Any) -> "AsyncIterator[Tab]":
        """One WebSocket with the guest's cookie, welcomed; a proxy on this machine may speak
        for the address `forwarded`."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        if forwarded := keywords.pop("forwarded", ""):
            headers["X-Forwarded-For"] = forwarded
        async with connect(
            f"ws://127.0.0.1:{self.port}/api/live",
            additional_headers=headers,
            origin=keywords.pop("origin", f"http://127.0.0.1:{self.port}"),
            proxy=None,
            max_size=None,
            max_queue=None,
            **keywords,
        ) as socket:
            tab = Tab(socket)
            await tab.until("welcome")
            yield tab


class Tab:
    """One WebSocket. `matches` holds what a page would know, folded as the API's page says."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.matches: dict[str, dict[str, Any]] = {}
        self.moves: list[str] = []  # as they were told, whichever message told of them
        self._number = 0

    async def say(self, type_: str, **fields: Any) -> int:
        """Send a request and return its number."""
        self._number += 1
        message = {"type": type_, "id": self._number, **fields}
        await self.socket.send(msgspec.json.encode(message).decode())
        return self._number

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        async with asyncio.timeout(SOON):
            text = await self.socket.recv()
        message: dict[str, Any] = msgspec.json.decode(text)
        self.heard.append(message)
        self._fold(message)
        return message

    async def until(
        self, type_: str, suits: Callable[[dict[str, Any]], bool] = lambda _: True
    ) -> dict[str, Any]:
        """The next message of that type that suits."""
        while (message := await self.hear())["type"] != type_ or not suits(message):
            pass
        return message

    async def answer(self, number: int) -> dict[str, Any]:
        """The answer to a request."""
        while (message := await self.hear()).get("id") != number:
            pass
        return message

    async def ask(self, type_: str, **fields: Any) -> dict[str, Any]:
        """Send a request and return its answer."""
        return await self.answer(await self.say(type_, **fields))

    async def watch(self, match: str, **fields: Any) -> dict[str, Any]:
        """Subscribe and return the match as it is."""
        await self.say("watch", match=match, **fields)
        await self.until("you", lambda message: message["match"] == match)
        return self.matches[match]

    async def event(self, match: str, type_: str) -> dict[str, Any]:
        """Wait until such an event has happened, and return it."""
        while True:
            message = await self.until("events", lambda message: message["match"] == match)
            for event in message["events"]:
                if event["type"] == type_:
                    found: dict[str, Any] = event
                    return found

    async def play(self, match: str, move: str) -> None:
        """Play the next move of the match and wait until it is told."""
        ply = self.matches[match]["situation"]["ply"]
        await self.say("move", match=match, move=move, ply=ply)
        while self.matches[match]["situation"]["ply"] == ply:
            message = await self.hear()
            assert message["type"] != "refused", message

    async def ply(self, match: str, ply: int) -> None:
        """Wait until so many moves were played."""
        while self.matches[match]["situation"]["ply"] < ply:
            await self.hear()

    def _fold(self, message: dict[str, Any]) -> None:
        if message["type"] == "match":
            match = message["match"]
            self.matches[match["id"]] = match
            self.moves = [move["move"] for move in match["moves"]]
        elif message["type"] == "events":
            for event in message["events"]:
                fold(self.matches[message["match"]], event)
                if event["type"] == "move":
                    self.moves.append(event["move"])
            assert self.matches[message["match"]]["version"] == message["version"]


def fold(match: dict[str, Any], event: dict[str, Any]) -> None:
    """`docs/reference/web-api.md`, Events: what an event does to a match."""
    assert event["version"] == match["version"] + 1
    match["version"], match["situation"] = event["version"], event["situation"]
    match["seats"] = event.get("seats", match["seats"])
    match event["type"]:
        case "started":
            match["start"] = event["start"]
            match["board"] = [list(cells) for cells in event["start"]]
            match["started_at"], match["captured"] = event["at"], event["captured"]
            match["control"] = event["control"]
        case "move":
            apply(match["board"], event["set"])
            match["moves"].append(part(event, "seat", "move", "at", "set"))
            match["captured"] = event["captured"]
        case "forfeited":
            apply(match["board"], event["set"])
            forfeit = part(event, "seat", "cause", "detail", "at", "set")
            match["forfeits"].append({**forfeit, "after_moves": len(match["moves"])})
        case "ended":
            match["outcome"], match["ended_at"] = event["outcome"], event["at"]
        case "aborted":
            match["abort"] = part(event, "cause", "detail")
            match["ended_at"] = event["at"]


def part(event: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Some fields of an event."""
    return {key: event[key] for key in keys}


def apply(board: list[list[str]], changes: dict[str, int | None]) -> None:
    """Change the holders of cells."""
    for cell, seat in changes.items():
        for own in board:
            if cell in own:
                own.remove(cell)
        if seat is not None:
            board[seat].append(cell)


class Alone:
    """No other door."""

    def protocols(self) -> tuple[ProtocolInfo, ...]:
        return ()

    def connections(self) -> dict[str, int]:
        return {}


class House:
    """A service with a web gateway; other protocols are listened for as in `Service`."""

    def __init__(self, service: Service, gateway: WebGateway, port: int) -> None:
        self.service = service
        self.gateway = gateway
        self.port = port

    def connections(self) -> list[Any]:
        """Those of HTTP and the WebSockets, in no order."""
        server = self.gateway._server._server
        assert server is not None
        return list(server.server_state.connections)

    def watched(self, match: str) -> Channel:
        """What the gateway holds for those who watch a match."""
        channel = self.gateway.hall.existing(match)
        assert channel is not None
        return channel

    @contextlib.asynccontextmanager
    async def guest(self, name: str = "") -> AsyncIterator[Browser]:
        """A browser with a cookie."""
        browser = Browser(self.port)
        async with browser.http:
            await browser.arrive(name)
            yield browser


@contextlib.asynccontextmanager
async def table(
    doors: House, game: str = "tictactoe", **fields: Any
) -> "AsyncIterator[tuple[str, Tab, Tab]]":
    """A running match of Alice, who moves first, against Bob, and a tab of each on it."""
    async with (
        doors.guest("Alice") as alice,
        doors.guest("Bob") as bob,
        alice.tab() as one,
        bob.tab() as other,
    ):
        match = await alice.open(game, **fields)
        password = fields.get("password", "")
        await one.watch(match)
        await other.watch(match, password=password)
        await other.say("take-seat", match=match)
        await one.event(match, "started")
        await other.event(match, "started")
        yield match, one, other


@contextlib.asynccontextmanager
async def house(
    options: WebOptions | None = None,
    store: Store | None = None,
    client: Path = Path("/nowhere"),
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
) -> AsyncIterator[House]:
    """A whole service with a web gateway on a free port."""
    async with (
        running(store, limits=limits) as service,
        door(service.desk, service.new_id, options, client) as (gateway, port),
    ):
        yield House(service, gateway, port)


@contextlib.asynccontextmanager
async def door(
    desk: Desk,
    new_id: Callable[[], str],
    options: WebOptions | None = None,
    client: Path = Path("/nowhere"),
) -> AsyncIterator[tuple[WebGateway, int]]:
    """A web gateway on a free port of a service that runs already."""
    gateway = WebGateway(
        options or WebOptions(),
        desk,
        GAMES,
        SECRET,
        new_id,
        Metrics(),
        Alone(),
        client=client,
    )
    port = await gateway.listen("127.0.0.1", 0)
    await gateway.start()
    try:
        yield gateway, port
    finally:
        await gateway.close()
