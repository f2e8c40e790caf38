"""Whoever plays from a clone has no `parlour`: pages that type it say what to type there."""

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[2] / "docs/how-to"
TYPED = re.compile(r"^ *parlour ", re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    [page for page in sorted(PAGES.glob("*.md")) if TYPED.search(page.read_text("utf-8"))],
    ids=lambda page: page.stem,
)
def test_a_page_says_how_to_call_it_from_a_clone(page: Path) -> None:
    before, _, _ = page.read_text("utf-8").partition("```sh")
    assert "`./run" in before
