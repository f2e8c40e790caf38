"""GNU Go plays GNU Go over the wire, by the example over our client library, to the end."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sgfmill.boards import Board
from sgfmill.sgf import Sgf_game

from tests.cli.servers import Server, parlour

pytestmark = [pytest.mark.external, pytest.mark.slow]

SCRIPT = Path(__file__).parents[2] / "examples" / "gnugo_nedap.py"
GAME_TAKES = 60  # seconds at the most, on a busy machine


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, doors=("nedap",)) as running:
        yield running


def gnugo(server: Server, name: str, *options: str) -> "subprocess.Popen[str]":
    """A player whose moves are GNU Go's."""
    return subprocess.Popen(
        [sys.executable, SCRIPT, f"127.0.0.1:{server.ports['nedap']}", "--name", name, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def end(player: "subprocess.Popen[str]") -> list[str]:
    """What it has shown; it must be content and without a warning."""
    try:
        shown, warned = player.communicate(timeout=GAME_TAKES)
    finally:
        player.kill()
    assert (player.returncode, warned) == (0, "")
    return shown.splitlines()


def the_record(data: Path) -> Sgf_game:
    """The only match of the log, as sgfmill reads its SGF."""
    (listed,) = parlour("matches", "--data", str(data)).stdout.splitlines()
    exported = parlour("export", listed.split()[0], "--data", str(data))
    return Sgf_game.from_bytes(exported.stdout.encode())


def replayed(game: Sgf_game) -> tuple[int, list[str]]:
    """Black's lead by sgfmill's own count, and who passed at last."""
    board, passed = Board(game.get_size()), list[str]()
    for node in game.get_main_sequence()[1:]:
        colour, move = node.get_move()
        if move is None:
            passed.append(colour)
        else:
            passed.clear()
            board.play(*move, colour)
    return board.area_score(), passed


@pytest.mark.parametrize("size", [9, 13])
def test_two_engines_play_to_the_end_and_agree_on_it(
    server: Server, tmp_path: Path, size: int
) -> None:
    players = [gnugo(server, name, "--size", str(size)) for name in ("alice", "bob")]

    shown = [end(player) for player in players]

    assert sorted(line[0].split()[2] for line in shown) == ["black", "white"]
    assert shown[0][1:] == shown[1][1:]
    word, black, white = shown[0][-1].split()
    assert word == "END"
    game = the_record(tmp_path)
    lead, passed = replayed(game)
    assert lead == int(black) - int(white)
    assert passed[-2:] == ["b", "w"]
    assert game.get_winner() == {1: "b", -1: "w", 0: None}[(lead > 0) - (lead < 0)]
    assert (game.get_size(), game.get_komi()) == (size, 0)
    seated = {line[0].split()[2][0]: line[0].split()[0] for line in shown}
    assert {colour: game.get_player_name(colour) for colour in "bw"} == seated


def test_an_engine_can_ask_for_its_opponent(server: Server) -> None:
    alice = gnugo(server, "alice", "--size", "5", "--opponent", "bob")
    bob = gnugo(server, "bob", "--size", "5", "--opponent", "alice")
    assert end(alice)[1:] == end(bob)[1:]


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ("8", "gnugo_nedap: bad-options: size 8 is not odd and 5 to 131"),
        ("21", "gnugo_nedap: boardsize 21: unacceptable size"),
        ("27", "gnugo_nedap: GTP has letters for 25 columns, not for 27"),
    ],
)
def test_a_board_beyond_the_engine_is_refused_before_a_game(
    server: Server, size: str, why: str
) -> None:
    player = gnugo(server, "alice", "--size", size)
    shown, warned = player.communicate(timeout=GAME_TAKES)
    assert (player.returncode, shown, warned.strip()) == (1, "", why)


def test_an_engine_that_is_not_there_is_said_in_one_sentence(server: Server) -> None:
    player = gnugo(server, "alice", "--engine", "gnu-go-of-nobody --mode gtp")
    shown, warned = player.communicate(timeout=GAME_TAKES)
    sentence = "gnu-go-of-nobody is not found: install it, or name an engine by --engine"
    assert (player.returncode, shown, warned) == (1, "", f"gnugo_nedap: {sentence}\n")
