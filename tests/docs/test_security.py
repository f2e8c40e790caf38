"""Every test and folder that the page on security names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/reference/security.md").read_text("utf-8")


def test_what_is_named_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    source = "".join(path.read_text("utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    assert named
    assert {test for test in named if f"def {test}(" not in source} == set()
    paths = set(re.findall(r"`(tests/[\w/.]+)`", PAGE))
    assert {path for path in paths if not (ROOT / path).exists()} == set()
