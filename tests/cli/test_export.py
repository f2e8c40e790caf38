"""`parlour export` on the log of a data directory."""

import asyncio
import pathlib

import msgspec
import pytest
from sgfmill.sgf import Sgf_game

from parlour.cli import GAMES, main
from parlour.host import StoreError, Write
from parlour.match import MatchAggregate
from parlour.records import Record
from parlour.stores import SqliteStore
from tests.records.play import SECRET, Table

STREAM = "match-7k2m"


async def record(data: pathlib.Path, table: Table) -> None:
    """Append the match to the log of `data` as the host does."""
    store = SqliteStore(data / "log.sqlite3")
    aggregate = MatchAggregate(GAMES)
    done = asyncio.get_running_loop().create_future()

    def report(error: StoreError | None) -> None:
        done.set_result(error)

    events = [aggregate.encode(event) for event, _ in table.history]
    store.append([Write(STREAM, 0, events)], report)
    assert await done is None
    await store.close()


def log(data: pathlib.Path, table: Table) -> list[str]:
    """A data directory with the match, and the arguments that name both."""
    asyncio.run(record(data, table))
    return [STREAM, "--data", str(data)]


def go() -> Table:
    table = Table("go", {"size": 9}, players=("zoë", "a[b]\\c:"))
    table.play("2,2", "pass", "3,3", "3,3")
    return table


def test_go_is_written_as_sgf(
    tmp_path: pathlib.Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    named = log(tmp_path, go())

    assert main(["export", *named]) == 0

    game = Sgf_game.from_bytes(capsysbinary.readouterr().out)
    assert game.get_player_name("b") == "zoë"
    assert game.get_player_name("w") == "a[b]\\c:"
    assert game.get_root().get("RE") == "B+F"


def test_other_games_are_written_as_json(
    tmp_path: pathlib.Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    table = Table("tictactoe", {})
    table.play("0,0", "1,1", "1,0", "2,2", "2,0")
    named = log(tmp_path, table)

    assert main(["export", *named]) == 0

    data = capsysbinary.readouterr().out
    told = msgspec.json.decode(data, type=Record)
    assert (told.id, told.game) == (STREAM, "tictactoe")
    assert [move.move for move in told.moves] == ["0,0", "1,1", "1,0", "2,2", "2,0"]
    assert SECRET.encode() not in data


def test_a_format_and_a_file_can_be_chosen(
    tmp_path: pathlib.Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    named = log(tmp_path, go())
    written = tmp_path / "game.json"

    assert main(["export", *named, "--format", "json", "--output", str(written)]) == 0

    assert capsysbinary.readouterr().out == b""
    assert msgspec.json.decode(written.read_bytes(), type=Record).game == "go"


@pytest.mark.parametrize(
    ("table", "options", "sentence"),
    [
        (
            Table("go", {"size": 53}),
            (),
            "size 53 is beyond SGF's 52 letters; --format json writes every match",
        ),
        (
            Table("tictactoe", {}),
            ("--format", "sgf"),
            "SGF is for Go, not for Tic-tac-toe; --format json writes every match",
        ),
    ],
)
def test_what_sgf_cannot_hold_is_said_in_a_sentence(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    table: Table,
    options: tuple[str, ...],
    sentence: str,
) -> None:
    named = log(tmp_path, table)

    assert main(["export", *named, *options]) == 2

    assert capsys.readouterr() == ("", f"parlour: {sentence}\n")


def test_a_file_that_cannot_be_written_is_said_in_a_sentence(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = log(tmp_path, go())
    where = tmp_path / "nowhere" / "game.sgf"

    assert main(["export", *named, "--output", str(where)]) == 2

    assert capsys.readouterr().err == f"parlour: cannot write {where}: No such file or directory\n"


def test_an_unknown_match_is_said_in_a_sentence(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log(tmp_path, go())

    assert main(["export", "match-none", "--data", str(tmp_path)]) == 2

    assert capsys.readouterr().err == f"parlour: no match match-none in {tmp_path}\n"


def test_no_log_is_said_in_a_sentence(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", STREAM, "--data", str(tmp_path)]) == 2

    assert (
        capsys.readouterr().err
        == f"parlour: there is no log in {tmp_path}; --data says where it is\n"
    )
