"""The shapes that logs hold, and the page that describes them."""

import enum
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import NODEFAULT, Struct

from parlour.games import Cause, Outcome
from parlour.match import (
    AbortCause,
    Event,
    Fault,
    ForfeitCause,
    Fork,
    Pause,
    SeatBack,
    Terms,
    TimeControl,
    Visibility,
)
from tests.match.tables import MATCHES

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "events.md").read_text("utf-8")
ROWS = [
    [cell.strip().strip("`") for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]
KINDS = get_args(Event)
OBJECTS = {"time control": TimeControl, "terms": Terms, "fork": Fork, "outcome": Outcome}
ENUMS: dict[str, type[enum.StrEnum]] = {
    "visibility": Visibility,
    "fault": Fault,
    "pause": Pause,
    "cause of a forfeit": ForfeitCause,
    "cause of an abort": AbortCause,
    "cause in an outcome": Cause,
}


def described(name: str) -> dict[str, str]:
    """The fields of an event or object on the page, each with its default as JSON or ""."""
    return {row[1]: row[2] for row in ROWS if len(row) == 5 and row[0] == name and row[1]}


def declared(kind: type[Struct]) -> dict[str, str]:
    """The fields of a struct in the same form."""
    return {
        field.encode_name: "" if field.required else as_json(default_of(field))
        for field in msgspec.structs.fields(kind)
    }


def default_of(field: msgspec.structs.FieldInfo) -> Any:
    return field.default_factory() if field.default is NODEFAULT else field.default


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_tag_of_an_event_is_its_name_and_its_version(kind: type[Struct]) -> None:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    assert re.fullmatch(rf"{kind.__name__}/[1-9]\d*", tag)
    assert kind.__struct_config__.tag_field == "type"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_event_is_described_as_it_is_declared(kind: type[Struct]) -> None:
    tag = str(kind.__struct_config__.tag)
    assert described("every event") | described(tag) == declared(kind)
    assert sum(row[0] == tag and row[1] == "" for row in ROWS) == 1


def test_no_event_is_described_that_does_not_exist() -> None:
    tags = {row[0] for row in ROWS if "/" in row[0]}
    assert tags == {kind.__struct_config__.tag for kind in KINDS}


@pytest.mark.parametrize(("name", "kind"), OBJECTS.items(), ids=OBJECTS)
def test_an_object_is_described_as_it_is_declared(name: str, kind: type[Struct]) -> None:
    assert described(name) == declared(kind)


@pytest.mark.parametrize(("name", "kind"), ENUMS.items(), ids=ENUMS)
def test_the_values_of_an_enum_are_described(name: str, kind: type[enum.StrEnum]) -> None:
    values = [row[1] for row in ROWS if len(row) == 4 and row[0] == name]
    assert values == [str(value) for value in kind]


def test_every_row_says_since_when() -> None:
    since = {row[-1] for row in ROWS} - {"since"}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in since)


def test_a_field_of_a_later_version_is_ignored() -> None:
    event = MATCHES.decode(b'{"type":"SeatBack/1","at":7,"seat":1,"mood":"good"}')
    assert event == SeatBack(7, 1)


@pytest.mark.parametrize("data", [b"{}", b'{"type":"SeatBack/0","at":7,"seat":1}', b"\xff", b""])
def test_what_no_version_wrote_is_not_read(data: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        MATCHES.decode(data)
