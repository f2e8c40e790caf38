"""The laws of the house bite: a forbidden import makes the import check fail."""

import ast
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def lint(tree: pathlib.Path) -> subprocess.CompletedProcess[str]:
    """Run the import check on the copy in `tree`."""
    script = f"import sys; sys.path.insert(0, 'src'); {LINT}"
    return subprocess.run(
        [sys.executable, "-c", script, "--no-cache"], cwd=tree, capture_output=True, text=True
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "statement", "law"),
    [
        ("games/tictactoe/_sly.py", "import random", "Pure packages have no effects"),
        ("games/_sly.py", "import parlour.match", "Arrows point down"),
        ("games/tictactoe/_sly.py", "import parlour.games.go", "No game knows a game"),
        ("gateways/ruc/_sly.py", "import parlour.gateways.nedap", "No gateway knows a gateway"),
        ("gateways/ruc/_session.py", "import asyncio", "Sessions have no effects"),
        ("wire/_sly.py", "import parlour.games", "Wire stands on nothing of ours"),
        ("host/_sly.py", "import parlour.wire", "Only gateways and clients stand on wire"),
        ("stores/_sly.py", "import parlour.buses", "Arrows point down"),
    ],
)
def test_a_forbidden_import_is_found(
    tmp_path: pathlib.Path, module: str, statement: str, law: str
) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src")
    (tmp_path / "src/parlour" / module).write_text(f"{statement}\n")

    checked = lint(tmp_path)

    assert checked.returncode == 1
    assert any(
        line.startswith(law) and line.endswith("BROKEN") for line in checked.stdout.splitlines()
    )


def imported_roots(module: pathlib.Path) -> set[str]:
    """The first part of each name that a module imports."""
    roots = set[str]()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            roots |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            roots.add((node.module or "").partition(".")[0])
    return roots


@pytest.mark.parametrize("package", ["games", "wire"])
def test_games_and_wire_stand_on_the_standard_library_and_msgspec(package: str) -> None:
    allowed = {"parlour", "msgspec", *sys.stdlib_module_names}
    found = {
        str(module.relative_to(ROOT)): foreign
        for module in (ROOT / "src/parlour" / package).rglob("*.py")
        if (foreign := imported_roots(module) - allowed)
    }
    assert found == {}
