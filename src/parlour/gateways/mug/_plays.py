"""Each game as it is played over Multi-User Gaming: its namespace, its state, its turns."""

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from parlour.games import AnyGame, Position
from parlour.games.tictactoe import Options, TicTacToe
from parlour.games.tictactoe import Position as Board
from parlour.wire.mug import (
    CONFIG,
    CONFIG_PREFIX,
    TICTACTOE,
    Move,
    Node,
    read_tictactoe_move,
    tictactoe_move,
    tictactoe_state,
)


class Play(Protocol):
    """What a game protocol says (proto-XEP Multi-User Gaming: "Game -- a XEP")."""

    @property
    def game(self) -> AnyGame: ...

    @property
    def namespace(self) -> str: ...

    @property
    def category(self) -> str:
        """What kind of game it is, as in searches: board, cards and the like."""

    @property
    def config_type(self) -> str:
        """The FORM_TYPE of its configuration form."""

    @property
    def config_prefix(self) -> str:
        """What the names of the form's fields begin with."""

    def state(
        self,
        options: Mapping[str, Any] | Struct,
        position: Position | None,
        won: str = "",
        drawn: bool = False,
    ) -> Node:
        """A position, or the first one where there is none yet; with the result of the last."""

    def read_turn(self, turn: Node) -> tuple[str, int] | None:
        """The move in a turn as canonical text, and its number from 0; None when it is none."""

    def turn(self, move: str, ply: int) -> Node:
        """The element for a move that was the `ply`th, counted from 0."""

    def next_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options of the round after a finished one."""


class TicTacToePlay:
    """Tic-tac-toe (Tic-tac-toe document, sections 4 to 7)."""

    game: AnyGame = TicTacToe()
    namespace = TICTACTOE
    category = "board"
    config_type = CONFIG
    config_prefix = CONFIG_PREFIX

    def state(
        self,
        options: Mapping[str, Any] | Struct,
        position: Position | None,
        won: str = "",
        drawn: bool = False,
    ) -> Node:
        chosen = msgspec.convert(options, Options)
        roles = self.game.seat_names(chosen, 2)
        turn = roles.index(chosen.first)
        board: list[tuple[int, int, str]] = []
        if isinstance(position, Board):
            board = [(y + 1, x + 1, roles[seat]) for x, y, seat in position.cells()]
            # A finished board names nobody: a program that read its own role there would move.
            next_role = "" if position.turn is None else roles[position.turn]
        else:
            next_role = roles[turn]
        return tictactoe_state(
            chosen.rows, chosen.cols, chosen.strike, board, next_role, won, drawn
        )

    def read_turn(self, turn: Node) -> tuple[str, int] | None:
        move = read_tictactoe_move(turn)
        return None if move is None else (f"{move.col - 1},{move.row - 1}", move.id - 1)

    def turn(self, move: str, ply: int) -> Node:
        x, y = (int(part) for part in move.split(","))
        return tictactoe_move(Move(ply + 1, y + 1, x + 1))

    def next_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The other role begins the next round."""
        return {**options, "first": "o" if options["first"] == "x" else "x"}


PLAYS: Mapping[str, Play] = {play.namespace: play for play in (TicTacToePlay(),)}
