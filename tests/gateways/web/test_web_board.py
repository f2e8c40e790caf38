"""Boards as cells and changes: captures, suicide, who leaves a race, and an unknown game."""

from collections.abc import Iterator
from typing import Self

from parlour.games import Outcome, Seat
from parlour.games.chinese_checkers import ChineseCheckers
from parlour.games.go import Go
from parlour.games.go import Options as GoOptions
from parlour.gateways.web._board import cells, diagram, forfeit_changes, move_changes


def test_a_go_move_takes_whole_chains_and_tells_their_cells() -> None:
    position = Go().start(GoOptions(size=5), 2)
    # . X X . .
    # X O O X .
    # . X . . .     black plays 2,2
    for move in ("1,0", "1,1", "2,0", "2,1", "0,1", "4,4", "3,1", "4,3", "1,2", "4,2"):
        position = position.play(move)

    after = position.play("2,2")

    assert move_changes(position, after, 0, "2,2") == {"2,2": 0, "1,1": None, "2,1": None}


def test_a_go_suicide_leaves_the_point_as_it_was() -> None:
    position = Go().start(GoOptions(size=5), 2)
    # O . X .
    # X X . .      white plays 1,0 and takes itself away
    for move in ("0,1", "0,0", "1,1", "4,4", "2,0"):
        position = position.play(move)

    after = position.play("1,0")

    assert move_changes(position, after, 1, "1,0") == {"0,0": None}


def test_a_pass_changes_no_cell() -> None:
    position = Go().start(GoOptions(size=5), 2)

    assert move_changes(position, position.play("pass"), 0, "pass") == {}


def test_pieces_leave_the_star_with_their_player() -> None:
    game = ChineseCheckers()
    position = game.start(game.options(), 3)

    gone = forfeit_changes(position, position.without(1))

    assert gone == dict.fromkeys(f"{x},{y}" for x, y in position.cells(1))
    assert len(gone) == 10


class Pile:
    """A position of a game that this gateway has never heard of."""

    turn: Seat | None = 0
    outcome: Outcome | None = None
    ply = 0

    def moves(self) -> Iterator[str]:
        yield "1"

    def play(self, move: str) -> Self:
        return self

    def without(self, seat: Seat) -> Self:
        return self

    def playing(self, seat: Seat) -> bool:
        return True

    def diagram(self) -> str:
        return "ooo"


def test_a_game_without_cells_is_told_in_lines_of_text() -> None:
    pile = Pile()

    assert (cells(pile), diagram(pile)) == (None, "ooo")
    assert move_changes(pile, pile, 0, "1") is None
    assert forfeit_changes(pile, pile) is None
    assert diagram(Go().start(GoOptions(size=5), 2)) is None
