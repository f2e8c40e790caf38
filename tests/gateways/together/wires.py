"""Clients of the plain protocols on wires in memory; each knows what it was told, and no more.

A wire has no kernel: what a client writes is heard at once, and what the server writes is kept
until the client reads it. `killed` is SIGKILL seen from here: the wire is silent from then on.
"""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.clients.nedap import NedapClient
from parlour.gateways import Connection
from parlour.wire import ruc, textbook
from parlour.wire.nedap import End, Passed, Ready, Valid
from tests.gateways.wire import Wire

Dial = Callable[[asyncio.Transport], Connection]
FREE = [f"{x},{y}" for y in range(3) for x in range(3)]


class Told(NamedTuple):
    """A game as one client was told of it: the others' moves in order, and whether it is over."""

    identity: str
    moves: list[str]
    over: bool = False


class Line:
    """One client, connected or not; subclasses speak and listen."""

    kind = ""

    def __init__(self, name: str, address: str) -> None:
        self.name = name
        self.address = address
        self.games: list[Told] = []
        self.identity = ""
        self._wire: Wire | None = None
        self._read = 0
        self._last = b""

    @property
    def connected(self) -> bool:
        return self._wire is not None and not self._wire.closed

    def connects(self, dial: Dial) -> None:
        """Come in by a new connection, and log in."""
        self._wire = Wire(self.address)
        self._read = 0
        self.begins(dial(self._wire))

    def begins(self, connection: Connection) -> None:
        """A connection is new: nothing has been said on it."""

    def drops(self) -> None:
        """The connection is reset."""
        if self._wire is not None:
            self._wire.abort()

    def killed(self) -> None:
        """The server is gone without a word."""
        if self._wire is not None:
            self._wire.closed = True

    def says(self, data: bytes, pieces: int = 1) -> None:
        """Write something, in one piece or several."""
        if self._wire is None or self._wire.closed:
            return
        self._last = data
        size = max(1, len(data) // pieces)
        for begin in range(0, len(data), size):
            if not self._wire.closed:
                self._wire.protocol.data_received(data[begin : begin + size])

    def repeats(self) -> None:
        """The last thing said is said again."""
        self.says(self._last)

    def listens(self) -> None:
        """Take in what has come."""
        if self._wire is None:
            return
        data, self._read = self._wire.data[self._read :], len(self._wire.data)
        if data:
            self.hears(data)
        if self._wire.ended:  # and goes, as it has read the end
            self._wire.abort()

    def hears(self, data: bytes) -> None:
        raise NotImplementedError

    def told(self, move: str) -> None:
        """Another move of the game that goes on."""
        self.games[-1].moves.append(move)

    def ends(self) -> None:
        """The game is over."""
        if self.games:
            self.games[-1] = self.games[-1]._replace(over=True)

    def plays(self, legal: Callable[[str], list[str]], choice: int) -> None:
        """A move, legal where `legal` knows one."""
        raise NotImplementedError

    def wants(self, choice: int) -> None:
        """Anything that can be said beside a move."""
        raise NotImplementedError


class TextbookLine(Line):
    """A player without a name: one game on each connection."""

    kind = "textbook"

    def begins(self, connection: Connection) -> None:
        self._codec = textbook.ClientCodec()
        self._seat = 0
        self._over = False
        # Nothing that it is told says who it is.
        session: Any = connection._session
        self.identity = session._identity
        self.games.append(Told(self.identity, []))

    def hears(self, data: bytes) -> None:
        for message in self._codec.feed(data):
            match message:
                case textbook.Role(player):
                    self._seat = player - 1
                case textbook.Result(status):
                    self._over = status is not textbook.Status.CONTINUE
                    if self._over:
                        self.ends()
                case textbook.Move(row, column):
                    self._marked(f"{column},{row}")
                case textbook.Start():
                    pass
                case _:
                    raise AssertionError(message)

    def _marked(self, move: str) -> None:
        # With the result the last move that was told is told again where none came after it.
        told = self.games[-1].moves
        if not (self._over and told and told[-1] == move):
            self.told(move)

    def plays(self, legal: Callable[[str], list[str]], choice: int) -> None:
        moves = legal(self.identity) or FREE
        x, y = moves[choice % len(moves)].split(",")
        self.says(textbook.encode_move(textbook.Move(int(y), int(x))))

    def wants(self, choice: int) -> None:
        self.says([b"\0\0", b"GET / HTTP/1.1\r\n", bytes(8)][choice % 3])


class NedapLine(Line):
    """A Go player who knows the rules: what the server says of a game must be one."""

    kind = "nedap"

    def begins(self, connection: Connection) -> None:
        self._client = NedapClient()
        self.identity = f"nedap:{self.name} {self.address}"
        self.says(self._client.log_in(self.name))

    def hears(self, data: bytes) -> None:
        for message in self._client.receive(data):
            match message:
                case Ready():
                    self.games.append(Told(self.identity, []))
                case Valid(_, x, y):
                    self.told(f"{x},{y}")
                case Passed():
                    self.told("pass")
                case End():
                    self.ends()
                case _:
                    pass
        assert not self._client.disagreement

    def plays(self, legal: Callable[[str], list[str]], choice: int) -> None:
        moves = legal(self.identity) or ["0,0", "pass"]
        move = moves[choice % len(moves)]
        self.says(b"PASS\n" if move == "pass" else f"MOVE {move.replace(',', ' ')}\n".encode())

    def wants(self, choice: int) -> None:
        lines = ["GO 5", "GO 5", "GO 5", "CHAT hi", "TABLEFLIP", "CANCEL", "EXIT", "MOVE 9 9", "!"]
        self.says(f"{lines[choice % len(lines)]}\n".encode(), 1 + choice % 3)


class RucLine(Line):
    """A Chinese checkers player, who is not told the own moves except by coming back."""

    kind = "ruc"
    _zone = ""

    def begins(self, connection: Connection) -> None:
        self._codec = ruc.Codec()
        self._zone = ""
        self.identity = f"ruc:{self.name} {self.address}"
        self._joins()

    def _joins(self) -> None:
        self.says(ruc.encode(ruc.Frame(ruc.Opcode.JOIN_ROOM, "garden", self.name)))

    def hears(self, data: bytes) -> None:
        for frame in self._codec.feed(data):
            assert isinstance(frame, ruc.Frame)
            if frame.op is ruc.Opcode.START_GAME:
                zones = dict(zip(frame.data1.split(), frame.data2.split(), strict=True))
                self._zone = zones[self.name]
                self.games.append(Told(self.identity, []))
            elif frame.op is ruc.Opcode.MOVE and frame.data1 != self._zone:
                self._moved(frame.data2)
            elif frame.op is ruc.Opcode.END_GAME:
                self.ends()

    def _moved(self, data2: str) -> None:
        if data2 != ruc.LOST:
            path = ruc.parse_path(data2)
            assert isinstance(path, tuple)
            self.told(">".join(f"{x},{y}" for x, y in path))

    def plays(self, legal: Callable[[str], list[str]], choice: int) -> None:
        moves = legal(self.identity) or ["-4,5>-4,4"]
        path = moves[choice % len(moves)].replace(",", " ").replace(">", " ")
        self.says(ruc.encode(ruc.Frame(ruc.Opcode.MOVE, self._zone or "A", path)))

    def wants(self, choice: int) -> None:
        match choice % 5:
            case 0 | 1:
                self.says(ruc.encode(ruc.Frame(ruc.Opcode.PLAYER_READY, self.name)), 2)
            case 2:
                self.says(ruc.encode(ruc.Frame(ruc.Opcode.LEAVE_ROOM, "garden", self.name)))
            case 3:
                self.says(b'{"op":1}\n')
            case _:
                self._joins()
