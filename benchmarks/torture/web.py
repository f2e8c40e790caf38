"""A browser of a torture: a guest with a cookie and one WebSocket, who comes back as pages do."""

import asyncio
import contextlib
import json
from typing import Any

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from benchmarks.torture.house import TURN_LIMIT
from benchmarks.torture.notes import now
from benchmarks.torture.players import AGAIN, LOST_PATIENCE, Caller, World
from parlour.games.chinese_checkers import ChineseCheckers
from parlour.games.chinese_checkers import Options as StarOptions
from parlour.games.go import Go
from parlour.games.go import Options as GoOptions
from parlour.games.tictactoe import Options as BookOptions
from parlour.games.tictactoe import TicTacToe

STARTS: dict[str, Any] = {
    "go": lambda options, seats: Go().start(GoOptions(**options), seats),
    "tictactoe": lambda options, seats: TicTacToe().start(BookOptions(**options), seats),
    "chinese_checkers": lambda options, seats: ChineseCheckers().start(
        StarOptions(**options), seats
    ),
}
TWICE = 0.2  # of the moves are said twice, as by an impatient hand
# A move said twice, talk above the limit, and READY at a table that has just filled up.
EXPECTED = ("stale-move", "out-of-turn", "over", "malformed", "limit", "already-started")
STARTED = ("live", "suspended", "over")


class Unanswered(Exception):
    """The server answers no requests at all; the message says which."""


class Taken(Exception):
    """The room that was asked for is there already."""


class Guest(Caller):
    """Plays one game: at the table `match`, or with whom the seek for `wish` finds."""

    protocol = "web"

    def __init__(self, world: World, match: str = "", wish: dict[str, Any] | None = None) -> None:
        super().__init__(world)
        self.match = match
        self.wish = wish
        self.cookie = ""
        self.token = ""
        self._ws: ClientProtocol | None = None
        self._game: dict[str, Any] = {}
        self._version = 0

    async def live(self) -> None:
        await self.arrive()
        await super().live()

    # Questions by HTTP, before there is a WebSocket

    async def arrive(self) -> None:
        """Become a guest, under the name that the notes have."""
        if not self.cookie:
            self.since = now()
            self.token = (await self._until_told("GET", "/api/me"))["token"]
            await self._until_told("PUT", "/api/me", {"name": self.name})

    async def open(self, game: str, options: dict[str, Any], **fields: Any) -> None:
        """Open a table, which is where the guest will play."""
        await self.arrive()
        body = {"game": game, "options": options, "control": {"turn": TURN_LIMIT * 1000}, **fields}
        try:
            told = await self._until_told("POST", "/api/matches", body)
        except Taken:  # by us: the server was killed before it could answer
            listed = await self._until_told("GET", f"/api/matches?room={fields['room']}")
            told = listed["matches"][0]
        self.match = told["id"]

    async def _until_told(self, *question: Any) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        end = loop.time() + LOST_PATIENCE
        while loop.time() < end:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                return await asyncio.wait_for(self._ask_http(*question), 10)
            await asyncio.sleep(AGAIN)
        self.give_up()
        raise Unanswered(f"{self.id}: no answer to {question[0]} {question[1]}")

    async def _ask_http(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.world.ports["web"])
        try:
            data = b"" if body is None else json.dumps(body).encode()
            writer.write(
                f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                f"Cookie: {self.cookie}\r\nX-CSRF-Token: {self.token}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
                + data
            )
            answer = await reader.read()
        finally:
            writer.close()
        head, _, text = answer.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        if first.startswith("HTTP/1.1 409"):
            raise Taken
        if not first.startswith("HTTP/1.1 20"):
            raise ConnectionError(f"{method} {path}: {first}")  # the server is on its way out
        for line in lines:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                self.cookie = value.partition(";")[0]
        try:
            told: dict[str, Any] = json.loads(text)
        except ValueError:
            raise ConnectionError("the answer was cut") from None
        return told

    # The WebSocket

    def enter(self) -> None:
        self._ws = ClientProtocol(
            parse_uri(f"{'wss' if self.secure else 'ws'}://127.0.0.1:{self.port}/api/live"),
            max_size=None,
        )
        request = self._ws.connect()
        request.headers["Cookie"] = self.cookie
        self._ws.send_request(request)
        self._flush()

    def _flush(self) -> None:
        assert self._ws is not None
        self.say(b"".join(self._ws.data_to_send()))

    def _ask(self, type_: str, **fields: Any) -> None:
        if self._ws is not None and self.transport is not None and not self.transport.is_closing():
            with contextlib.suppress(Exception):  # the closing handshake has begun
                self._ws.send_text(json.dumps({"type": type_, **fields}).encode())
            self._flush()

    def hear(self, data: bytes) -> None:
        assert self._ws is not None
        self._ws.receive_data(data)
        for event in self._ws.events_received():
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT and not self.over:
                self._message(json.loads(bytes(event.data)))
        self._flush()
        if self._ws.close_expected() and self.transport is not None:
            self.transport.close()
        self.consider()

    def ask(self, move: str) -> None:
        for _ in range(2 if self.world.rng.random() < TWICE else 1):
            self._ask("move", id=self.plies, match=self.match, move=move, ply=self.plies)

    def give_up(self) -> None:
        self._ask("leave", match=self.match)
        super().give_up()

    def junk(self) -> bytes:
        for _ in range(30):
            self._ask("say", match=self.match, text="x" * 600)
        return b""

    def _message(self, told: dict[str, Any]) -> None:
        match told["type"]:
            case "welcome":
                self._welcomed(told["seats"])
            case "paired":
                self.match = told["match"]
                self._watch()
            case "match" if told["match"]["id"] == self.match:
                self._whole(told["match"])
            case "events" if told["match"] == self.match:
                for event in told["events"]:
                    if event["version"] > self._version and not self.over:
                        self._version = event["version"]
                        self._event(event)
            case "refused":
                self._refused(told)

    def _welcomed(self, seats: list[str]) -> None:
        if not self.match and seats:
            self.match = seats[0]
        if self.match:
            self._watch()
        elif self.wish is not None:
            self._ask("seek", control={"turn": TURN_LIMIT * 1000}, **self.wish)

    def _watch(self) -> None:
        after = self._version if self.begun and self.world.rng.random() < 0.5 else 0
        self._ask("watch", match=self.match, after=after)

    def _refused(self, told: dict[str, Any]) -> None:
        if told["refusal"] not in EXPECTED:
            self.refused(f"{told['refusal']} {told['detail']}")

    def _whole(self, told: dict[str, Any]) -> None:
        """The whole state: the game from its beginning."""
        self._version, self._game = told["version"], told
        status = told["situation"]["status"]
        if status == "open":
            if not self._sits(told["seats"]):
                self._ask("take-seat", match=self.match)
            self._ask("ready", match=self.match)
            self._look_around(told["seats"])
        elif status in STARTED and self._sits(told["seats"]):
            self._begin(told["seats"])
            for ply, move in enumerate([*told["moves"], None]):
                for one in told["forfeits"]:
                    if one["after_moves"] == ply:
                        self.out(one["seat"])
                if move is not None:
                    self.told(move["seat"], move["move"])
        self._concluded(told["outcome"], told["abort"])

    def _sits(self, seats: list[dict[str, Any]]) -> bool:
        return self.name in self._names(seats)

    def _look_around(self, seats: list[dict[str, Any]]) -> None:
        if self._sits(seats):
            self.seated.set()

    def _names(self, seats: list[dict[str, Any]]) -> list[str]:
        return [(one["player"] or {"name": ""})["name"] for one in seats]

    def _begin(self, seats: list[dict[str, Any]]) -> None:
        position = STARTS[self._game["game"]](self._game["options"], len(seats))
        names = self._names(seats)
        self.begin(position, names.index(self.name), len(seats), stream=self.match)

    def _event(self, event: dict[str, Any]) -> None:
        match event["type"]:
            case "seat-taken":
                self._look_around(event["seats"])
            case "started" if self._sits(event["seats"]):
                self._begin(event["seats"])
            case "move":
                self.told(event["seat"], event["move"])
            case "forfeited":
                self.out(event["seat"])
            case "ended":
                self._concluded(event["outcome"], None)
            case "aborted":
                self._concluded(None, event)

    def _concluded(self, outcome: dict[str, Any] | None, abort: dict[str, Any] | None) -> None:
        if outcome is not None and self.begun:
            self.ended(outcome["ranking"], outcome["scores"])
        elif abort is not None:
            self.called_off()

    def consider(self) -> None:
        if self.begun:
            super().consider()
