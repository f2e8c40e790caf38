"""The page of faults names tests that exist, and has something to say of every fault."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/reference/faults.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([A-Z]\d\d(?:, [A-Z]\d\d)*) \| (.+) \| (.+) \| (.*)\|$", re.MULTILINE)
UNBUILT = {"G15", "S17", "X14"}  # said in words: there is nothing to test


def all_tests() -> set[str]:
    """The names of all test functions."""
    names = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names.add(node.name)
    return names


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 100
    assert named - all_tests() == set()
    for path in re.findall(r"`(tests/[\w/.]+|examples/[\w/.]+)`", PAGE):
        assert (ROOT / path).exists(), path


def test_every_fault_has_an_answer_and_a_test_or_a_reason() -> None:
    rows = [(row[0].split(", "), row[3]) for row in ROW.findall(PAGE)]
    ids = [one for many, _ in rows for one in many]
    assert len(ids) == len(set(ids)) > 80
    assert PAGE.count("\n| ") - 2 * PAGE.count("\n## ") == len(rows)
    untested = {one for many, named in rows for one in many if "`" not in named}
    assert untested == UNBUILT
