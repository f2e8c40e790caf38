"""The how-to pages as tests: a page's blocks are applied to a copy of the tree, and checked."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PATH_OR_BLOCK = re.compile(
    r"^`(?P<path>\S+)`:$|^```(?P<kind>python|diff)\n(?P<text>.*?)^```$", re.M | re.S
)
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
    lines = [(line[:1] or " ", line[1:].removesuffix(REST)) for line in diff.splitlines()]
    before = "\n".join(line for sign, line in lines if sign in " -")
    after = "\n".join(line for sign, line in lines if sign in " +")
    assert text.count(before) == 1, f"{before!r} is there {text.count(before)} times"
    return text.replace(before, after)


class Tree:
    """A copy of the tree, changed as a page says."""

    def __init__(self, page: str, path: Path, tests: Iterable[str]) -> None:
        """`page` is a file of docs/how-to, `tests` the files and folders of tests/ it needs."""
        self.path = path
        found = blocks((ROOT / "docs/how-to" / page).read_text(encoding="utf-8"))
        self.touched = sorted({block.path for block in found if block.path.endswith(".py")})
        for name in ("src", "pyproject.toml", "tests/conftest.py", *tests):
            self._copy(name)
        for block in found:
            self._change(block)

    def _copy(self, name: str) -> None:
        source, target = ROOT / name, self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "static"))
        else:
            shutil.copy(source, target)

    def _change(self, block: Block) -> None:
        file = self.path / block.path
        if block.kind == "python":
            assert not file.exists()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        else:
            file.write_text(changed(file.read_text(encoding="utf-8"), block.text), encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """What a Python program prints that has no `parlour` but the one in this tree."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.path,
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": str(self.path / "src"),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def passes_the_checks(self, law: str) -> None:
        """Format, lint and types of what the page touches, and the import laws, `law` of them."""
        self.run("-m", "ruff", "format", "--check", "--no-cache", *self.touched)
        self.run("-m", "ruff", "check", "--no-cache", *self.touched)
        self.run("-m", "mypy", "--follow-imports=silent", *self.touched)
        laws = self.run(
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        )
        assert f"{law} KEPT" in laws

    def passed(self, words: str) -> int:
        """How many tests there are whose names match `words`; all of them pass."""
        told = self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", words, "tests")
        return int(re.findall(r"([0-9]+) passed", told)[0])
