"""`parlour matches` and `parlour replay` on a log of real matches."""

import asyncio
from pathlib import Path

import pytest

from parlour.cli import GAMES, main
from parlour.host import StoreError, Write
from parlour.match import MatchAggregate
from parlour.stores import SqliteStore
from tests.records.play import Table


async def record(data: Path, tables: dict[str, Table]) -> None:
    """Append the matches to the log of `data` as the host does."""
    store = SqliteStore(data / "log.sqlite3")
    aggregate = MatchAggregate(GAMES)
    done = asyncio.get_running_loop().create_future()

    def report(error: StoreError | None) -> None:
        done.set_result(error)

    store.append(
        [
            Write(stream, 0, [aggregate.encode(event) for event, _ in table.history])
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
    assert won.endswith(f"{len(tables['match-won'].history)} events  alice bob")
    assert begun.split()[0] == "match-begun"
    assert begun.endswith(f"{len(tables['match-begun'].history)} events  carol dan")


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


def test_an_unknown_match_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))

    assert main(["replay", "match-two", "--data", str(tmp_path)]) == 2

    assert capsys.readouterr() == ("", f"parlour: no match match-two in {tmp_path}\n")
