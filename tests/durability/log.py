"""What is in a data directory's log, read without the store that wrote it."""

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import NamedTuple

Cell = tuple[int, int]
"""Row and column."""


class Line(NamedTuple):
    """One event as it was recorded: number `version` of its stream, a JSON object."""

    stream: str
    version: int
    text: str

    @property
    def kind(self) -> str:
        """The event's name."""
        name, _, _ = str(json.loads(self.text)["type"]).partition("/")
        return name


def lines(data: Path) -> list[Line]:
    """Every event in the order of commits, from a file that SQLite finds sound.

    The file is only read: a server may be writing to it, and its disk may be full.
    """
    address = f"{(data / 'log.sqlite3').absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = db.execute(
            "SELECT name, version, data FROM events JOIN streams ON id = stream ORDER BY position"
        )
        return [Line(*row) for row in rows]


def streams(data: Path) -> dict[str, list[Line]]:
    """The events of each stream; they are numbered from 1 and no number is missing."""
    found: dict[str, list[Line]] = {}
    for line in lines(data):
        found.setdefault(line.stream, []).append(line)
    for story in found.values():
        assert [line.version for line in story] == list(range(1, len(story) + 1))
    return found


def moves(story: list[Line]) -> list[Cell]:
    """The moves of a tic-tac-toe match."""
    played = [json.loads(line.text)["move"] for line in story if line.kind == "MovePlayed"]
    return [(int(row), int(column)) for column, row in (move.split(",") for move in played)]
