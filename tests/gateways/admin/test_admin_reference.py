"""docs/reference/admin.md says what there is, and acts of all kinds can still be read."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from parlour.gateways import Ban, BanKind
from parlour.gateways.admin import Act, Acts, OperatorAggregate
from parlour.gateways.admin import _acts as acts
from parlour.gateways.admin._requests import Request

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/reference/admin.md").read_text("utf-8")
LOG = ROOT / "tests/data/logs/operator/1/every_act.jsonl"
EVERY = ("at", "uid", "user")


def rows(columns: int) -> list[list[str]]:
    """The rows of the tables that have so many columns."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines()]
    return [row for row in cells if len(row) == columns]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def kinds(union: Any) -> dict[str, type[msgspec.Struct]]:
    return {str(kind.__struct_config__.tag): kind for kind in get_args(union)}


def test_every_request_is_on_the_page_with_its_fields() -> None:
    listed = {words(row[0])[0]: words(row[1]) for row in rows(4) if words(row[0])}
    requests = kinds(Request)
    said = {name: fields for name, fields in listed.items() if name in requests}
    assert said == {name: list(kind.__struct_fields__) for name, kind in requests.items()}


def test_every_act_is_on_the_page_with_its_fields() -> None:
    listed: dict[str, list[str]] = {}
    for event, field, *_ in rows(4):
        if event.startswith("`") and event.endswith("/1`"):
            listed.setdefault(words(event)[0], []).extend(words(field))
    assert listed == {
        name: [field for field in kind.__struct_fields__ if field not in EVERY]
        for name, kind in kinds(Act).items()
    }


ALL: tuple[Act, ...] = (
    acts.Banned(1, 0, "root", ban=Ban(BanKind.NAME, "alice", 99, "rude")),
    acts.Banned(2, 0, "root", ban=Ban(BanKind.ADDRESS, "10.0.0.0/8")),
    acts.Banned(3, 0, "root", ban=Ban(BanKind.JID, "example.org")),
    acts.Unbanned(4, 0, "root", kind=BanKind.NAME, who="alice"),
    acts.VisitorKicked(5, 1000, "otto", whom="bob", connections=2, reason="that will do"),
    acts.MatchClosed(6, match="match-1", reason="the power goes"),
    acts.RoomShut(7, 0, "root", room="garden"),
    acts.Announced(8, 0, "root", text="tea at five"),
    acts.DrainBegun(9, 0, "root"),
    acts.DrainEnded(10, 0, "root"),
    acts.LogLevelSet(11, 0, "root", level="debug", logger="parlour.tcp"),
    acts.Pruned(12, 0, "root", before=11, streams=3),
    acts.NamesErased(13, 0, "root", tokens=("erasedqwerty",)),
    acts.ActRefused(14, 0, "root", act="RoomShut", of=7, why="there is no room 'garden'"),
)


def test_what_was_recorded_once_is_read_for_ever() -> None:
    lines = LOG.read_bytes().splitlines()
    aggregate = OperatorAggregate()

    read = [aggregate.decode(line) for line in lines]

    assert tuple(read) == ALL
    assert {type(act) for act in read} == set(get_args(Act))
    assert [aggregate.encode(act) for act in read] == lines
    state: Acts | None = None
    for act in read:
        state = aggregate.evolve(state, act)
    assert state is not None
    assert state.version == len(ALL)
    assert sorted(who for _, who in state.bans) == ["10.0.0.0/8", "example.org"]


def test_an_act_of_a_later_program_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        OperatorAggregate().decode(b'{"type":"Sung/1","at":7}')
