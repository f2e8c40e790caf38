"""A short torture is passed, and its proof fails when the log or the notes are tampered with."""

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.__main__ import main
from benchmarks.torture.notes import (
    Began,
    Ended,
    GaveUp,
    Killed,
    Note,
    Notebook,
    Started,
    Told,
    read,
)
from benchmarks.torture.proof import Verdict, examine
from parlour.stores import SqliteStore

pytestmark = pytest.mark.slow


class Run(NamedTuple):
    """A torture that is over: its exit status, its folder, and what it recorded."""

    status: int
    folder: Path
    record: dict[str, Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A server killed three times under seven games of four protocols."""
    where = tmp_path_factory.mktemp("torture")
    words = ["--torture", "--kills", "3", "--games", "7", "--seed", "3"]
    status = main([*words, "--keep", str(where / "run"), "--json", str(where / "torture.json")])
    return Run(status, where / "run", json.loads((where / "torture.json").read_bytes()))


@pytest.fixture
def copy(run: Run, tmp_path: Path) -> Path:
    """A copy of what the run left, to be tampered with."""
    return Path(shutil.copytree(run.folder, tmp_path / "copy"))


def test_a_short_torture_loses_nothing(run: Run) -> None:
    record = run.record["torture of kills"]
    assert (run.status, record["problems"]) == (0, [])
    assert record["kills"] == {"server": 3}
    assert record["moves_told"] > 20
    assert {"textbook", "nedap", "ruc", "web"} <= record["clients"].keys()
    assert record["commit"]
    assert set(record["secured"]) == {"textbook", "nedap", "ruc", "web"}
    assert set(record["mix"]) <= record["played"].keys()
    assert all(one["moves"] and one["results"] for one in record["played"].values())
    assert record["lost"] == record["doubled"] == record["stuck"] == record["tracebacks"] == 0


@pytest.mark.external
def test_a_short_soak_takes_samples_and_loses_nothing(tmp_path: Path) -> None:
    """All kinds of games, those in rooms of a managed Prosody too."""
    if shutil.which("prosody") is None:
        pytest.skip("prosody is not installed")
    where = tmp_path / "soak.json"
    status = main(["--soak", "--minutes", "0.1", "--games", "12", "--json", str(where)])
    record = json.loads(where.read_bytes())["soak"]
    assert (status, record["problems"]) == (0, [])
    assert "mug" in record["clients"]
    assert record["samples"][0]["memory_mib"] > 10
    assert record["kills"] == {}


@contextlib.contextmanager
def log(folder: Path) -> Iterator[sqlite3.Connection]:
    """The log of a run, to write to."""
    with contextlib.closing(sqlite3.connect(folder / "data/log.sqlite3")) as db, db:
        yield db


def last_told(folder: Path) -> tuple[int, int]:
    """Stream and position of the last move that the log has of a match that named clients saw."""
    named = {
        note.client for note in read(folder / "notes.jsonl") if isinstance(note, Began | Told)
    } & {note.client for note in read(folder / "notes.jsonl") if isinstance(note, Ended)}
    names = [client.partition(":")[2] for client in named if client.startswith("nedap:")]
    with log(folder) as db:
        stream: int
        position: int
        stream, position = db.execute(
            "SELECT stream, max(position) FROM events WHERE data LIKE '%MovePlayed%' AND stream IN"
            " (SELECT stream FROM events WHERE data LIKE ?) GROUP BY stream",
            (f"%nedap:{names[0]} %",),
        ).fetchone()
        return stream, position


def lose_a_move(folder: Path) -> None:
    """The last move and all that came after it."""
    stream, position = last_told(folder)
    with log(folder) as db:
        db.execute("DELETE FROM events WHERE stream = ? AND position >= ?", (stream, position))


def lose_the_end(folder: Path) -> None:
    """The result, as if the game had gone on for ever."""
    stream, position = last_told(folder)
    with log(folder) as db:
        db.execute("DELETE FROM events WHERE stream = ? AND position > ?", (stream, position))


def lose_a_match(folder: Path) -> None:
    """Every event of a match."""
    stream, _ = last_told(folder)
    with log(folder) as db:
        db.execute("DELETE FROM events WHERE stream = ?", (stream,))


def play_a_move_twice(folder: Path) -> None:
    """In place of the move that came next."""
    stream, position = last_told(folder)
    with log(folder) as db:
        db.execute(
            "UPDATE events SET data = (SELECT data FROM events e WHERE e.stream = ? AND"
            " e.data LIKE '%MovePlayed%' AND e.position < ?"
            " ORDER BY e.position DESC LIMIT 1) WHERE position = ?",
            (stream, position, position),
        )


def append_a_move_again(folder: Path) -> None:
    """Behind the end."""
    stream, position = last_told(folder)
    with log(folder) as db:
        db.execute(
            "INSERT INTO events (stream, version, data) SELECT stream,"
            " (SELECT max(version) + 1 FROM events WHERE stream = ?), data"
            " FROM events WHERE position = ?",
            (stream, position),
        )


def leave_a_gap(folder: Path) -> None:
    """A version is missing."""
    _, position = last_told(folder)
    with log(folder) as db:
        db.execute("DELETE FROM events WHERE position = ?", (position,))


def print_a_traceback(folder: Path) -> None:
    """In the server's own log."""
    with (folder / "server.log").open("a") as file:
        file.write("Traceback (most recent call last):\n")


@pytest.mark.parametrize(
    ("tamper", "kinds"),
    [
        (lose_a_move, {"lost"}),
        (lose_the_end, {"stuck", "wrong_results"}),
        (lose_a_match, {"lost"}),
        (play_a_move_twice, {"lost"}),
        (append_a_move_again, set()),
        (leave_a_gap, set()),
        (print_a_traceback, {"tracebacks"}),
    ],
)
def test_the_proof_fails_when_the_log_is_tampered_with(
    copy: Path, tamper: Callable[[Path], None], kinds: set[str]
) -> None:
    assert examine(copy).problems == []
    tamper(copy)
    verdict = examine(copy)
    assert verdict.problems
    assert kinds <= found(verdict)


def found(verdict: Verdict) -> set[str]:
    """What kinds of problems there are."""
    kinds = ("lost", "doubled", "wrong_results", "stuck", "tracebacks")
    return {kind for kind in kinds if getattr(verdict, kind)}


# What must have happened


async def folder_of_nothing(folder: Path, *notes: Note) -> Path:
    """What a server leaves at which nobody has played, and what clients say of it."""
    (folder / "data").mkdir()
    store = SqliteStore(folder / "data/log.sqlite3")
    await store.close()
    notebook = Notebook(folder / "notes.jsonl")
    for note in notes:
        notebook.write(note)
    notebook.close()
    (folder / "server.log").touch()
    return folder


async def test_a_run_in_which_nobody_played_is_not_passed(tmp_path: Path) -> None:
    verdict = examine(await folder_of_nothing(tmp_path))
    assert verdict.problems == [
        "idle: nobody was told a move of any game",
        "idle: nobody was told a result of any game",
    ]


def change_notes(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    path = folder / "notes.jsonl"
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")


def test_a_planned_kind_of_which_nothing_was_told_is_found(copy: Path) -> None:
    def plan_more(line: str) -> str:
        note = json.loads(line)
        if note["note"] == "planned":
            note["kinds"].append("mug")
        return json.dumps(note)

    change_notes(copy, lambda lines: [plan_more(line) for line in lines])
    assert examine(copy).problems == [
        "idle: nobody was told a move of mug",
        "idle: nobody was told a result of mug",
    ]


def test_a_kind_without_a_result_is_found(copy: Path) -> None:
    web = [note.client for note in read(copy / "notes.jsonl") if note.client.startswith("web:")]

    def of_browsers(line: str) -> bool:
        note = json.loads(line)
        return note["note"] == "ended" and note["client"] in web

    change_notes(copy, lambda lines: [line for line in lines if not of_browsers(line)])
    assert examine(copy).problems == ["idle: nobody was told a result of web"]


SECOND = 1000
RESTART = (Killed(100 * SECOND, "server"), Started(102 * SECOND, "server"))


@pytest.mark.parametrize(
    ("since", "until", "blamed"),
    [(80, 81, True), (99, 101, False), (101, 125, True), (95, 113, False), (89, 101, True)],
    ids=["nothing was done", "a kill", "long after a start", "soon after", "long before a kill"],
)
async def test_who_never_began_is_a_problem_where_the_server_had_no_excuse(
    tmp_path: Path, since: int, until: int, blamed: bool
) -> None:
    gone = GaveUp(until * SECOND, "nedap:taaaaa", since * SECOND)
    folder = await folder_of_nothing(tmp_path, Started(1, "server"), *RESTART, gone)
    verdict = examine(folder)
    assert (verdict.gave_up, verdict.kept_out) == (1, int(blamed))


def test_strangers_that_met_no_limit_are_found(run: Run, copy: Path) -> None:
    assert run.record["torture of kills"]["turned_away"]
    log = copy / "server.log"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(line for line in lines if "turned away" not in line))
    assert examine(copy).problems == ["idle: no stranger met a limit"]


def test_a_move_that_was_told_twice_is_found(copy: Path) -> None:
    change_notes(
        copy,
        lambda lines: [
            line for line in lines for _ in range(2 if told_of_a_game_of_go(line) else 1)
        ],
    )
    assert "doubled" in found(examine(copy))


def test_a_move_that_nobody_asked_for_is_found(copy: Path) -> None:
    change_notes(copy, lambda lines: [line for line in lines if '"note":"sent"' not in line])
    assert found(examine(copy)) == {"doubled"}


def test_another_result_than_the_recorded_one_is_found(copy: Path) -> None:
    def turn_round(line: str) -> str:
        note = json.loads(line)
        if note["note"] == "ended":
            note["ranking"].reverse()
        return json.dumps(note)

    change_notes(copy, lambda lines: [turn_round(line) for line in lines])
    assert found(examine(copy)) == {"wrong_results"}


def told_of_a_game_of_go(line: str) -> bool:
    note = json.loads(line)
    return bool(note["note"] == "told" and note["client"].startswith("nedap:"))
