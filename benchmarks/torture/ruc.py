"""A Chinese checkers client of a torture: two to six meet in a room, and come back to it."""

import asyncio
import json
from typing import Any

from benchmarks.torture.players import Caller, World
from parlour.games.chinese_checkers import ChineseCheckers, Options

JOIN, REPLY, LEAVE, CLOSE, READY, START_GAME, START_TURN, MOVE, END_TURN, END_GAME, ERROR = range(
    200000, 200011
)
TAKEN, RUNNING = "400003", "400001"
SILENCE = 1.0  # seconds after which a room that one came back to is known to be a new one


class Ruc(Caller):
    """Plays one game in the named room, with so many others."""

    protocol = "ruc"

    def __init__(self, world: World, room: str, players: int, max_rounds: int) -> None:
        super().__init__(world)
        self.room = room
        self.players = players
        self.max_rounds = max_rounds
        self._rest = b""
        self._present: set[str] = set()
        self._asked_ready = False
        self._again = False  # START_GAME was said on this connection
        self._names: list[str] = []
        self._zones: list[str] = []
        self._turn = ""
        self._pending = ""  # a move that nobody has answered

    def enter(self) -> None:
        self._rest, self._pending, self._turn = b"", "", ""
        self._present, self._asked_ready, self._again = set(), False, False
        self._ask(JOIN, self.room, self.name)
        if self.begun:
            asyncio.get_running_loop().call_later(SILENCE, self._wonder, self.transport)

    def _wonder(self, transport: object) -> None:
        if transport is self.transport and not self.over and self._present and not self._again:
            self.missed()

    def _ask(self, op: int, data1: str, data2: str = "") -> None:
        frame = {"data1": data1, "data2": data2, "op": op}
        self.say(json.dumps(frame, separators=(",", ":")).encode() + b"\n")

    def ask(self, move: str) -> None:
        self._pending = move
        self._ask(MOVE, self._zones[self.seat], move.replace(",", " ").replace(">", " "))

    def junk(self) -> bytes:
        return b'{"op":200000,"op":1}\n[1]\n' * 20 + b'{"data1":"' + b"x" * 9000 + b'"}\n'

    def consider(self) -> None:
        if self._turn and self._zones[self.seat] == self._turn and not self._pending:
            super().consider()
        else:
            self.rest()

    def hear(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if not self.over:
                self._frame(json.loads(line))
        self.consider()

    def _frame(self, frame: dict[str, Any]) -> None:
        op, first, second = frame["op"], frame["data1"], frame["data2"]
        match op:
            case _ if op in (REPLY, JOIN, LEAVE):
                self._came_or_went(op, first)
            case _ if op == START_GAME:
                self._start(first.split(), second.split())
            case _ if op == START_TURN:
                if self._pending and first != self._zones[self.seat]:
                    self._confirm()  # the turn has passed from us by our move
                elif self._pending:  # by no move of another: come back, and hear what is so
                    self.hang_up()
                self._turn = first
            case _ if op == MOVE:
                self._moved(self._zones.index(first), second)
            case _ if op == END_TURN:
                self._confirm()
            case _ if op == END_GAME:
                self.ended([[self._names.index(name)] for name in first.split()])
            case _ if op == CLOSE:
                self.hang_up()
            case _ if op == ERROR:
                self._error(first, second)

    def _came_or_went(self, op: int, names: str) -> None:
        if self._again:
            return
        if op == LEAVE:
            self._present.discard(names)
        else:
            self._present |= {self.name, *names.split()}
        if len(self._present) == self.players and not self.begun and not self._asked_ready:
            self._asked_ready = True
            self._ask(READY, self.name)

    def _start(self, names: list[str], zones: list[str]) -> None:
        self._names, self._zones, self._again = names, zones, True
        position = ChineseCheckers().start(Options(max_rounds=self.max_rounds), len(zones))
        seat = names.index(self.name)
        self.begin(position, seat, len(zones), identity=f"ruc:{self.name} ")

    def _confirm(self) -> None:
        if self._pending:
            move, self._pending = self._pending, ""
            self.told(self.seat, move)

    def _moved(self, seat: int, path: str) -> None:
        if path == "-1":
            if seat == self.seat:
                self._pending = ""
            self.out(seat)
            return
        numbers = path.split()
        cells = [f"{x},{y}" for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        self._confirm()  # another can move only after us
        self.told(seat, ">".join(cells))

    def _error(self, code: str, text: str) -> None:
        if code == RUNNING and not self._present:
            self.missed()
        elif code == RUNNING:  # the game began before we had said that we are ready
            pass
        elif code == TAKEN and not self._present:
            asyncio.get_running_loop().call_later(0.2, self._try_again, self.transport)
        elif "400006" not in code:
            self._pending = ""
            self.refused(f"{code} {text}")

    def _try_again(self, transport: object) -> None:
        if transport is self.transport and not self.over:
            self.enter()
