"""`parlour erase`: no byte of a name is left, and what was played still folds."""

import asyncio
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from parlour.cli import main
from parlour.cli._aggregates import AGGREGATES
from parlour.cli._data import DataDirectory
from parlour.cli._personal import FIELDS, Kind, kind_of
from parlour.gateways.admin import STREAM
from parlour.gateways.mug import RoomAggregate
from parlour.gateways.mug._config import RoomConfig
from parlour.gateways.mug._room import Room
from parlour.gateways.mug._room_commands import Configure, Leave
from parlour.match import AbortCause, AbortMatch, MatchAggregate
from tests.cli.servers import Server
from tests.cli.test_matches import WIN, played, record
from tests.cli.test_prune import record_rooms
from tests.durability.log import Line
from tests.durability.log import streams as all_streams
from tests.gateways.mug.record_rooms import OPTIONS, Story, two_rounds
from tests.records.play import Table

TOKEN = re.compile(r"it says (erased[a-z]{6}) there now")


def erased(data: Path, who: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Delete; the tokens that stand in the log now, in the order told."""
    capsys.readouterr()
    assert main(["erase", who, "--yes", "--data", str(data)]) == 0, capsys.readouterr().err
    return TOKEN.findall(capsys.readouterr().out)


def found(data: Path, name: str) -> list[str]:
    """The files in which the bytes of a name are, in any case of letters."""
    files = (path for path in data.rglob("*") if path.is_file())
    return [path.name for path in files if name.casefold().encode() in path.read_bytes().lower()]


def streams(data: Path) -> dict[str, list[Line]]:
    """What is in the log besides what operators did."""
    return {name: story for name, story in all_streams(data).items() if name != STREAM}


def kinds(story: list[Line]) -> list[tuple[int, str]]:
    return [(line.version, line.kind) for line in story]


def room_of(story: list[Line]) -> Room:
    rooms = RoomAggregate()
    room: Room | None = None
    for line in story:
        room = rooms.evolve(room, rooms.decode(line.text.encode()))
    assert room is not None
    return room


def test_no_byte_of_the_name_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = played(*WIN, players=("zebediah", "bob"))
    asyncio.run(record(tmp_path, {f"match-{number}": table for number in range(300)}))
    before = streams(tmp_path)
    assert found(tmp_path, "zebediah")

    (token,) = erased(tmp_path, "zebediah", capsys)

    assert found(tmp_path, "zebediah") == []
    after = streams(tmp_path)
    assert {name: kinds(story) for name, story in after.items()} == {
        name: kinds(story) for name, story in before.items()
    }
    assert main(["verify", "--data", str(tmp_path)]) == 0
    for command in (["matches"], ["replay", "match-7"], ["export", "match-7"]):
        assert main([*command, "--data", str(tmp_path)]) == 0
        shown = capsys.readouterr().out
        assert token in shown
        assert "bob" in shown


def test_the_name_is_gone_from_a_file_of_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table("go", {"size": 5}, players=("zebediah", "bob"))
    table.play("pass", "pass")
    asyncio.run(record(tmp_path, {"match-one": table}))

    (token,) = erased(tmp_path, "zebediah", capsys)

    assert main(["export", "match-one", "--data", str(tmp_path)]) == 0
    assert f"PB[{token}]PW[bob]" in capsys.readouterr().out


def test_who_is_meant_is_said_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN, players=("zebediah", "bob"))}))
    before = streams(tmp_path)

    assert main(["erase", "zebediah", "--data", str(tmp_path)]) == 0

    assert capsys.readouterr().out == (
        "secret:zebediah (zebediah) in 1 stream\n"
        "nothing is deleted; with --yes 1 event in 1 stream would be changed\n"
    )
    assert streams(tmp_path) == before


@pytest.mark.parametrize("who", ["", " ", "\u3000", "\u200b"])
def test_a_name_of_nothing_is_nobody_s(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], who: str
) -> None:
    """There are identities that have no name in them."""
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    before = streams(tmp_path)

    assert main(["erase", who, "--yes", "--data", str(tmp_path)]) == 2

    sentence = "WHO is empty: say" if not who else f"nobody in the log is called {who!r}: say"
    assert capsys.readouterr().err.startswith(f"parlour: {sentence}")
    assert streams(tmp_path) == before


def test_an_identity_means_nobody_else_of_that_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Alice of Nedap's protocol is not Alice of the star."""
    go = played("0,0", players=("alice", "bob"))
    go.history[1] = (
        msgspec.structs.replace(go.history[1][0], identity="nedap:alice 10.0.0.7"),
        go.match,
    )
    star = played("0,0", players=("alice", "bob"))
    star.history[1] = (
        msgspec.structs.replace(star.history[1][0], identity="ruc:alice 10.0.0.7"),
        star.match,
    )
    asyncio.run(record(tmp_path, {"match-go": go, "match-star": star}))

    (token,) = erased(tmp_path, "nedap:alice", capsys)

    told = streams(tmp_path)
    assert f'"identity":"nedap:{token} 1","name":"{token}"' in told["match-go"][1].text
    assert '"identity":"ruc:alice 10.0.0.7","name":"alice"' in told["match-star"][1].text


def test_somebody_has_one_placeholder_everywhere_and_two_have_two(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(
        record(tmp_path, {"match-1": played(*WIN), "match-2": played(players=("alice", "bob"))})
    )
    (alice,) = erased(tmp_path, "alice", capsys)
    (bob,) = erased(tmp_path, "bob", capsys)

    assert alice != bob
    for story in streams(tmp_path).values():
        seats = [line.text for line in story if line.kind == "SeatTaken"]
        assert f'"identity":"secret:{alice}","name":"{alice}"' in seats[0]
        assert f'"identity":"secret:{bob}","name":"{bob}"' in seats[1]


def test_a_jid_is_gone_from_its_rooms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = two_rounds()
    before = story.room
    asyncio.run(record_rooms(tmp_path, {"room-one": story}))

    (token,) = erased(tmp_path, "ben@example.org", capsys)

    assert found(tmp_path, "ben@") == []
    assert b"ben" not in "".join(line.text for line in streams(tmp_path)["room-one"]).encode()
    room = room_of(streams(tmp_path)["room-one"])
    user = f"{token}@erased.invalid"
    assert set(room.occupants) == {"anna@example.org", user}
    ben = room.occupants[user]
    assert (ben.nick, ben.sessions) == (token, (f"{user}/1",))
    assert (room.version, room.rounds, room.owner) == (before.version, before.rounds, before.owner)


def test_a_room_called_after_its_owner_is_called_something_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And so are the matches in it of other people, its title, and a sentence about her."""
    story = Story()
    story.log = [
        line.replace(b'"garden"', b'"zebediah\'s den"').replace(b"anna", b"zebediah")
        for line in story.log
    ]
    config = RoomConfig(title="Zebediahs and zebediah", description="ask zebediah")
    story.does(Configure("anna@example.org", config, OPTIONS))
    story.does(Leave("anna@example.org/home"))
    story.log[2:] = [line.replace(b"anna", b"zebediah") for line in story.log[2:]]
    table = played("0,0")
    table.do(AbortMatch(AbortCause.OPERATOR, "zebediah asked for it"))
    table.history[0] = (
        msgspec.structs.replace(table.history[0][0], room="zebediah's den"),
        table.match,
    )
    asyncio.run(record_rooms(tmp_path, {"room-one": story}))
    asyncio.run(record(tmp_path, {"match-one": table}))

    (token,) = erased(tmp_path, "zebediah@example.org", capsys)

    room = room_of(streams(tmp_path)["room-one"])
    assert (room.name, room.owner) == (f"{token}'s den", f"{token}@erased.invalid")
    assert room.config.title == f"Zebediahs and {token}"
    assert room.config.description == f"ask {token}"
    match = streams(tmp_path)["match-one"]
    assert f'"room":"{token}\'s den"' in match[0].text
    assert "zebediah asked for it" in match[-1].text  # nobody of that name sits there


def test_the_act_is_in_the_log_and_names_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    (token,) = erased(tmp_path, "alice", capsys)

    (line,) = all_streams(tmp_path)[STREAM]

    assert line.kind == "NamesErased"
    assert token in line.text
    assert "alice" not in line.text


def test_matches_of_others_in_a_room_of_that_name_are_renamed_as_people_write_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    story = Story()
    story.log = [
        line.replace(b'"garden"', b'"zebediah\\\\27s\\\\20den"').replace(b"anna", b"zebediah")
        for line in story.log
    ]
    table = played("0,0")
    created = msgspec.structs.replace(table.history[0][0], room="zebediah's den")
    table.history[0] = (created, table.match)
    asyncio.run(record_rooms(tmp_path, {"room-one": story}))
    asyncio.run(record(tmp_path, {"match-one": table}))

    (token,) = erased(tmp_path, "zebediah@example.org", capsys)

    assert room_of(streams(tmp_path)["room-one"]).name == f"{token}\\27s\\20den"
    assert f'"room":"{token}\'s den"' in streams(tmp_path)["match-one"][0].text
    assert found(tmp_path, "zebediah") == []


def test_nobody_of_that_name_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    assert main(["erase", "carol", "--yes", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        "parlour: nobody in the log is called 'carol': say the name as it was written,"
        " a JID, or an identity such as nedap:alice\n"
    )


def test_what_cannot_be_read_loses_the_names_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = b'{"type":"SeatPainted/1","at":7,"seat":0}'
    table = played("0,0", players=("zebediah", "bob"))
    asyncio.run(record(tmp_path, {"match-one": table}, later))

    erased(tmp_path, "zebediah", capsys)

    assert found(tmp_path, "zebediah") == []
    assert streams(tmp_path)["match-one"][-1].text == later.decode()


def test_who_it_is_is_looked_for_when_nobody_else_can_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    with DataDirectory(tmp_path):
        assert main(["erase", "alice", "--yes", "--data", str(tmp_path)]) == 2
        assert capsys.readouterr().out == ""
        assert main(["erase", "alice", "--data", str(tmp_path)]) == 0  # only says who


@pytest.mark.slow  # SQLite waits five seconds for the reader
def test_what_a_reader_keeps_in_the_file_goes_the_second_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = played("0,0", players=("zebediah", "bob"))
    asyncio.run(record(tmp_path, {"match-one": table}))
    with closing(sqlite3.connect(tmp_path / "log.sqlite3", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM events").fetchall()
        assert main(["erase", "zebediah", "--yes", "--data", str(tmp_path)]) == 2
        assert found(tmp_path, "zebediah")
    said = re.search(r"`parlour erase (\w+) --yes`", capsys.readouterr().err)
    assert said is not None

    erased(tmp_path, said[1], capsys)

    assert found(tmp_path, "zebediah") == []


def test_where_there_is_no_log_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = tmp_path / "nowhere"
    assert main(["erase", "alice", "--yes", "--data", str(nowhere)]) == 2
    assert "there is no log in" in capsys.readouterr().err
    assert not nowhere.exists()


@pytest.mark.slow
def test_a_running_server_is_to_be_stopped_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    with Server(tmp_path, doors=("textbook",)) as server:
        assert main(["erase", "alice", "--yes", "--data", str(tmp_path)]) == 2
        assert capsys.readouterr().err == (
            f"parlour: a server is using {tmp_path} and has the names in its memory:"
            " stop it first\n"
        )
        server.stop()
    assert found(tmp_path, "alice")


def texts(kind: type[msgspec.Struct]) -> Iterator[tuple[str, Any]]:
    """The fields of an event that hold text of any sort: enums and options are the rules'."""
    for name, hint in get_type_hints(kind).items():
        if hint is str or hint == tuple[str, ...]:
            yield name, hint
        elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            nested = dict(texts(hint))
            if nested:
                yield name, nested


# Moves, the stream a match continues, and counts: nothing in them is a person's.
IMPERSONAL = {("MatchCreated", "opening"), ("MatchCreated", "control"), ("MatchEnded", "outcome")}


@pytest.mark.parametrize("aggregate", AGGREGATES, ids=lambda one: one.kind)
def test_every_text_in_every_event_is_said_to_be_personal_or_not(aggregate: Any) -> None:
    """A new field that may hold a name is not forgotten."""
    events = aggregate.decode.__annotations__["return"]
    seen = 0
    for kind in events.__args__:
        known: Mapping[str, Any] = FIELDS.get(kind.__name__, {})
        for name, hint in texts(kind):
            if (kind.__name__, name) in IMPERSONAL:
                continue
            assert name in known, f"{kind.__name__}.{name}"
            if isinstance(hint, dict):
                assert set(hint) <= set(known[name]), f"{kind.__name__}.{name}"
            seen += 1
    assert seen


def test_the_kinds_of_fields_are_those_of_events() -> None:
    events = {
        kind.__name__
        for aggregate in AGGREGATES
        for kind in aggregate.decode.__annotations__["return"].__args__
    }
    assert set(FIELDS) <= events
    assert kind_of({"type": "SeatTaken/1"}) == "SeatTaken"
    assert {Kind.IDENTITY, Kind.NAME} == set(FIELDS["SeatTaken"].values())
    assert MatchAggregate.kind == "match"
