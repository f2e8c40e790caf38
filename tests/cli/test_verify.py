"""`parlour verify`: what is in the log is what can be read, and what cannot is named."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from parlour.cli import main
from tests.cli.servers import Server, parlour
from tests.cli.test_matches import WIN, played, record
from tests.durability.log import lines
from tests.gateways.textbook.peers import visiting

LATER = b'{"type":"SeatPainted/1","at":7,"seat":0}'


def change(data: Path, sql: str) -> None:
    """Do something to the log that no store does."""
    with closing(sqlite3.connect(data / "log.sqlite3")) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.executescript(sql)


def verified(data: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The status of `verify` and the lines before its last one."""
    status = main(["verify", "--data", str(data)])
    *faults, last = capsys.readouterr().out.splitlines()
    assert last.startswith(f"{data / 'log.sqlite3'}: ")
    return status, faults


def test_a_sound_log_is_said_to_be_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN), "match-two": played("0,0")}))

    assert main(["verify", "--data", str(tmp_path)]) == 0

    said = f"2 streams, {len(lines(tmp_path))} events, all of it folds"
    assert capsys.readouterr() == (f"{tmp_path / 'log.sqlite3'}: {said}\n", "")


def test_an_event_that_means_nothing_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = played("0,0")
    asyncio.run(record(tmp_path, {"match-one": table}, LATER))
    asyncio.run(record(tmp_path, {"match-two": table}))

    status, faults = verified(tmp_path, capsys)

    assert status == 1
    (fault,) = faults
    number = len(table.history) + 1
    assert fault.startswith(f"match-one, event {number}: Invalid value 'SeatPainted/1'")


def test_a_move_that_nobody_can_have_played_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    change(tmp_path, "UPDATE events SET data = replace(data, '1,0', '0,0');")

    status, (fault,) = verified(tmp_path, capsys)

    assert status == 1
    assert "illegal-move" in fault


def test_a_gap_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN), "match-two": played("0,0")}))
    change(
        tmp_path,
        "DELETE FROM events WHERE version = 4"
        " AND stream = (SELECT id FROM streams WHERE name = 'match-one');",
    )

    assert verified(tmp_path, capsys) == (
        1,
        ["match-one, event 4: is missing: event 5 is the next one there"],
    )


def test_a_stream_of_another_kind_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"tournament-one": played(*WIN)}))

    assert verified(tmp_path, capsys) == (
        1,
        ["tournament-one: this version of Parlour knows no streams of that kind"],
    )


def test_a_broken_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    change(
        tmp_path,
        "INSERT INTO events (stream, version, data) VALUES (99, 1, '{}');"
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'events_by_stream';",
    )

    status, faults = verified(tmp_path, capsys)

    assert status == 1
    assert "the file: 1 events are of no stream" in faults


def test_a_backup_is_verified_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    file = tmp_path / "monday.sqlite3"
    assert main(["backup", str(file), "--data", str(tmp_path)]) == 0
    before = file.read_bytes()
    capsys.readouterr()

    assert main(["verify", str(file)]) == 0

    assert capsys.readouterr().out.startswith(f"{file}: 1 stream, ")
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no log but long enough to be one" * 50])
def test_what_is_no_log_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    file = tmp_path / "monday.sqlite3"
    file.write_bytes(content)

    assert main(["verify", str(file)]) == 2
    assert main(["verify", str(tmp_path / "tuesday")]) == 2

    one, other = capsys.readouterr().err.splitlines()
    assert one.startswith("parlour: ")
    assert other == f"parlour: there is no file {tmp_path / 'tuesday'}"


@pytest.mark.slow
async def test_a_running_server_is_not_disturbed(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            first, second = await door.pair()
            first.mark(0, 0)
            await second.ints(3)

            done = await asyncio.to_thread(parlour, "verify", "--data", str(tmp_path))

            assert (done.returncode, done.stderr) == (0, "")
            assert "1 stream, " in done.stdout
            second.mark(1, 1)
            await first.ints(3)
        assert server.stop()[0] == 0
