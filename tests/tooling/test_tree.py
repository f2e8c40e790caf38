"""Habits of the tree that no linter knows: sizes, first sentences, public names, no traces."""

import ast
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
MODULES = sorted(
    path.relative_to(ROOT)
    for folder in ("src", "tests", "benchmarks", "scripts")
    for path in (ROOT / folder).rglob("*.py")
)
# Spelt in pieces, or this file would find itself.
TRACES = re.compile(
    "|".join(
        [
            r"py" + r"pi\.org",
            r"python" + r"hosted\.org",
            r"registry\.npm" + r"js\.org",
            r"deb\.deb" + r"ian\.org",
            r"(?<![\w./-])/(?:work|root)" + r"/\w",
            r"/opt/" + r"(?:pypi|wheels)",
            r"^(?:<{7}|>{7}|\|{7}) ",
        ]
    ),
    re.MULTILINE,
)


def tree_of(module: pathlib.Path) -> ast.Module:
    return ast.parse((ROOT / module).read_text(encoding="utf-8"))


def public_names(module: ast.Module) -> set[str]:
    """The names that a module binds by import or definition and that no underscore hides."""
    names = set[str]()
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return {name for name in names if not name.startswith("_")}


def listed_names(module: ast.Module) -> list[str]:
    """What `__all__` says, or nothing when there is none."""
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_is_small_and_says_what_it_is_for(module: pathlib.Path) -> None:
    text = (ROOT / module).read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert len(text.splitlines()) <= LONGEST_FILE
    assert not text or ast.get_docstring(tree)
    long = {
        node.name: lines
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > LONGEST_FUNCTION
    }
    assert long == {}


PACKAGES = [module for module in MODULES if module.name == "__init__.py" and "src" in module.parts]


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_a_package_lists_the_names_it_offers(package: pathlib.Path) -> None:
    tree = tree_of(package)
    listed = listed_names(tree)
    assert set(listed) == public_names(tree)
    assert len(listed) == len(set(listed))


def test_no_tracked_file_bears_traces_of_a_machine_or_a_merge() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    found = {
        name: trace.group()
        for name in tracked
        if name and (ROOT / name).is_file()
        if (trace := TRACES.search((ROOT / name).read_text(encoding="utf-8", errors="replace")))
    }
    assert found == {}


@pytest.mark.parametrize("name", ["run", "check"])
def test_a_lock_holds_versions_and_hashes_and_no_address(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    pins = text.replace("\\\n", "").splitlines()[1:]
    assert pins
    assert [pin for pin in pins if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:", pin)] == []
    assert "://" not in text
    assert " @ " not in text
