"""Every command of the README, as it is written there, in a clone that knows nothing yet."""

import contextlib
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.interop.web.guests import CHROMIUM, FLAGS
from tests.interop.xmpp.servers import Prosody

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()
]
SOON = 120.0  # seconds; a first start downloads its packages and builds the page

pytestmark = [pytest.mark.slow, pytest.mark.external, pytest.mark.timeout(300)]


class Clone:
    """A fresh clone, and the programs that run in it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, command: str) -> str:
        """Run a command to its end and give what it printed.

        A newcomer has no terminal behind standard input here, so nothing is typed.
        """
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.path, capture_output=True, text=True, timeout=SOON
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextlib.contextmanager
    def running(self, command: str) -> Iterator["Program"]:
        """A program that goes on until the end of the block."""
        process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=self.path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        watchdog = threading.Timer(SOON, process.kill)  # a program that says nothing is a failure
        watchdog.start()
        try:
            yield Program(process)
        finally:
            watchdog.cancel()
            process.terminate()
            process.communicate(timeout=SOON)


class Program:
    """Somebody at a terminal: reads until a word appears, types a line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def reads(self, word: str) -> str:
        """Everything printed up to the line with `word`."""
        assert self._process.stdout is not None
        came = ""
        for line in self._process.stdout:
            came += line
            if word in line:
                return came
        pytest.fail(f"no {word!r} in {came!r}")

    def types(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    path = tmp_path_factory.mktemp("newcomer") / "parlour"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(path)], check=True)
    return Clone(path)


def written(beginning: str) -> str:
    """The one command of the README that begins so."""
    command: str
    (command,) = [command for command in COMMANDS if command.startswith(beginning)]
    COVERED.add(command)
    return command


COVERED: set[str] = set()


def play_to_a_win(first: Program, second: Program) -> None:
    first.reads("you begin")
    for mover, other, cell in (
        (first, second, "0 0"),
        (second, first, "1 0"),
        (first, second, "0 1"),
        (second, first, "1 1"),
    ):
        mover.types(cell)
        other.reads("The other player marks")
    first.types("0 2")
    first.reads("You won!")
    second.reads("Player 1 won.")


def test_textbook_players_and_what_the_log_says_of_them(clone: Clone) -> None:
    play = written("./run play textbook")
    with clone.running("./run") as server:
        COVERED.add("./run")
        server.reads("textbook")
        with clone.running(play) as first:
            first.reads("You are player 1")
            with clone.running(play) as second:
                play_to_a_win(first, second)
    (line,) = clone.run(written("./run matches")).splitlines()
    match_id = line.split()[0]
    replay = clone.run(written("./run replay").replace("ID", match_id))
    assert replay.endswith("X X X\nO O .\n. . .\n\nresult: 1. x; 2. o\n")
    assert '"tictactoe"' in clone.run(written("./run export").replace("ID", match_id))


def test_two_terminals_play_go(clone: Clone) -> None:
    with clone.running("./run") as server:
        server.reads("nedap")
        nc = written("nc ")
        with clone.running(nc) as alice, clone.running(nc) as bob:
            for player, name in ((alice, "alice"), (bob, "bob")):
                player.types(f"PLAYER {name}")
                player.types("GO 9")
                player.reads("WAITING")
            alice.reads("READY black bob 9")
            alice.types("MOVE 4 4")
            bob.reads("VALID black 4 4")
            bob.types("PASS")
            alice.reads("PASSED white")
            alice.types("EXIT")
            bob.reads("END -1 -1")
        play = written("./run play nedap")
        other = play.replace("alice", "bob")
        with clone.running(play) as alice:
            alice.reads("Waiting")
            stack = contextlib.ExitStack()
            bob = stack.enter_context(clone.running(other))
            alice.reads("You have black against bob on 9.")
            alice.types("4 4")
            bob.reads("black plays 4 4")
            stack.close()


def test_three_terminals_play_chinese_checkers(clone: Clone) -> None:
    play = written("./run play ruc")
    with clone.running("./run") as server:
        server.reads("ruc")
        with contextlib.ExitStack() as open_terminals:
            players = []
            for name in ("alice", "bob", "cleo"):  # who comes first sits in zone A
                player = open_terminals.enter_context(clone.running(play.replace("alice", name)))
                player.reads("You are in garden")
                players.append(player)
            alice, bob, cleo = players
            for player in (alice, bob, cleo):
                player.types("ready")
            alice.reads("Your turn.")
            alice.types("-4 5 -4 4")
            bob.reads("A moves -4,5>-4,4.")
            bob.types("leave")
            cleo.reads("C is out (left, or took too long).")
            cleo.types("leave")
            alice.reads("1. alice")


def test_a_page_over_xmpp_plays_a_textbook_player(clone: Clone) -> None:
    if not Prosody.installed() or shutil.which("npm") is None or not Path(CHROMIUM).exists():
        pytest.skip("needs prosody, npm and chromium")
    clone.run(written("npm "))
    with clone.running("./run") as server, sync_playwright() as playwright:
        server.reads("anonymous.localhost")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.goto((clone.path / "examples/strophe/index.html").as_uri())
        expect(page.locator("p")).to_have_text(re.compile("waiting for somebody to play o"))
        with clone.running(written("./run play textbook")) as textbook:
            textbook.reads("You are player 2")
            expect(page.locator("p")).to_have_text("active, next is x")
            page.locator("td").nth(4).click()
            textbook.reads("The other player marks row 1, column 1.")
        browser.close()


@pytest.mark.parametrize("beginning", ["./run --print-config", "./run --config", "./run --data"])
def test_an_operator_starts_the_server(clone: Clone, beginning: str) -> None:
    command = written(beginning)
    (clone.path / "parlour.toml").write_text(clone.run("./run --print-config"))
    if "print" in beginning:
        return
    with clone.running(command) as server:
        server.reads("textbook")


def test_check_is_what_runs_this() -> None:
    assert (ROOT / written("./check")).stat().st_mode & 0o100


def test_no_command_is_left_out() -> None:
    assert set(COMMANDS) == COVERED
