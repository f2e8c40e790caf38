"""Addresses and nicknames: which are the same, which are none (XEP-0106, mug.md robustness 9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire.mug import (
    acceptable_nick,
    bare,
    escape_node,
    nick_key,
    split_address,
    unescape_node,
)


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("a@b/c", ("a", "b", "c")),
        ("a@b", ("a", "b", "")),
        ("b", ("", "b", "")),
        ("b/c@d/e", ("", "b", "c@d/e")),
        ("a@b/c/d@e", ("a", "b", "c/d@e")),
    ],
)
def test_the_parts_of_an_address(address: str, parts: tuple[str, str, str]) -> None:
    assert split_address(address) == parts
    assert bare(address) == address.partition("/")[0]


@pytest.mark.parametrize(
    ("name", "node"),
    [
        # The examples of XEP-0106, section 5.1, as far as they are names.
        ("space cadet", r"space\20cadet"),
        ('call me "ishmael"', r"call\20me\20\22ishmael\22"),
        ("at&t guy", r"at\26t\20guy"),
        ("d'artagnan", r"d\27artagnan"),
        ("/.fanboy", r"\2f.fanboy"),
        ("::foo::", r"\3a\3afoo\3a\3a"),
        ("<foo>", r"\3cfoo\3e"),
        ("user@host", r"user\40host"),
        (r"c:\net", r"c\3a\net"),
        (r"c:\\net", r"c\3a\\net"),
        (r"c:\cool stuff", r"c\3a\cool\20stuff"),
        (r"c:\5commas", r"c\3a\5c5commas"),
        (r"\20", r"\5c20"),
    ],
)
def test_names_are_escaped_as_the_xep_shows(name: str, node: str) -> None:
    assert escape_node(name) == node
    assert unescape_node(node) == name


@given(st.text(st.sampled_from("\\0254c6a @&é"), max_size=12))
def test_an_escaped_name_comes_back(name: str) -> None:
    assert unescape_node(escape_node(name)) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bob", "BOB"),
        ("nick", "\uff4eick"),
        ("ab", "a\u200bb"),
        ("strasse", "stra\u00dfe"),
        ("\u212a", "k"),
        ("a b", " a  b "),
        ("\u0390", "\u1fd3"),
        ("\u00e9", "e\u200d\u0301"),
        ("ab", "a\u3164b"),
        ("ab", "\u115fab\u1160"),
        ("ab", "ab\uffa0"),
        ("ab", "a\u2800b"),
        ("ab", "a\u17b4b\u17b5"),
        ("ab", "ab\ufe0f"),
    ],
)
def test_nicks_that_look_the_same_are_the_same(one: str, other: str) -> None:
    """Faults, X08."""
    assert nick_key(one) == nick_key(other)


@given(st.text(max_size=20))
def test_folding_twice_is_folding_once(nick: str) -> None:
    assert nick_key(nick_key(nick)) == nick_key(nick)


@pytest.mark.parametrize(
    "nick",
    [
        "",
        " ",
        "\u200b",
        "a\nb",
        "a\x00",
        "\u2028",
        "x" * 65,
        "\ud800",
        "a\u202eb",
        "\ufffe",
        "\u3164",
        "\u2800 \u115f",
    ],
)
def test_what_nobody_is_called(nick: str) -> None:
    assert not acceptable_nick(nick)


@pytest.mark.parametrize("nick", ["a", "x" * 64, "Ferdinand II", "\u05d3\u05d5\u05d3", "1' x='2"])
def test_what_somebody_is_called(nick: str) -> None:
    assert acceptable_nick(nick)
