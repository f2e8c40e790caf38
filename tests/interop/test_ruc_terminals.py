"""Three terminals of `parlour play ruc`, as the README has it, play a game to its ranking."""

import contextlib
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.games.chinese_checkers import ChineseCheckers, Options
from tests.cli.servers import COMMAND, SOON, Server
from tests.games.chinese_checkers.play import greedy

pytestmark = [pytest.mark.slow]
NAMES = ("alice", "bob", "cleo")


class Terminal:
    """Somebody who reads what is printed, line by line, and types."""

    def __init__(self, port: int, name: str) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [*COMMAND, "play", "ruc", f"127.0.0.1:{port}", "--room", "garden", "--name", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def reads(self, beginning: str) -> list[str]:
        """Everything printed up to a line that begins so."""
        assert self.process.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith(beginning):
            line = self.process.stdout.readline()
            assert line, f"{self.name} ended after {lines}"
            lines.append(line.rstrip("\n"))
        return lines

    def types(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def rest(self) -> list[str]:
        """What is printed until the program has ended by itself."""
        assert self.process.stdout is not None
        assert self.process.wait(SOON) == 0
        return self.process.stdout.read().splitlines()

    def end(self) -> None:
        """Whatever has become of it, nothing is left."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


@contextlib.contextmanager
def terminals(port: int) -> Iterator[list[Terminal]]:
    """One for each name, in the order of joining."""
    opened: list[Terminal] = []
    try:
        for name in NAMES:
            opened.append(Terminal(port, name))
            opened[-1].reads("You are in garden")
        yield opened
    finally:
        for terminal in opened:
            terminal.end()


def test_a_game_of_three_to_its_ranking(tmp_path: Path) -> None:
    position = ChineseCheckers().start(Options(), 3)
    rng = random.Random(47)  # a seed with which greedy players all come home
    with Server(tmp_path, doors=("ruc",)) as server, terminals(server.ports["ruc"]) as players:
        for player in players:
            player.types("ready")
        while position.turn is not None:
            mover, zone = players[position.turn], position.zones[position.turn]
            mover.reads("Your turn.")
            move = greedy(position, rng)
            mover.types(move)
            position = position.play(move)
            for player in players:
                if player is not mover:
                    lines = player.reads(f"{zone} moves {move}.")
                    assert not [line for line in lines if line.startswith("!")]
        assert position.outcome is not None
        order = [NAMES[seat] for group in position.outcome.ranking for seat in group]
        ranking = [f"{place}. {name}" for place, name in enumerate(order, 1)]
        for player in players:
            rest = player.rest()
            assert rest[-3:] == ranking
        assert server.stop()[0] == 0


def test_who_leaves_is_last_and_the_others_hear_it(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("ruc",)) as server, terminals(server.ports["ruc"]) as players:
        alice, bob, cleo = players
        assert alice.reads("cleo comes in.")[-1].endswith("In the room: alice, bob, cleo.")
        for player in players:
            player.types("ready")
        alice.reads("Your turn.")
        bob.types("leave")
        assert bob.rest()[-1] == "You leave."
        alice.reads("C is out (left, or took too long).")
        assert cleo.process.stdin is not None
        cleo.process.stdin.close()  # the person closes the terminal
        cleo.process.wait(SOON)
        alice.reads("cleo leaves.")
        alice.types("-4 5 -4 4")
        alice.reads("cleo is on turn.")
        alice.types("leave")
        alice.rest()
