"""What the n-th move of a very long game costs: 15,000 moves on 131 by 131, served and recorded.

Two connections play over sockets on a log on the disk. `rows` fills row after row, so that early
and late moves have the same neighbours; `random` fills the board, so that late moves touch and
capture more. What the rules alone cost is in `benchmarks.rules_go`.
"""

import contextlib
import socket

from benchmarks.figures import Figure
from benchmarks.processes import BenchError, Running, parlour
from benchmarks.rules_go import LONG, Moves, random_game

SIZE = 131
PART = 1000  # moves at the beginning that are compared with as many at the end
WITHIN = 10.0  # seconds for an answer


class Player:
    """One end of the game, line by line."""

    def __init__(self, port: int, name: str) -> None:
        self.connection = socket.create_connection(("127.0.0.1", port), WITHIN)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self.connection.makefile("rb")
        self.say(f"PLAYER {name}\nGO {SIZE}")

    def say(self, text: str) -> None:
        self.connection.sendall(text.encode() + b"\n")

    def hear(self, keyword: bytes) -> bytes:
        """The next line, which begins with `keyword`.

        Raises:
            BenchError: it is another.
        """
        line = self._lines.readline()
        if not line.startswith(keyword):
            raise BenchError(f"expected {keyword.decode()}, not {line!r}")
        return line


def rows() -> Moves:
    """Points in the order of the lines of a page."""
    return [(x, y) for y in range(SIZE) for x in range(SIZE)][:LONG]


def play(server: Running, moves: Moves) -> float:
    """The server's processor time for the last moves by that for the first."""
    spent = []
    with contextlib.ExitStack() as stack:
        players = [Player(server.ports["nedap"], name) for name in ("alice", "bob")]
        for player in players:
            stack.enter_context(player.connection)
            player.hear(b"WAITING")
        black = b"black" in players[0].hear(b"READY")
        players[1].hear(b"READY")
        turns = players if black else players[::-1]
        for first in range(0, len(moves), PART):
            before = server.processor()
            for ply, (x, y) in enumerate(moves[first : first + PART], first):
                turns[ply % 2].say(f"MOVE {x} {y}")
                for player in turns:
                    player.hear(b"VALID")
            spent.append(server.processor() - before)
    return spent[-1] / spent[0]


def measure(rounds: int) -> list[Figure]:
    """Both games, in turns, on a new server each time."""
    games = {"rows": rows(), "random": random_game(SIZE, LONG, 1)}
    ratios: dict[str, list[float]] = {name: [] for name in games}
    for _ in range(rounds):
        for name, moves in games.items():
            with parlour("nedap") as server:
                ratios[name].append(play(server, moves))
    return [
        Figure(f"131x131 served, last/first 1,000 {name}", "ratio", rounds_of, most=1.3)
        for name, rounds_of in ratios.items()
    ]
