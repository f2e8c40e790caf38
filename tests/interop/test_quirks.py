"""Scripted peers with the habits of real clients that hurt, each in a whole game at a real server.

The habits are those of the public clients that were played here, see docs/reference/ruc.md and
nedap.md, and of reports about others.
"""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from parlour.games.chinese_checkers import ChineseCheckers, Options
from tests.cli.servers import SOON, Server

pytestmark = pytest.mark.slow

JOIN, LEAVE, READY, START_GAME, START_TURN, MOVE, END_GAME = (
    200000, 200002, 200004, 200005, 200006, 200007, 200009
)  # fmt: skip
ROUNDS = 2


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with short games of Chinese checkers."""
    config = tmp_path / "parlour.toml"
    config.write_text(f"[ruc]\nmax_rounds = {ROUNDS}\n")
    with Server(tmp_path / "data", "--config", str(config), doors=("ruc", "nedap")) as running:
        yield running


class Peer:
    """Takes what one `recv` gives for whole lines, as `readAll().split('\\n')` does in real ones.

    A line that came in two segments would be lost to it, so it insists that none does.
    """

    def __init__(self, server: Server, door: str) -> None:
        self.socket = server.connect(door)
        self.socket.settimeout(SOON)
        self.lines: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def says(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\n")

    def segment(self) -> list[str]:
        """The lines of the next segment."""
        data = self.socket.recv(65536)
        assert data.endswith(b"\n"), data
        return data.decode().splitlines()

    def hears(self, wanted: str) -> str:
        """The next line that begins so."""
        while True:
            while self.lines:
                line = self.lines.pop(0)
                if line.startswith(wanted):
                    return line
            self.lines = self.segment()


class Ruc(Peer):
    """The same for frames."""

    def asks(self, op: int, data1: str = "", data2: str = "") -> None:
        self.says(json.dumps({"op": op, "data2": data2, "data1": data1}))

    def told(self, op: int) -> dict[str, Any]:
        """The next frame of that operator."""
        while True:
            frame: dict[str, Any] = json.loads(self.hears("{"))
            if frame["op"] == op:
                return frame


def play(alice: Ruc, bob: Ruc) -> None:
    """A game to the round limit; nobody names the own zone from memory, only from START_GAME."""
    for one in (alice, bob):
        one.asks(READY)
    zones = [one.told(START_GAME)["data2"].split() for one in (alice, bob)]
    assert zones == [["A", "D"]] * 2
    position = ChineseCheckers().start(Options(max_rounds=ROUNDS), 2)
    while position.turn is not None:
        mover, other = (alice, bob) if position.turn == 0 else (bob, alice)
        assert mover.told(START_TURN)["data1"] == zones[0][position.turn]
        move = next(iter(position.moves()))
        mover.asks(MOVE, zones[0][position.turn], move.replace(",", " ").replace(">", " "))
        assert other.told(MOVE)["data2"] == move.replace(",", " ").replace(">", " ")
        if (position := position.play(move)).turn is not None:
            assert other.told(START_TURN)["data1"] == zones[0][position.turn]
            other.lines.insert(0, json.dumps({"op": START_TURN, "data1": zones[0][position.turn]}))
    for one in (alice, bob):
        assert sorted(one.told(END_GAME)["data1"].split()) == ["alice", "bob"]


def test_frames_come_whole_and_leaving_with_swapped_fields_leads_to_the_next_game(
    server: Server,
) -> None:
    with Ruc(server, "ruc") as alice, Ruc(server, "ruc") as bob:
        for _ in range(2):
            alice.asks(JOIN, "garden", "alice")
            alice.told(200001)
            bob.asks(JOIN, "garden", "bob")
            bob.told(200001)
            play(alice, bob)
            alice.asks(LEAVE, "alice", "garden")  # the wrong way round, and out already
            bob.asks(LEAVE)


def test_end_is_the_last_that_a_client_hears_of_a_game(server: Server) -> None:
    """One real client loses whatever follows END in its segment, and asks for the next game."""
    with Peer(server, "nedap") as alice, Peer(server, "nedap") as bob:
        alice.says("GO alice 5")  # the old form
        alice.hears("WAITING")
        bob.says("GO bob 5")
        for game in range(2):
            assert alice.hears("READY") == f"READY {'black' if game == 0 else 'white'} bob 5"
            black, white = (alice, bob) if game == 0 else (bob, alice)
            bob.hears("READY")
            for one, line in (
                (black, "MOVE 1 1"),
                (white, "PASS"),
                (black, "PASS"),
                (white, "PASS"),
            ):
                one.says(line)
                black.hears("VALID" if line.startswith("MOVE") else "PASSED")
            while not (segment := white.segment())[-1].startswith("END"):
                assert not any(line.startswith("END") for line in segment)
            black.hears("END")
            assert black.lines == []
            bob.says("GO 5")
            bob.hears("WAITING")
            alice.says("GO 5")


def test_a_client_that_comes_again_at_once_and_ever_again_is_let_in(server: Server) -> None:
    """Real ones connect anew in a tight loop when they are closed; the name is theirs each time."""
    for _ in range(200):
        with Peer(server, "nedap") as erik:
            erik.says("PLAYER erik\r")
            erik.says("GO 5\r")
            assert erik.segment()[-1] == "WAITING" or erik.hears("WAITING")
            erik.socket.shutdown(socket.SHUT_RDWR)
