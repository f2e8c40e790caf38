"""Let a GTP engine play one game of Go on a Nedap server.

    .venv-run/bin/python examples/gnugo_nedap.py localhost:2727 --name gnu --size 9

./run makes that environment, with `parlour` in it; any other that has `parlour` does too.

GTP (Go Text Protocol, version 2) on one side, `parlour.clients.nedap` on the other. The engine
hears what the server confirms, never what it has only been asked for, so both always have the
same board. Without --engine the engine is GNU Go, playing by this server's rules: positional
superko, suicide of several stones, no komi. As the server counts every stone that stands, it
captures what is dead before it passes.
"""

import argparse
import os
import shlex
import shutil
import socket
import subprocess
import sys

from parlour.clients.nedap import NedapClient, Phase
from parlour.games import Refused
from parlour.wire.nedap import End, Invalid, Passed, Ready, Tableflipped, Told, Valid, Warning

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # GTP, "Vertices": I is left out, so boards end at 25.
GNU_GO = (
    "gnugo --mode gtp --level {level} --chinese-rules --positional-superko --allow-suicide "
    "--capture-all-dead --never-resign"
)
PLACES = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/games"  # Debian's place for it


class EngineError(Exception):
    """The engine cannot do what the game needs."""


class Engine:
    """A GTP engine in a process of its own."""

    def __init__(self, command: str) -> None:
        program, *arguments = shlex.split(command)
        path = shutil.which(program, path=PLACES)
        if path is None:
            raise EngineError(f"{program} is not found: install it, or name an engine by --engine")
        self._process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._size = 0

    def ask(self, command: str) -> str:
        """The answer to one command.

        Raises:
            EngineError: the engine says no, or nothing.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        lines = []
        while line := self._process.stdout.readline().rstrip():
            lines.append(line)
        answer = "\n".join(lines)
        if not answer.startswith("="):
            raise EngineError(f"{command}: {answer.removeprefix('? ') or 'no answer'}")
        return answer[1:].strip()

    def begin(self, size: int) -> None:
        """An empty board. The order matters: a size may bring a komi, and clear nothing."""
        if size > len(LETTERS):
            raise EngineError(f"GTP has letters for {len(LETTERS)} columns, not for {size}")
        self._size = size
        for command in (f"boardsize {size}", "clear_board", "komi 0"):
            self.ask(command)

    def play(self, colour: str, move: tuple[int, int] | None) -> None:
        """What the server has confirmed; None is a pass."""
        self.ask(f"play {colour} {self._vertex(move)}")

    def suggest(self, colour: str) -> tuple[int, int] | str:
        """A move that stays unplayed until the server confirms it; or `pass` or `resign`."""
        vertex = self.ask(f"genmove {colour}")
        if vertex.lower() == "resign":
            return "resign"
        self.ask("undo")
        if vertex.lower() == "pass":
            return "pass"
        return LETTERS.index(vertex[0].upper()), self._size - int(vertex[1:])

    def close(self) -> None:
        self._process.communicate("quit\n", timeout=10)

    def _vertex(self, move: tuple[int, int] | None) -> str:
        return "pass" if move is None else f"{LETTERS[move[0]]}{self._size - move[1]}"


def follow(engine: Engine, client: NedapClient, message: Told) -> None:
    """Tell the engine, and whoever watches, what the server says."""
    match message:
        case Ready(colour, opponent, size):
            print(f"{client.name} has {colour} against {opponent} on {size}", flush=True)
            engine.begin(size)
        case Valid(colour, x, y):
            engine.play(colour, (x, y))
        case Passed(colour):
            engine.play(colour, None)
        case Invalid(colour, reason):
            print(f"{colour} has lost by an illegal move: {reason}")
        case Tableflipped(colour):
            print(f"{colour} has given up or left")
        case Warning(text):
            print(f"warning: {text}", file=sys.stderr, flush=True)
        case End(scores):
            print(f"END {' '.join(map(str, scores))}", flush=True)


def think(engine: Engine, client: NedapClient) -> bytes:
    """The line for the engine's move; a pass where the rules forbid what it wants."""
    move = engine.suggest(client.colour)
    if move == "resign":
        return client.flip_table()
    if not isinstance(move, str):
        try:
            return client.move(*move)
        except Refused as no:
            print(f"the engine's {move} is not possible: {no.detail}", file=sys.stderr)
    return client.pass_turn()


def play(server: socket.socket, engine: Engine, client: NedapClient) -> bool:
    """One game; whether it came to its END."""
    asked: object = None  # the position that the engine's last move was for
    while data := server.recv(65536):
        for message in client.receive(data):
            follow(engine, client, message)
        if client.scores:
            server.sendall(client.exit())
            return True
        if client.phase is Phase.LOST or (client.phase is Phase.PLAYING and not client.position):
            raise EngineError(client.disagreement or "the server speaks otherwise")
        if client.my_turn and client.position is not asked:
            asked = client.position
            server.sendall(think(engine, client))
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description="Let a GTP engine play on a Nedap server.")
    parser.add_argument("server", metavar="HOST:PORT")
    parser.add_argument("--name", default="gnugo", help="a to z, at most 20 letters (gnugo)")
    parser.add_argument("--size", type=int, default=9, help="odd, 5 to 19 for GNU Go (9)")
    parser.add_argument("--opponent", metavar="NAME", help="play only against NAME")
    parser.add_argument("--level", type=int, default=1, help="of GNU Go, 1 to 10 (1)")
    parser.add_argument("--engine", default=GNU_GO, help="another GTP engine's command line")
    arguments = parser.parse_args()
    host, _, port = arguments.server.rpartition(":")
    client = NedapClient()
    try:
        engine = Engine(arguments.engine.replace("{level}", str(arguments.level)))
        try:
            engine.begin(arguments.size)  # better known before an opponent is found
            with socket.create_connection((host, int(port))) as server:
                looks = client.go(arguments.size, arguments.opponent)
                server.sendall(client.log_in(arguments.name) + looks)
                return 0 if play(server, engine, client) else 1
        finally:
            engine.close()
    except (EngineError, OSError, Refused) as error:
        print(f"gnugo_nedap: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    raise SystemExit(main())
