"""A Go client of a torture: two of them meet by name, and come back by name."""

import asyncio

from benchmarks.torture.players import Caller, World
from parlour.games.go import Go, Options

COLOURS = ("black", "white")
SILENCE = 1.0  # seconds without a word after which one asks whether there is a game at all
NOBODY = "nobody"  # who plays here is never called so
GIVEN_UP = 5.0  # seconds after that
# The answers to junk, a goodbye, and what a connection hears that its own client has left.
EXPECTED = ("keyword FOO", "is not a number", "restarting", "logged in again")


class Nedap(Caller):
    """Plays one game of Go against the named opponent."""

    protocol = "nedap"

    def __init__(self, world: World, size: int, name: str = "", opponent: str = "") -> None:
        super().__init__(world, name)
        self.size = size
        self.opponent = opponent
        self._rest = b""
        self._loser: str | None = None
        self._ready = False  # READY was said on this connection
        self._waits = False  # the server has said that the game goes on later

    def enter(self) -> None:
        self._rest, self._ready, self._waits = b"", False, False
        self.say(f"PLAYER {self.name}\n".encode())
        if self.begun:
            asyncio.get_running_loop().call_later(SILENCE, self._wonder, self.transport)
        else:
            self._look()

    def _look(self) -> None:
        self.say(f"GO {self.size} {self.opponent}".rstrip().encode() + b"\n")

    def _wonder(self, transport: object) -> None:
        """Is there a game? With one, GO is answered by a warning or leads to READY."""
        if transport is not self.transport or self.over or self._ready or self._waits:
            return
        loop = asyncio.get_running_loop()
        if self.stalled:  # what was said has not been read
            loop.call_later(SILENCE, self._wonder, transport)
        else:
            self.say(f"GO {self.size} {NOBODY}\n".encode())
            loop.call_later(GIVEN_UP, self._give_up, transport)

    def _give_up(self, transport: object) -> None:
        if transport is not self.transport or self.over or self._ready or self._waits:
            return
        if self.stalled:
            asyncio.get_running_loop().call_later(GIVEN_UP, self._give_up, transport)
        else:
            self.missed()

    def ask(self, move: str) -> None:
        line = "PASS" if move == "pass" else f"MOVE {move.replace(',', ' ')}"
        self.say(f"{line}\n".encode())

    def junk(self) -> bytes:
        return b"CHAT " + b"x" * 1000 + b"\n" + b"FOO\nMOVE a b\n" * 20

    def hear(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if not self.over:
                self._line(line.decode())
        self.consider()

    def _line(self, line: str) -> None:
        keyword, *words = line.split(" ")
        match keyword, words:
            case "READY", [colour, _, size]:
                self._ready = True
                position = Go().start(Options(size=int(size)), 2)
                self.begin(position, COLOURS.index(colour), 2, identity=f"nedap:{self.name} ")
            case "VALID", [colour, x, y]:
                self.told(COLOURS.index(colour), f"{x},{y}")
            case "PASSED", [colour]:
                self.told(COLOURS.index(colour), "pass")
            case (("INVALID" | "TABLEFLIPPED"), [colour, *_]):
                self._loser = colour
                self.out(COLOURS.index(colour))
            case "END", ["-1", "-1"]:
                lost = COLOURS.index(self._loser or "black")
                self.ended([[1 - lost], [lost]])
            case "END", [black, white]:
                self._end(int(black), int(white))
            case "WAITING", []:
                self.seated.set()
            case "CHAT", ["server:", "your", "game", *_]:
                self._waits = True
            case "CHAT", ["server:", "the", "game", "is", "called", "off:", *_]:
                self.called_off()
            case "WARNING", _:
                self._warned(line)

    def _end(self, black: int, white: int) -> None:
        ranking = [[0, 1]] if black == white else [[0], [1]] if black > white else [[1], [0]]
        self.ended(ranking, [black, white])

    def _warned(self, line: str) -> None:
        if "called off" in line:
            self.called_off()
        elif "choose another" in line:  # the server still believes in the connection before
            asyncio.get_running_loop().call_later(0.2, self._try_again, self.transport)
        elif "are in a game already" in line:
            self._waits = True
        elif not any(words in line for words in EXPECTED):
            self.refused(line)

    def _try_again(self, transport: object) -> None:
        if transport is self.transport and not self.over:
            self.enter()
