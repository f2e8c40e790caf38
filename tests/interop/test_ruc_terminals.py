"""Three terminals of `parlour play ruc`, as the README has it, play a game to its ranking."""

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.games.chinese_checkers import ChineseCheckers, Options
from tests.cli.servers import COMMAND, SOON, Server
from tests.games.chinese_checkers.play import greedy
from tests.terminals import Terminal

pytestmark = [pytest.mark.slow]
NAMES = ("alice", "bob", "cleo")


def rest(terminal: Terminal) -> list[str]:
    """What is printed until the program has ended by itself."""
    status, printed, _ = terminal.end()
    assert status == 0
    return printed.splitlines()


@contextlib.contextmanager
def terminals(port: int) -> Iterator[list[Terminal]]:
    """One for each name, in the order of joining."""
    command = (*COMMAND, "play", "ruc", f"127.0.0.1:{port}", "--room", "garden", "--name")
    with contextlib.ExitStack() as stack:
        opened: list[Terminal] = []
        for name in NAMES:
            opened.append(stack.enter_context(Terminal(*command, name)))
            opened[-1].reads_until("You are in garden")
        yield opened


def test_a_game_of_three_to_its_ranking(tmp_path: Path) -> None:
    position = ChineseCheckers().start(Options(), 3)
    rng = random.Random(47)  # a seed with which greedy players all come home
    with Server(tmp_path, doors=("ruc",)) as server, terminals(server.ports["ruc"]) as players:
        for player in players:
            player.types("ready")
        while position.turn is not None:
            mover, zone = players[position.turn], position.zones[position.turn]
            mover.reads_until("Your turn.")
            move = greedy(position, rng)
            mover.types(move)
            position = position.play(move)
            for player in players:
                if player is not mover:
                    lines = player.reads_until(f"{zone} moves {move}.")
                    assert not [line for line in lines if line.startswith("!")]
        assert position.outcome is not None
        order = [NAMES[seat] for group in position.outcome.ranking for seat in group]
        ranking = [f"{place}. {name}" for place, name in enumerate(order, 1)]
        for player in players:
            assert rest(player)[-3:] == ranking
        assert server.stop()[0] == 0


def test_who_leaves_is_last_and_the_others_hear_it(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("ruc",)) as server, terminals(server.ports["ruc"]) as players:
        alice, bob, cleo = players
        assert alice.reads_until("cleo comes in.")[-1].endswith("In the room: alice, bob, cleo.")
        for player in players:
            player.types("ready")
        alice.reads_until("Your turn.")
        bob.types("leave")
        assert rest(bob)[-1] == "You leave."
        alice.reads_until("C is out (left, or took too long).")
        assert cleo.process.stdin is not None
        cleo.process.stdin.close()  # the person closes the terminal
        cleo.process.wait(SOON)
        alice.reads_until("cleo leaves.")
        alice.types("-4 5 -4 4")
        alice.reads_until("cleo is on turn.")
        alice.types("leave")
        rest(alice)
