"""Rooms in a log: what was written once is read for ever, and the page describes it."""

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec import NODEFAULT, Struct

from parlour.gateways.mug._config import RoomConfig
from parlour.gateways.mug._room import Room
from parlour.gateways.mug._room_events import (
    Affiliation,
    Closure,
    Departure,
    OccupantLeft,
    RoomClosed,
    RoomEvent,
)
from tests.gateways.mug.record_rooms import ROOMS, STORIES, summary

TESTS = Path(__file__).parents[2]
LOGS = sorted((TESTS / "data" / "logs" / "rooms").glob("*/*.jsonl"))
PAGE = (TESTS.parent / "docs" / "reference" / "room-events.md").read_text("utf-8")
ROWS = [
    [cell.strip().strip("`") for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]
KINDS = get_args(RoomEvent)


def described(name: str) -> dict[str, str]:
    """The fields of an event or object on the page, each with its default as JSON or ""."""
    return {row[1]: row[2] for row in ROWS if len(row) == 5 and row[0] == name and row[1]}


def declared(kind: type[Struct]) -> dict[str, str]:
    """The fields of a struct in the same form."""
    defaults = {
        field.encode_name: field.default_factory() if field.default is NODEFAULT else field.default
        for field in msgspec.structs.fields(kind)
        if not field.required
    }
    required = {field.encode_name: "" for field in msgspec.structs.fields(kind) if field.required}
    return required | {
        name: msgspec.json.encode(default).decode() for name, default in defaults.items()
    }


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_an_old_log_says_what_it_said(log: Path) -> None:
    room: Room | None = None
    for line in log.read_bytes().splitlines():
        event = ROOMS.decode(line)
        assert ROOMS.decode(ROOMS.encode(event)) == event
        room = ROOMS.evolve(room, event)
    assert room is not None
    assert summary(room) == log.with_suffix(".txt").read_text()


def test_every_event_and_every_cause_is_in_some_log() -> None:
    events = [ROOMS.decode(line) for log in LOGS for line in log.read_bytes().splitlines()]
    assert {type(event) for event in events} == set(KINDS)
    assert {event.cause for event in events if isinstance(event, OccupantLeft)} == set(Departure)
    assert {event.cause for event in events if isinstance(event, RoomClosed)} == set(Closure)


def test_every_story_has_been_recorded() -> None:
    assert {story.__name__ for story in STORIES} == {log.stem for log in LOGS}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_event_is_described_as_it_is_declared(kind: type[Struct]) -> None:
    tag = str(kind.__struct_config__.tag)
    assert re.fullmatch(rf"{kind.__name__}/[1-9]\d*", tag)
    assert described("every event") | described(tag) == declared(kind)
    assert sum(row[0] == tag and row[1] == "" for row in ROWS) == 1


def test_what_fields_hold_is_described() -> None:
    assert described("room configuration") == declared(RoomConfig)
    for name, values in (
        ("affiliation", Affiliation),
        ("departure", Departure),
        ("closure", Closure),
    ):
        assert [row[1] for row in ROWS if row[0] == name] == [value.value for value in values]


def test_no_page_describes_what_is_not_there() -> None:
    names = {row[0] for row in ROWS if len(row) == 5}
    assert names <= {str(one.__struct_config__.tag) for one in KINDS} | {
        "every event",
        "room configuration",
        "event",
        "object",
    }
