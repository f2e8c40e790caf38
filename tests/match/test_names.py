"""Names that look the same are the same, whoever they come from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refusal, Refused
from parlour.match import CreateMatch, Newcomer, TakeSeat, Terms, fold_name, free_name
from tests.match.tables import MATCHES

ALIKE = [
    "bob", "Bob", "BOB", "bob ", " bob", "\uff22\uff4f\uff42", "b\u200bob", "\u200fbob",
    "b\u00adob", "bob\u2060", "\ufeffbob", "b\u3164ob", "bo\u115f\u1160b", "\uffa0bob", "bob\u2800",
    "bob\u17b4", "bob\ufe0f", "b\u034fob",
]  # fmt: skip


@pytest.mark.parametrize("name", ALIKE, ids=ascii)
def test_names_that_look_the_same_are_the_same(name: str) -> None:
    assert fold_name(name) == "bob"


def test_a_letter_and_its_accent_are_one_whatever_stands_between() -> None:
    assert fold_name("e\u200d\u0301va") == fold_name("\u00c9va") == "\u00e9va"


@pytest.mark.parametrize(
    "name", ["", " ", "\u200b", "\u2060\u00ad \u3000", "\u3164", "\u2800\uffa0"], ids=ascii
)
def test_what_does_not_show_is_no_name(name: str) -> None:
    assert fold_name(name) == ""


@given(st.text(max_size=30))
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold_name(fold_name(name)) == fold_name(name)


@given(st.text(min_size=1, max_size=40), st.sets(st.text(max_size=20)))
def test_a_free_name_is_nobody_elses_and_not_longer(name: str, taken: set[str]) -> None:
    shown = free_name(name[:20], taken, 20)

    assert fold_name(shown) not in set(map(fold_name, taken))
    assert len(shown) <= 20


def test_a_name_that_is_free_stays_and_others_are_counted() -> None:
    assert free_name("Bob", ["ann"]) == "Bob"
    assert free_name("Bob", ["ann", "BOB"]) == "Bob 2"
    assert free_name("Bob", ["bob 2", "BOB"]) == "Bob 3"


@pytest.mark.parametrize("name", ALIKE[1:], ids=ascii)
def test_nobody_sits_down_beside_somebody_who_looks_the_same(name: str) -> None:
    state = None
    create = CreateMatch("tictactoe", {}, (Newcomer("web:1", "bob", Terms(ready=True)),))
    for event in MATCHES.decide(None, create, 0):
        state = MATCHES.evolve(state, event)

    with pytest.raises(Refused) as caught:
        MATCHES.decide(state, TakeSeat(Newcomer("web:2", name)), 0)
    assert caught.value.refusal is Refusal.NAME_TAKEN
