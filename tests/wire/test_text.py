"""Text that crosses protocols cannot break a line, a stream or a reader."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire import clean

SEPARATORS = [c for c in map(chr, range(sys.maxunicode + 1)) if len(f"a{c}a".splitlines()) > 1]


@pytest.mark.parametrize("separator", SEPARATORS, ids=lambda c: f"U+{ord(c):04X}")
def test_every_line_separator_becomes_a_space(separator: str) -> None:
    assert clean(f"hi{separator}VALID black 1 1", 100) == "hi VALID black 1 1"


@pytest.mark.parametrize("bad", ["\ud800", "\ufdd0", "\ufffe", "\uffff", "\U0010ffff"])
def test_what_no_text_may_hold_becomes_the_replacement_character(bad: str) -> None:
    assert clean(f"a{bad}b", 10) == "a\ufffdb"


@pytest.mark.parametrize("override", ["\u202e", "\u2066", "\u202a"])
def test_nobody_turns_the_rest_of_a_line_around(override: str) -> None:
    assert clean(f"a{override}b", 10) == "a b"


@pytest.mark.parametrize("text", ["Waar ga je heen?", "שלום\u200f!", "围棋", "🙌🏽", "<b>&amp;"])
def test_ordinary_text_stays(text: str) -> None:
    assert clean(text, 100) == text


def test_too_long_shows_that_it_was_cut() -> None:
    assert clean("abcdef", 4) == "abc…"


@given(st.text(st.characters()), st.integers(1, 30))
def test_clean_text_is_one_short_line_that_encodes(text: str, limit: int) -> None:
    cleaned = clean(text, limit)
    assert len(cleaned) <= limit
    assert len(f"{cleaned}.".splitlines()) == 1
    cleaned.encode()
    assert clean(cleaned, limit) == cleaned
