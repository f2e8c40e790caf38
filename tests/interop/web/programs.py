"""Programs of other protocols as somebody would begin them: a socket and nothing else."""

import json
import struct
from types import TracebackType
from typing import Any, Self

from tests.cli.servers import Server


class Program:
    """One blocking connection, closed at the end of the test."""

    def __init__(self, server: Server, door: str) -> None:
        self.socket = server.connect(door)
        self.file = self.socket.makefile("rwb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.file.close()
        self.socket.close()

    def sends(self, data: bytes) -> None:
        self.file.write(data)
        self.file.flush()


class Nedap(Program):
    """A Go player on a line."""

    def __init__(self, server: Server, name: str) -> None:
        super().__init__(server, "nedap")
        self.says(f"PLAYER {name}")

    def says(self, line: str) -> None:
        self.sends(f"{line}\n".encode())

    def hears(self, wanted: str) -> str:
        """The next line that begins so; the others are passed over."""
        while line := self.file.readline().decode().rstrip("\n"):
            if line.startswith(wanted):
                return line
        raise AssertionError(f"never heard {wanted}")


class Ruc(Program):
    """A Chinese checkers player in a room."""

    def __init__(self, server: Server, room: str, name: str) -> None:
        super().__init__(server, "ruc")
        self.name = name
        self.zone = ""
        self.asks(200000, room, name)
        self.hears(200001)

    def asks(self, op: int, data1: str = "", data2: str = "") -> None:
        self.sends(json.dumps({"op": op, "data1": data1, "data2": data2}).encode() + b"\n")

    def hears(self, op: int) -> dict[str, Any]:
        """The next message of that kind; the others are passed over."""
        while line := self.file.readline():
            told: dict[str, Any] = json.loads(line)
            if told["op"] == op:
                return told
        raise AssertionError(f"never heard {op}")

    def begins(self) -> None:
        """Learn the own zone from START_GAME."""
        told = self.hears(200005)
        zones = dict(zip(told["data1"].split(), told["data2"].split(), strict=True))
        self.zone = zones[self.name]

    def plays(self, move: str) -> None:
        """Play canonical text, as the pairs of MOVE."""
        self.asks(200007, self.zone, move.replace(",", " ").replace(">", " "))


class Textbook(Program):
    """A tic-tac-toe player of integers."""

    def __init__(self, server: Server) -> None:
        super().__init__(server, "textbook")

    def ints(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f">{count}i", self.file.read(4 * count))

    def mark(self, row: int, column: int) -> None:
        self.sends(struct.pack(">ii", row, column))
