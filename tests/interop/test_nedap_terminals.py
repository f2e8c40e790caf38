"""Two people play Go in two terminals: `parlour play nedap`, on a real server, to the end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.servers import COMMAND, Server
from tests.terminals import Terminal

pytestmark = pytest.mark.slow

ASK = "Your move, as in 3 4: "


def person(server: Server, name: str, *options: str) -> Terminal:
    """Somebody who plays Go on the smallest board."""
    where = f"127.0.0.1:{server.ports['nedap']}"
    return Terminal(*COMMAND, "play", "nedap", "--name", name, "--size", "5", *options, where)


def leave(terminal: Terminal) -> None:
    """`exit` ends the client without a complaint."""
    terminal.types("exit")
    status, _, complaints = terminal.end()
    assert (status, complaints) == (0, "")


@pytest.fixture
def people(tmp_path: Path) -> Iterator[tuple[Terminal, Terminal]]:
    """Alice, who waits, and Bob, who has just come."""
    with Server(tmp_path, doors=("nedap",)) as server, person(server, "alice") as alice:
        alice.reads_until("Waiting for an opponent.")
        with person(server, "bob", "--opponent", "alice") as bob:
            yield alice, bob


def test_a_game_between_two_terminals(people: tuple[Terminal, Terminal]) -> None:
    alice, bob = people
    assert alice.reads_until(ASK)[0] == "You have black against bob on 5."
    bob.reads_until("You have white against alice on 5.")

    alice.types("1 0")
    assert bob.reads_until(ASK)[-8:-1] == [
        "black plays 1 0",
        "  0 1 2 3 4",
        "0 . X . . .",
        "1 . . . . .",
        "2 . . . . .",
        "3 . . . . .",
        "4 . . . . .",
    ]
    bob.types("1 0")
    bob.reads_until("That is not possible: point 1,0 is occupied by black.")
    bob.types("0 0")
    alice.reads_until(ASK)
    alice.types("0 1")
    assert bob.reads_until(ASK)[-6:-1] == [
        "0 . X . . .",
        "1 X . . . .",
        "2 . . . . .",
        "3 . . . . .",
        "4 . . . . .",
    ]
    bob.types("0 0")
    bob.reads_until("That is not possible: superko: repeats the position after move 3.")
    play_to_the_end(alice, bob)
    bob.types("go 5")
    bob.reads_until("Waiting for an opponent.")
    alice.types("go 5 bob")
    bob.reads_until("You have black against alice on 5.")
    leave(alice)
    bob.reads_until("The game is over: you won.")
    leave(bob)


def play_to_the_end(alice: Terminal, bob: Terminal) -> None:
    """Bob, who is to move, has no stone on the board."""
    bob.types("say well caught")
    alice.reads_until("bob: well caught")
    bob.types("pass")
    alice.reads_until(ASK)
    alice.types("pass")
    bob.reads_until(ASK)
    bob.types("pass")

    alice.reads_until("The game is over, 25 to 0: you won. `go 5` looks for the next game.")
    bob.reads_until("The game is over, 25 to 0: you lost. `go 5` looks for the next game.")
