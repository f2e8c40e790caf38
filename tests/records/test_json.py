"""The JSON record says what happened, and is enough to play the game again."""

import json
import random
from typing import Any

import msgspec
import pytest

from parlour.cli import GAMES
from parlour.games import Position
from parlour.match import (
    AbortCause,
    AbortMatch,
    LeaveSeat,
    Newcomer,
    Resign,
    TakeSeat,
    Terms,
    TimeControl,
)
from parlour.records import FORMAT, Abort, Forfeit, Record, SeatRecord, json_record
from tests.records.play import SECRET, Table

STREAM = "match-7k2m"


def read(table: Table) -> Record:
    """The record, strictly by its schema."""
    return msgspec.json.decode(json_record(STREAM, table.history), type=Record)


def replayed(record: Record) -> Position:
    """Play the game of a record again, by nothing but what it says."""
    game = {game.name: game for game in GAMES}[record.game]
    options: Any = msgspec.convert(record.options, game.options)
    position = game.start(options, len(record.seats))
    seats = game.seat_names(options, len(record.seats))
    for move in record.opening:
        position = position.play(move)
    for played in range(len(record.moves) + 1):
        for forfeit in record.forfeits:
            if forfeit.after_moves == played:
                position = position.without(seats.index(forfeit.seat))
        if played < len(record.moves):
            assert position.turn == seats.index(record.moves[played].seat)
            position = position.play(record.moves[played].move)
    return position


def test_a_won_game_of_tic_tac_toe() -> None:
    table = Table("tictactoe", {}, control=TimeControl(turn=60_000))
    table.play("0,0", "1,1", "1,0", "2,2", "2,0")

    assert json.loads(json_record(STREAM, table.history)) == {
        "format": "parlour-record/1",
        "id": STREAM,
        "game": "tictactoe",
        "options": {"rows": 3, "cols": 3, "strike": 3, "first": "x"},
        "room": "",
        "status": "over",
        "created_at": "2027-01-15T12:00:00.000Z",
        "started_at": "2027-01-15T12:00:00.000Z",
        "ended_at": "2027-01-15T12:00:05.000Z",
        "time_control": {"turn": 60_000, "total": 0, "increment": 0, "periods": 0, "period": 0},
        "seats": [{"seat": "x", "player": "alice"}, {"seat": "o", "player": "bob"}],
        "opening": [],
        "moves": [
            {"seat": "x", "move": "0,0", "at": "2027-01-15T12:00:01.000Z"},
            {"seat": "o", "move": "1,1", "at": "2027-01-15T12:00:02.000Z"},
            {"seat": "x", "move": "1,0", "at": "2027-01-15T12:00:03.000Z"},
            {"seat": "o", "move": "2,2", "at": "2027-01-15T12:00:04.000Z"},
            {"seat": "x", "move": "2,0", "at": "2027-01-15T12:00:05.000Z"},
        ],
        "forfeits": [],
        "result": {
            "ranking": [["x"], ["o"]],
            "causes": {"x": "line", "o": "line"},
            "scores": {},
        },
        "abort": None,
    }


@pytest.mark.parametrize(
    ("game", "options", "players"),
    [
        ("tictactoe", {"rows": 5, "cols": 4, "strike": 4}, 2),
        ("go", {"size": 5}, 2),
        ("go", {"size": 53}, 2),
        ("chinese_checkers", {"players": 2}, 2),
        ("chinese_checkers", {"players": 6}, 6),
    ],
)
def test_every_game_can_be_played_again_from_its_record(
    game: str, options: dict[str, Any], players: int
) -> None:
    table = Table(game, options, players=[f"player{number}" for number in range(players)])
    rng = random.Random(1)
    for _ in range(15):
        if table.match.position is not None and table.match.turn is not None:
            table.play(rng.choice(list(table.match.position.moves())))
    if table.match.turn is not None:
        table.do(Resign(table.identity(players - 1)))
    for _ in range(5):
        if table.match.position is not None and table.match.turn is not None:
            table.play(rng.choice(list(table.match.position.moves())))

    assert table.match.position == replayed(read(table))


def test_an_opening_is_played_again_too() -> None:
    table = Table("go", {"size": 9}, opening=("2,2", "pass"))
    table.play("3,3")

    assert table.match.position == replayed(read(table))


def test_a_forfeit_has_its_cause_and_place() -> None:
    table = Table("go", {"size": 9})
    table.play("2,2", "2,2")

    record = read(table)

    assert record.forfeits == (
        Forfeit(
            "white",
            "illegal-move",
            "point 2,2 is occupied by black",
            1,
            "2027-01-15T12:00:02.000Z",
        ),
    )
    assert record.result is not None
    assert record.result.ranking == (("black",), ("white",))


def test_an_abort_has_its_cause() -> None:
    table = Table("go", {"size": 9})
    table.do(AbortMatch(AbortCause.OPERATOR, "the hall closes"))

    record = read(table)

    assert (record.status, record.result) == ("aborted", None)
    assert record.abort == Abort("operator", "the hall closes")


def test_a_match_that_has_not_begun_lists_who_sits() -> None:
    table = Table("go", {"size": 9}, players=("alice",))

    record = read(table)

    assert (record.status, record.started_at, record.ended_at) == ("open", None, None)
    assert record.seats == (SeatRecord("black", "alice"),)


def test_who_left_before_the_start_is_not_listed() -> None:
    table = Table("go", {"size": 9}, players=("alice",))
    table.do(LeaveSeat(table.identity(0)))

    record = read(table)

    assert record.seats == ()
    assert record.abort == Abort("empty", "")


def test_names_go_with_the_seats_that_are_dealt_at_the_start() -> None:
    table = Table("chinese_checkers", {"players": 3}, players=("alice", "bob"))
    table.do(LeaveSeat(table.identity(0)))
    for name in ("carol", "dave"):  # Carol sits down where Alice sat, after Bob
        table.do(TakeSeat(Newcomer(SECRET + name, name, Terms(ready=True))))

    record = read(table)

    assert record.status == "live"
    assert [seat.player for seat in record.seats] == ["bob", "carol", "dave"]


def test_names_are_told_and_identities_not() -> None:
    data = json_record(STREAM, Table("go", {"size": 9}).history)

    assert b"alice" in data
    assert SECRET.encode() not in data
    assert FORMAT.encode() in data
