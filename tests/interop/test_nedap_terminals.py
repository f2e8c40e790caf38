"""Two people play Go in two terminals: `parlour play nedap`, on a real server, to the end."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.servers import COMMAND, SOON, Server

pytestmark = pytest.mark.slow

ASK = "Your move, as in 3 4: "


class Person:
    """Somebody at a terminal: reads what is shown and types."""

    def __init__(self, server: Server, name: str, *options: str) -> None:
        where = f"127.0.0.1:{server.ports['nedap']}"
        self.process = subprocess.Popen(
            [*COMMAND, "play", "nedap", "--name", name, "--size", "5", *options, where],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def reads_until(self, wanted: str) -> list[str]:
        """The lines up to the one that begins with `wanted`."""
        assert self.process.stdout is not None
        shown: list[str] = []
        while not shown or not shown[-1].startswith(wanted):
            line = self.process.stdout.readline()
            assert line, (shown, self.process.communicate()[1])
            shown.append(line.rstrip("\n"))
        return shown

    def types(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def leaves(self) -> None:
        """`exit` ends the client without a complaint."""
        self.types("exit")
        _, complaints = self.process.communicate(timeout=SOON)
        assert (self.process.returncode, complaints) == (0, "")


@pytest.fixture
def people(tmp_path: Path) -> Iterator[tuple[Person, Person]]:
    """Alice, who waits, and Bob, who has just come."""
    with Server(tmp_path, doors=("nedap",)) as server:
        alice = Person(server, "alice")
        alice.reads_until("Waiting for an opponent.")
        bob = Person(server, "bob", "--opponent", "alice")
        try:
            yield alice, bob
        finally:
            for person in (alice, bob):
                if person.process.poll() is None:
                    person.process.kill()
                person.process.communicate()


def test_a_game_between_two_terminals(people: tuple[Person, Person]) -> None:
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
    alice.leaves()
    bob.reads_until("The game is over: you won.")
    bob.leaves()


def play_to_the_end(alice: Person, bob: Person) -> None:
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
