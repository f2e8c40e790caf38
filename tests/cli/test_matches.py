"""`parlour matches` and `parlour replay` on a log of real matches."""

import asyncio
from pathlib import Path

import pytest

from parlour.cli import GAMES, main
from parlour.cli._results import BY, CALLED_OFF, LOST
from parlour.games import Cause
from parlour.host import StoreError, Write
from parlour.match import (
    AbortCause,
    AbortMatch,
    Command,
    ForfeitCause,
    MatchAggregate,
    MovePlayed,
    PlayMove,
    Resign,
)
from parlour.stores import SqliteStore
from tests.records.play import Table


async def record(data: Path, tables: dict[str, Table], *more: bytes) -> None:
    """Append the matches to the log of `data` as the host does, and `more` to each."""
    store = SqliteStore(data / "log.sqlite3")
    aggregate = MatchAggregate(GAMES)
    done = asyncio.get_running_loop().create_future()

    def report(error: StoreError | None) -> None:
        done.set_result(error)

    store.append(
        [
            Write(stream, 0, [*(aggregate.encode(event) for event, _ in table.history), *more])
            for stream, table in tables.items()
        ],
        report,
    )
    assert await done is None
    await store.close()


def played(*moves: str, players: tuple[str, str] = ("alice", "bob")) -> Table:
    table = Table("tictactoe", {}, players=players)
    table.play(*moves)
    return table


WIN = ("0,0", "0,1", "1,0", "1,1", "2,0")


def test_each_match_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = {"match-won": played(*WIN), "match-begun": played("0,0", players=("carol", "dan"))}
    asyncio.run(record(tmp_path, tables))

    assert main(["matches", "--data", str(tmp_path)]) == 0

    won, begun = capsys.readouterr().out.splitlines()
    assert won.split()[0] == "match-won"
    events = len(tables["match-won"].history)
    assert won.endswith(f"{events} events  alice bob  alice won by a line")
    assert begun.split()[0] == "match-begun"
    assert begun.endswith(f"{len(tables['match-begun'].history)} events  carol dan")


def test_a_time_that_no_calendar_has_is_listed_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    far = Table("go", {"size": 9}, now=10**18)
    asyncio.run(record(tmp_path, {"match-far": far, "match-near": played(*WIN)}))

    assert main(["matches", "--data", str(tmp_path)]) == 0

    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"match-far  {10**18} ms  go")
    assert second.startswith("match-near  2027-01-15 ")


def ended(game: str, *commands: Command, players: tuple[str, ...] = ("alice", "bob")) -> Table:
    """A match in which that was done at once."""
    table = Table(game, {"players": 3} if len(players) == 3 else {}, players=players)
    for command in commands:
        table.do(command)
    return table


FULL = ("0,0", "1,1", "2,2", "0,1", "2,1", "2,0", "0,2", "1,2", "1,0")
ENDS = {
    "a line": (played(*WIN), "alice won by a line"),
    "a draw": (played(*FULL), "a draw by a full board"),
    "resigned": (ended("go", Resign("secret:bob")), "alice won: bob resigned"),
    "area": (
        ended(
            "go",
            *(
                PlayMove(f"secret:{who}", move)
                for who, move in (
                    ("alice", "2,2"),
                    ("bob", "pass"),
                    ("alice", "pass"),
                    ("bob", "pass"),
                )
            ),
        ),
        "alice won by area, 361 to 0",
    ),
    "places": (
        ended(
            "chinese_checkers",
            Resign("secret:bob"),
            Resign("secret:carol"),
            players=("alice", "bob", "carol"),
        ),
        "1. alice (staying), 2. carol (resigned), 3. bob (resigned)",
    ),
    "called off": (
        ended("go", AbortMatch(AbortCause.OPERATOR)),
        "called off: by the operator",
    ),
    "not yet": (played("0,0"), "events  alice bob"),
}


@pytest.mark.parametrize(("table", "said"), ENDS.values(), ids=ENDS)
def test_a_list_says_who_won_and_by_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], table: Table, said: str
) -> None:
    asyncio.run(record(tmp_path, {"match-one": table}))

    assert main(["matches", "--data", str(tmp_path)]) == 0

    assert capsys.readouterr().out.rstrip("\n").endswith(said)


def test_there_are_words_for_every_way_to_end() -> None:
    assert set(BY) == set(Cause)
    assert set(LOST) == set(ForfeitCause)
    assert set(CALLED_OFF) == set(AbortCause)


def test_a_long_list_is_told_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = played("0,0")
    asyncio.run(record(tmp_path, {f"match-{number:04}": table for number in range(1000)}))

    assert main(["matches", "--data", str(tmp_path)]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [f"match-{number:04}" for number in range(1000)]


def test_a_match_is_shown_move_by_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(record(tmp_path, {"match-won": played(*WIN)}))

    assert main(["replay", "match-won", "--data", str(tmp_path)]) == 0

    shown = capsys.readouterr().out
    first, *moves, result = shown.split("\n\n")
    assert first.startswith("match-won: Tic-tac-toe, ")
    assert "alice" in first
    assert "bob" in first
    assert len(moves) == len(WIN)
    assert moves[-1].splitlines()[1:] == ["X X X", "O O .", ". . ."]
    assert result.startswith("result: 1. ")


def test_names_in_the_log_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN, players=("a\x1b[2J", "b\u202e\nc"))}))

    assert main(["matches", "--data", str(tmp_path)]) == 0
    assert main(["replay", "match-one", "--data", str(tmp_path)]) == 0

    shown = capsys.readouterr().out
    assert all(line.isprintable() for line in shown.split("\n"))
    assert "\nc" not in shown


@pytest.mark.parametrize("command", [("matches",), ("replay", "match-one")])
def test_no_log_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    assert main([*command, "--data", str(tmp_path)]) == 2

    sentence = f"parlour: there is no log in {tmp_path}; --data says where it is\n"
    assert capsys.readouterr() == ("", sentence)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["replay", "export"])
@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (b'{"type":"SeatPainted/1","at":7,"seat":0}', "Invalid value 'SeatPainted/1'"),
        (b"\x1b[2J", "JSON is malformed"),
        (MatchAggregate(GAMES).encode(MovePlayed(7, 1, "9,9")), "illegal-move"),
    ],
    ids=["of a later program", "no JSON", "an illegal move"],
)
def test_an_event_that_cannot_be_read_is_said_in_a_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    event: bytes,
    reason: str,
) -> None:
    table = played("0,0")
    asyncio.run(record(tmp_path, {"match-one": table}, event))

    assert main([command, "match-one", "--data", str(tmp_path)]) == 2

    out, said = capsys.readouterr()
    number = len(table.history) + 1
    assert said.startswith(f"parlour: event {number} of match-one cannot be read: {reason}")
    assert said.count("\n") == 1
    assert said.rstrip("\n").isprintable()
    assert out == ""


def test_a_log_in_a_relative_folder_is_told_with_its_whole_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["matches"]) == 2
    assert f"there is no log in {tmp_path}/parlour-data; " in capsys.readouterr().err


def test_an_unknown_match_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))

    assert main(["replay", "match-two", "--data", str(tmp_path)]) == 2

    assert capsys.readouterr() == ("", f"parlour: no match match-two in {tmp_path}\n")


@pytest.mark.parametrize("command", ["replay", "export"])
def test_a_stream_of_another_kind_is_no_match(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"room-one": played(*WIN)}))

    assert main([command, "room-one", "--data", str(tmp_path)]) == 2

    assert capsys.readouterr() == ("", "parlour: room-one is no match\n")
