"""The container file, carried out step by step in folders instead of an image.

What is checked is all but the images themselves: that the wheel is built from a clean checkout,
that it runs where nothing else is installed, on the pinned versions, and that the command of the
image serves everything it says it does.
"""

import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.cli.servers import addresses
from tests.terminals import Terminal

ROOT = Path(__file__).resolve().parents[2]
LINES = (ROOT / "packaging/Containerfile").read_text("utf-8").splitlines()
IN_THE_IMAGE = re.compile(r"(?<!\S)/(?=(?:wheels|opt|data)\b)")
WITHIN = 240.0  # seconds for a step

pytestmark = [pytest.mark.slow, pytest.mark.external, pytest.mark.timeout(600)]


class Installed:
    """What the build stage leaves, below a folder that stands for the root of the image."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "source"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(self.source)], check=True)
        for line in LINES[: LINES.index("FROM python:3.13-slim")]:
            if line.startswith("RUN "):
                self.run(line.removeprefix("RUN "))

    def run(self, command: str) -> None:
        """Carry out a step with nothing but what the image has."""
        command = self.here(command).replace("python -m venv", f"{sys.executable} -m venv")
        clean = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
        done = subprocess.run(
            command, shell=True, cwd=self.source, env=clean, capture_output=True, timeout=WITHIN
        )
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"

    def here(self, text: str) -> str:
        """The same with our folder before every path of the image."""
        return IN_THE_IMAGE.sub(f"{self.root}/", text)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("image"))


def words(instruction: str) -> list[str]:
    (line,) = [line for line in LINES if line.startswith(instruction)]
    return [str(word) for word in json.loads(line.removeprefix(instruction))]


def test_the_command_of_the_image_serves_a_game(installed: Installed) -> None:
    (parlour,) = map(installed.here, words("ENTRYPOINT "))
    served = [re.sub(r"^0\.0\.0\.0:\d+$", "127.0.0.1:0", word) for word in words("CMD ")]
    with Terminal(parlour, *map(installed.here, served)) as server:
        ports = addresses(server.reads_until("web "))
        assert set(ports) == {"textbook", "nedap", "ruc", "web"}
        play = (parlour, "play", "textbook", ports["textbook"])
        with Terminal(*play) as one:
            one.reads_until("You are player 1")
            with Terminal(*play) as two:
                for ply, move in enumerate(("0 0", "1 0", "0 1", "1 1", "0 2")):
                    player = (one, two)[ply % 2]
                    player.reads_until("Your row and column")
                    player.types(move)
                one.reads_until("You won!")
                two.reads_until("Player 1 won.")
        page = urllib.request.urlopen(f"http://{ports['web']}/", timeout=WITHIN).read().decode()
        script = re.search(r'src="(/assets/[^"]+\.js)"', page)
        assert script is not None
        assert urllib.request.urlopen(f"http://{ports['web']}{script[1]}").status == 200


def test_every_port_that_is_exposed_is_listened_on() -> None:
    (exposed,) = [line.split()[1:] for line in LINES if line.startswith("EXPOSE ")]
    served = [word.rpartition(":")[2] for word in words("CMD ") if ":" in word]
    assert sorted(exposed) == sorted(served)


def test_what_git_does_not_keep_is_not_built_from() -> None:
    """A Node.js, say, that ./run brought for another kind of machine would be called."""
    kept_out = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()]
    wanted = {".git", *(path if "/" in path else f"**/{path}" for path in kept_out)}
    for name in (".containerignore", ".dockerignore"):
        told = (ROOT / name).read_text("utf-8").splitlines()
        assert wanted <= set(told), name


def test_the_source_archive_alone_makes_the_same_wheel(installed: Installed) -> None:
    installed.run(
        "/opt/parlour/bin/python -m hatchling build --target sdist --directory ../archives"
    )
    (archive,) = (installed.root / "archives").glob("*.tar.gz")
    installed.run(f"/opt/parlour/bin/pip wheel --no-deps --wheel-dir ../again {archive}")
    names = ("wheels", "again")
    first, second = (next((installed.root / name).glob("*.whl")).read_bytes() for name in names)
    assert first == second
