"""The games that `test_games.py` holds to their laws, and how to play them at random.

A new game is held to them by one more line in `TABLES`.
"""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from parlour.games import (
    AnyGame,
    Outcome,
    Position,
    Refusal,
    Refused,
    Seat,
    chinese_checkers,
    go,
    tictactoe,
)
from parlour.games.chinese_checkers import ChineseCheckers
from parlour.games.go import Go
from parlour.games.tictactoe import TicTacToe


class Table(NamedTuple):
    """A game as it is played in the contract: options small enough that random games end."""

    game: AnyGame
    options: Struct
    players: int

    def start(self) -> Position:
        return self.game.start(self.options, self.players)


TABLES: tuple[Table, ...] = (
    Table(TicTacToe(), tictactoe.Options(), 2),
    Table(TicTacToe(), tictactoe.Options(rows=4, cols=7, strike=4, first="o"), 2),
    Table(Go(), go.Options(size=5), 2),
    Table(Go(), go.Options(size=5, end="any"), 2),
    Table(ChineseCheckers(), chinese_checkers.Options(max_rounds=8), 2),
    Table(ChineseCheckers(), chinese_checkers.Options(max_rounds=3, blocked_target="full"), 6),
)
GAMES: tuple[AnyGame, ...] = tuple({table.game.name: table.game for table in TABLES}.values())

LONGEST = 1_000
"""Plies after which a random game counts as endless."""


class Seen(NamedTuple):
    """All that a position says of itself."""

    turn: Seat | None
    outcome: Outcome | None
    ply: int
    playing: tuple[bool, ...]
    moves: tuple[str, ...]
    diagram: str


def look(position: Position, players: int) -> Seen:
    return Seen(
        position.turn,
        position.outcome,
        position.ply,
        tuple(map(position.playing, range(players))),
        tuple(position.moves()),
        position.diagram(),
    )


def wander(table: Table, seed: int) -> Iterator[Position]:
    """Every position of a random game, from the first to the last."""
    rng = random.Random(seed)
    position = table.start()
    yield position
    while position.turn is not None:
        assert position.ply < LONGEST, "the options at this table let a random game go on for ever"
        position = position.play(rng.choice(list(position.moves())))
        yield position


def refusal(position: Position, move: str) -> Refusal | None:
    """Why `move` is refused; None when it is played."""
    try:
        position.play(move)
    except Refused as refused:
        return refused.refusal
    return None


class Field(NamedTuple):
    """One option: what the forms say of it, values it can have and values it can not."""

    name: str
    said: dict[str, Any]
    listed: bool
    required: bool
    right: tuple[Any, ...]
    wrong: tuple[Any, ...]


def fields(options: type[Struct]) -> list[Field]:
    """What the types of the fields say of them."""
    found = []
    described = msgspec.inspect.type_info(options)
    assert isinstance(described, msgspec.inspect.StructType)
    for field in described.fields:
        kind, said = field.type, {}
        if isinstance(kind, msgspec.inspect.Metadata):
            said = kind.extra_json_schema or {}
            kind = kind.type
        right, wrong = values(kind)
        listed = isinstance(kind, msgspec.inspect.LiteralType)
        found.append(Field(field.name, said, listed, field.required, right, wrong))
    return found


def values(kind: msgspec.inspect.Type) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Values of a type, and values just beyond its bounds.

    Raises:
        TypeError: a type that neither the forms nor this contract can show.
    """
    match kind:
        case msgspec.inspect.IntType(ge=int(least), le=int(most)):
            middle = tuple(range(least, min(least + 20, most + 1)))
            return (*middle, most), (least - 1, most + 1)
        case msgspec.inspect.LiteralType(values=choices):
            return tuple(choices), ("no such choice",)
        case msgspec.inspect.BoolType():
            return (False, True), ()
    raise TypeError(f"{kind} is neither a bounded int, nor a Literal, nor a bool")
