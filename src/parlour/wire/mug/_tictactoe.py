"""Tic-tac-toe in stanzas: its state and its move (Tic-tac-toe document, sections 6 and 7).

Rows are counted downward and columns to the right, both from 1.
"""

import re
from collections.abc import Iterable

from msgspec import Struct

from parlour.wire.mug._namespaces import MUG
from parlour.wire.mug._xml import Node

TICTACTOE = f"{MUG}/tictactoe"
CONFIG = f"{TICTACTOE}#tictactoeconfig"
CONFIG_PREFIX = "mug/tictactoe#config_"
_NUMBER = re.compile(r"[1-9][0-9]{0,3}", re.ASCII)


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

    def said(name: str, text: str | int) -> Node:
        return Node(name, TICTACTOE, children=(str(text),))

    fields = tuple(
        Node("field", TICTACTOE, {"row": str(row), "col": str(col)}, (role,))
        for row, col, role in board
    )
    children = [said("rows", rows), said("cols", cols), said("strike", strike)]
    if next:
        children.append(said("next", next))
    children.append(Node("board", TICTACTOE, children=fields))
    if won:
        children.append(said("won", won))
    if draw:
        children.append(Node("draw", TICTACTOE))
    return Node("state", TICTACTOE, children=tuple(children))


def tictactoe_move(move: Move) -> Node:
    """The element inside a turn."""
    numbers = {"row": str(move.row), "col": str(move.col), "id": str(move.id)}
    return Node("move", TICTACTOE, numbers)


def read_tictactoe_move(turn: Node) -> Move | None:
    """The only move inside a turn; None when there is none, several, or not one of this game."""
    inside = turn.elements()
    if len(inside) != 1 or (inside[0].name, inside[0].namespace) != ("move", TICTACTOE):
        return None
    attributes = inside[0].attributes
    texts = [attributes.get(name, "") for name in ("id", "row", "col")]
    if not all(_NUMBER.fullmatch(text) for text in texts):
        return None
    number, row, col = (int(text) for text in texts)
    return Move(number, row, col)
