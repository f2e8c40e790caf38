"""Data forms: made from typed options, read back strictly (XEP-0004)."""

from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from parlour.games.chinese_checkers import ChineseCheckers
from parlour.games.go import Go
from parlour.games.tictactoe import TicTacToe
from parlour.wire.mug import (
    DATA_FORMS,
    Field,
    FormError,
    Node,
    Submitted,
    boolean,
    form,
    option_fields,
    read_form,
    read_options,
    read_stanza,
    serialise,
    single,
)

KINDS: list[type[Struct]] = [one.options for one in (TicTacToe(), Go(), ChineseCheckers())]


def defaults(kind: type[Struct]) -> dict[str, Any]:
    return dict(msgspec.to_builtins(kind()))


def x(inside: str, kind: str = "submit") -> Node:
    element = ElementTree.fromstring(
        f"<iq xmlns='jabber:client'><x xmlns='{DATA_FORMS}' type='{kind}'>{inside}</x></iq>"
    )
    (node,) = read_stanza(element).children
    return node


def field(var: str, *values: str) -> str:
    return f"<field var='{var}'>{''.join(f'<value>{one}</value>' for one in values)}</field>"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__module__.split(".")[2])
def test_a_form_sent_back_as_it_came_changes_nothing(kind: type[Struct]) -> None:
    """For every game's options, also those that are not played over this protocol yet."""
    options = defaults(kind)
    fields = option_fields(kind, options, "p_")
    node = form("submit", [Field(one.var, one.type, "", one.values) for one in fields])
    xml = f"<iq xmlns='jabber:client'>{serialise(node)}</iq>"
    (back,) = read_stanza(ElementTree.fromstring(xml)).children
    assert read_options(kind, options, read_form(back), "p_") == options


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__module__.split(".")[2])
def test_every_choice_of_a_list_is_one_of_its_own(kind: type[Struct]) -> None:
    for one in option_fields(kind, defaults(kind), ""):
        values = [value for _, value in one.choices]
        assert len(set(values)) == len(values)
        assert one.type in ("list-single", "text-single", "boolean")
        if one.type == "list-single":
            assert one.values[0] in values
        assert one.label != one.var


def test_choices_are_called_what_the_game_calls_them() -> None:
    by_name = {
        one.var: dict(one.choices)
        for kind in KINDS
        for one in option_fields(kind, defaults(kind), "")
    }
    assert by_name["first"] == {"X begins": "x", "O begins": "o"}
    assert by_name["rows"] == {str(number): str(number) for number in range(3, 11)}


@given(st.text(max_size=8))
def test_a_number_is_ascii_digits_or_refused(text: str) -> None:
    """Faults, F10: full-width digits, signs, underscores and spaces are no numbers."""
    kind = KINDS[0]
    submitted = Submitted("submit", "", {"rows": (text,)})
    try:
        options = read_options(kind, defaults(kind), submitted, "")
    except FormError:
        return
    assert text == str(options["rows"])


@given(st.dictionaries(st.sampled_from(["rows", "cols", "strike", "first"]), st.text(max_size=3)))
def test_any_submission_gives_options_of_the_game_or_is_refused(values: dict[str, str]) -> None:
    kind = KINDS[0]
    submitted = Submitted("submit", "", {name: (text,) for name, text in values.items()})
    try:
        options = read_options(kind, defaults(kind), submitted, "")
    except FormError:
        return
    msgspec.convert(options, kind)


def test_a_form_is_read_with_its_type_and_its_values() -> None:
    inside = (
        "<title>t</title><field type='fixed'><value>words</value></field>"
        + field("FORM_TYPE", "urn:f")
        + field("a", "1", "2")
        + field("b")
    )
    assert read_form(x(inside)) == Submitted("submit", "urn:f", {"a": ("1", "2"), "b": ()})


@pytest.mark.parametrize(
    "inside",
    [
        field("a", "1") + field("a", "2"),
        "<field><value>1</value></field>",
        "".join(field(f"f{number}") for number in range(61)),
        field("a", "v" * 1001),
    ],
    ids=["twice", "nameless", "many", "long"],
)
def test_forms_that_are_none(inside: str) -> None:
    with pytest.raises(FormError):
        read_form(x(inside))


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("true", True), ("0", False), ("false", False)]
)
def test_yes_and_no_are_said_in_two_ways(text: str, value: bool) -> None:
    assert boolean("a", (text,)) is value


@pytest.mark.parametrize("values", [(), ("",), ("yes",), ("TRUE",), ("1", "1")])
def test_anything_else_is_neither(values: tuple[str, ...]) -> None:
    with pytest.raises(FormError):
        boolean("a", values)


def test_a_single_value_is_one_at_most() -> None:
    assert single("a", ("b",)) == "b"
    assert single("a", ()) == ""
    with pytest.raises(FormError, match="a has 2 values"):
        single("a", ("b", "c"))
