"""`docs/how-to/add-a-game.md` works: a copy of the tree changed as it says passes the checks."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to/add-a-game.md"
PATH_OR_BLOCK = re.compile(r"^`(?P<path>\S+)`:$|^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
REST = " ..."


class Block(NamedTuple):
    """A whole file (`python`) or a change to one (`diff`)."""

    path: str
    kind: str
    text: str


def blocks(page: str) -> list[Block]:
    """The blocks of a page; each belongs to the file named last before it."""
    found, path = [], ""
    for match in PATH_OR_BLOCK.finditer(page):
        path = match["path"] or path
        if match["kind"]:
            assert path, "a block before the first file"
            found.append(Block(path, match["kind"], match["text"]))
    return found


def changed(text: str, diff: str) -> str:
    """Put the `+` lines where the ` ` and `-` lines stand, which must be in one place only."""
    lines = [(line[0], line[1:].removesuffix(REST)) for line in diff.splitlines()]
    before = "\n".join(line for sign, line in lines if sign in " -")
    after = "\n".join(line for sign, line in lines if sign in " +")
    assert text.count(before) == 1, f"{before!r} is there {text.count(before)} times"
    return text.replace(before, after)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the tree, changed as the page says."""
    for folder in ("src", "tests/contracts"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "tests/conftest.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        file = tmp_path / block.path
        if block.kind == "python":
            assert not file.exists()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        else:
            file.write_text(changed(file.read_text(encoding="utf-8"), block.text), encoding="utf-8")
    return tmp_path


def run(tree: Path, *arguments: str) -> str:
    """What a Python program prints that has no `parlour` but the one in `tree`."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_change_needs_its_place() -> None:
    assert changed("a = (1, 2)\nb\n", "-a = (1, ...\n+a = (0, 1, ...\n") == "a = (0, 1, 2)\nb\n"
    assert changed("a\nb\n", " a\n+new\n") == "a\nnew\nb\n"
    with pytest.raises(AssertionError, match="0 times"):
        changed("a\n", " b\n+c\n")


@pytest.mark.slow
def test_the_page_adds_a_game_that_passes_every_check(tree: Path) -> None:
    touched = sorted({block.path for block in blocks(PAGE.read_text(encoding="utf-8"))})
    python = [path for path in touched if path.endswith(".py")]
    game = "src/parlour/games/connect_four"
    assert len(list((tree / game).iterdir())) == 4

    run(tree, "-m", "ruff", "format", "--check", "--no-cache", *python)
    run(tree, "-m", "ruff", "check", "--no-cache", *python)
    run(tree, "-m", "mypy", "--follow-imports=silent", *python)
    laws = run(
        tree,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    )
    assert "No game knows a game KEPT" in laws
    tests = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "connect_four", "tests")
    assert int(re.findall(r"([0-9]+) passed", tests)[0]) > 30
    names = "from parlour.cli import GAMES; print(*(game.name for game in GAMES))"
    assert "connect_four" in run(tree, "-c", names).split()
