"""`parlour play textbook` as a person meets it: processes with typed lines, on a real server."""

import os
import signal
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.servers import COMMAND, SOON, Server, free_port, parlour
from tests.terminals import Terminal

pytestmark = pytest.mark.slow

ASK = "Your row and column, from 0 (as in 1 2): "


def person(port: int, *protocol: str) -> Terminal:
    """Somebody who plays, textbook unless told otherwise."""
    return Terminal(*COMMAND, "play", *(protocol or ("textbook",)), f"127.0.0.1:{port}")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, doors=("textbook",)) as running:
        yield running


@pytest.mark.parametrize(
    ("moves", "verdicts"),
    [
        ("00 10 01 11 02", ("You won!", "Player 1 won.")),
        ("00 11 01 02 20 10 12 21 22", ("The game is over: a draw.",) * 2),
    ],
    ids=["a win", "a draw"],
)
def test_two_people_play(server: Server, moves: str, verdicts: tuple[str, str]) -> None:
    port = server.ports["textbook"]
    with person(port) as one:
        one.reads_until("You are player 1")
        with person(port) as two:
            two.reads_until("You are player 2")
            for ply, move in enumerate(moves.split()):
                mover = (one, two)[ply % 2]
                mover.reads_until(ASK)
                mover.types(f"{move[0]} {move[1]}")
            for player, verdict in zip((one, two), verdicts, strict=True):
                player.reads_until(verdict)
                status, _, said = player.end()
                assert (status, said) == (0, "")


def test_wrong_typing_is_asked_for_again(server: Server) -> None:
    port = server.ports["textbook"]
    with person(port) as one:
        one.types("0 0")
        one.reads_until("It is not your turn yet.")
        with person(port) as two:
            one.reads_until(ASK)
            one.types("top left")
            one.reads_until("'top left' is no row and column. ")
            one.types("3 3")
            one.reads_until("That is not possible: ")
            one.types("1 1")
            assert "The other player marks row 1, column 1." in two.reads_until(ASK)


def test_the_end_of_the_input_leaves_the_game(server: Server) -> None:
    port = server.ports["textbook"]
    with person(port) as one, person(port) as two:
        one.reads_until("You are player ")
        two.reads_until("You are player ")
        assert one.process.stdin is not None
        one.process.stdin.close()
        assert one.process.wait(SOON) == 0
        two.reads_until("You won!")
        assert two.end() == (0, "", "")


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
def test_a_server_that_goes_is_told_in_a_sentence(reset: bool) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        person(listener.getsockname()[1]) as one,
    ):
        connection, _ = listener.accept()
        connection.sendall(struct.pack(">i", 1))
        one.reads_until("You are player 1")
        if reset:  # no lingering: the close is an RST
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        one.reads_until("The server closed the connection before a game began.")
        assert one.end() == (1, "", "")


@pytest.mark.parametrize(
    "who",
    [("textbook",), ("nedap", "--name", "alice"), ("ruc", "--room", "garden", "--name", "alice")],
    ids=lambda who: who[0],
)
def test_ctrl_c_leaves_quietly(who: tuple[str, ...]) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        person(listener.getsockname()[1], *who) as one,
    ):
        connection, _ = listener.accept()
        with connection:
            one.reads_until("Connected")
            one.process.send_signal(signal.SIGINT)
            status, _, said = one.end()
    assert (status, said) == (130, "")


def test_bytes_that_are_no_text_are_typing_like_any_other(server: Server) -> None:
    with person(server.ports["textbook"]) as one:
        one.reads_until("You are player 1")
        assert one.process.stdin is not None
        os.write(one.process.stdin.fileno(), b"\xff\n")
        one.reads_until("It is not your turn yet.")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_nobody_listening_is_told_in_a_sentence(host: str) -> None:
    where = f"{host}:{free_port()}"
    ended = parlour("play", "textbook", where)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"parlour: nobody answers at {where}: ")
    assert "None" not in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("where", ["off", "8000", "localhost"])
def test_what_is_no_address_is_told_in_a_sentence(where: str) -> None:
    ended = parlour("play", "textbook", where)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"parlour: {where!r} is no address: expected HOST:PORT\n"


@pytest.mark.parametrize(
    ("protocol", "said", "status"),
    [
        (
            ("nedap", "--name", "alice"),
            "READY black b\x1b[2Job 5\nPASSED \x9bb\nPASSED \u202eb\n",
            1,
        ),
        (
            ("ruc", "--name", "alice", "--room", "garden"),
            '{"data1":"alice b\\u001b[2J","data2":"A D","op":200005}\n'
            '{"data1":"D A","data2":"","op":200009}\n',
            0,
        ),
    ],
    ids=["nedap", "ruc"],
)
def test_a_server_cannot_steer_the_terminal(
    protocol: tuple[str, ...], said: str, status: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        where = f"127.0.0.1:{listener.getsockname()[1]}"
        with subprocess.Popen(
            [*COMMAND, "play", *protocol, where],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        ) as process:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(said.encode())
                connection.shutdown(socket.SHUT_WR)
                assert process.wait(SOON) == status
            assert process.stdout is not None
            shown = process.stdout.read().decode()
    assert "alice" in shown
    assert all(line.isprintable() for line in shown.split("\n"))
