"""A name is found in whatever form it stands in a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.cli._words import _folded, replaced
from parlour.match import fold_letters, fold_name
from parlour.wire.mug import escape_node

# Letters, marks and parts of syllables that become one with what stands before them.
TRICKY = (
    "aAe20c5\u017f\u00df\u0149\u0130\u0131\u03a3\u03c2\u01f0\u0390\u00bd\ufb03\uff21 \u00b4\u3000"
    "\u0301\u0345\u0323\u093c\u09be\u200d\u00ad\u1100\u1161\u11a8\uac00\uff8a\uff9e\uffa4\uffc2-\\'"
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Straße \uff21nna", "X"),
        ("strasse anna was rude", "X was rude"),
        ("STRASSE  ANNA", "X"),
        ("of stra\u00adße\u3000\u200bAnna's", "of X's"),
        ("xstrasse anna", "xstrasse anna"),
        ("strasse annabel", "strasse annabel"),
        ("straße\\20anna\\27s\\20den", "X\\27s\\20den"),
        ("the\\20straße\\20anna", "the\\20X"),
        ("strasse anna, Straße Anna", "X, X"),
        ("", ""),
    ],
)
def test_a_name_is_found_as_a_word(text: str, left: str) -> None:
    assert replaced(text, "Straße \uff21nna", "X") == left


@pytest.mark.parametrize("name", ["", "\u200b", "\u00ad \u3000"], ids=ascii)
def test_a_name_of_which_nothing_shows_is_nowhere(name: str) -> None:
    assert replaced("nobody \u200b here", name, "X") == "nobody \u200b here"


@given(st.text(st.sampled_from(TRICKY) | st.characters(codec="utf-8"), max_size=20))
def test_a_text_is_folded_as_a_whole_and_each_letter_has_its_place(text: str) -> None:
    folded, places = _folded(text)
    assert folded == fold_letters(text)
    assert len(places) == len(folded)
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@given(st.text(st.sampled_from(TRICKY) | st.characters(codec="utf-8"), min_size=1, max_size=12))
def test_a_name_alone_is_found_in_every_form_that_it_is_kept_in(name: str) -> None:
    if not fold_name(name):
        return
    for form in (name, fold_name(name), escape_node(name.strip())):
        assert fold_name(replaced(f" {form} ", name, "\u2603")) == "\u2603"
