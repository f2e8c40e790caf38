"""Tic-tac-toe in stanzas: its state and its move (Tic-tac-toe document, sections 6 and 7).

Rows are counted downward and columns to the right, both from 1.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from parlour.wire.mug._namespaces import MUG
from parlour.wire.mug._xml import Node, Written, serialise

TICTACTOE = f"{MUG}/tictactoe"
CONFIG = f"{TICTACTOE}#tictactoeconfig"
CONFIG_PREFIX = "mug/tictactoe#config_"
_NUMBERS = re.compile(",".join(["([1-9][0-9]{0,3})"] * 3), re.ASCII)


class Move(Struct, frozen=True):
    """A mark: the number of the move, and where. The first move is 1."""

    id: int
    row: int
    col: int


def tictactoe_state(
    rows: int,
    cols: int,
    strike: int,
    board: Iterable[tuple[int, int, str]],
    next: str = "",
    won: str = "",
    draw: bool = False,
) -> Node:
    """A state. `board` has (row, col, role) for each mark, `next` the role on turn."""

    turn = _said("next", next) if next else ""
    marks = "".join([_mark(*mark) for mark in board])
    children: list[Node | Written] = [
        Written(f"{_size(rows, cols, strike)}{turn}<board>{marks}</board>")
    ]
    if won:
        children.append(Written(_said("won", won)))
    if draw:
        children.append(Node("draw", TICTACTOE))
    return Node("state", TICTACTOE, children=tuple(children))


# Written once: one state differs from the next in two of its elements.


@lru_cache(maxsize=64)
def _size(rows: int, cols: int, strike: int) -> str:
    lengths = (("rows", rows), ("cols", cols), ("strike", strike))
    return "".join(_said(name, str(length)) for name, length in lengths)


@lru_cache(maxsize=64)
def _said(name: str, text: str) -> str:
    return serialise(Node(name, TICTACTOE, children=(text,)), inside=TICTACTOE)


@lru_cache(maxsize=4096)
def _mark(row: int, col: int, role: str) -> str:
    place = {"row": str(row), "col": str(col)}
    return serialise(Node("field", TICTACTOE, place, (role,)), inside=TICTACTOE)


def tictactoe_move(move: Move) -> Node:
    """The element inside a turn."""
    numbers = {"row": str(move.row), "col": str(move.col), "id": str(move.id)}
    return Node("move", TICTACTOE, numbers)


def read_tictactoe_move(turn: Node) -> Move | None:
    """The only move inside a turn; None when there is none, several, or not one of this game."""
    inside = turn.elements()
    if len(inside) != 1 or inside[0].name != "move" or inside[0].namespace != TICTACTOE:
        return None
    said = inside[0].attributes.get
    numbers = _NUMBERS.fullmatch(f"{said('id')},{said('row')},{said('col')}")
    return numbers and Move(int(numbers[1]), int(numbers[2]), int(numbers[3]))
