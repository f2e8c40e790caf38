"""Tic-tac-toe by example: boards as they are drawn, and what others got wrong."""

import random

import msgspec
import pytest

from parlour.games import Cause, Outcome
from parlour.games.tictactoe import Options, TicTacToe
from tests.games.tictactoe.boards import Cell, drawn, lines, refusal, start, text, wander

X_WINS = Outcome(ranking=((0,), (1,)), causes=(Cause.LINE, Cause.LINE))
O_WINS = Outcome(ranking=((1,), (0,)), causes=(Cause.LINE, Cause.LINE))
DRAW = Outcome(ranking=((0, 1),), causes=(Cause.BOARD_FULL, Cause.BOARD_FULL))

SIZES = [(3, 3, 3), (4, 7, 4), (7, 4, 4), (3, 10, 3), (10, 3, 3), (6, 5, 5), (10, 10, 10)]
sizes = pytest.mark.parametrize(("rows", "cols", "strike"), SIZES)


def test_x_is_seat_0_and_marks_appear_where_they_are_played() -> None:
    position = start().play("2,0").play("0,1").play("1,2")
    assert position.diagram() == ". . X\nO . .\n. X ."
    assert [position.mark(2, 0), position.mark(0, 1), position.mark(0, 0)] == [0, 1, None]
    assert position.turn == 1
    assert list(position.moves()) == ["0,0", "1,0", "1,1", "2,1", "0,2", "2,2"]


def test_o_begins_where_the_options_say_so() -> None:
    game = TicTacToe()
    position = game.start(Options(first="o"), 2)
    assert game.seat_names(Options(first="o"), 2) == ("x", "o")
    assert position.turn == 1
    assert position.play("0,0").diagram() == "O . .\n. . .\n. . ."


def test_a_win_on_the_last_cell_is_no_draw() -> None:
    position = drawn("""
        X O O
        X O X
        . X O
    """)
    assert position.play("0,2").outcome == X_WINS


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = drawn("""
        X O X
        X O O
        O X .
    """)
    assert position.turn == 0
    end = position.play("2,2")
    assert end.outcome == DRAW
    assert end.turn is None
    assert end.ply == 9


def test_the_mark_that_joins_three_and_two_wins() -> None:
    position = drawn(
        """
        O . O . . O
        . . . . . .
        X X X . X X
        . . . . . .
        O . O . . .
        """,
        strike=5,
    )
    assert position.outcome is None
    assert position.play("3,2").outcome == X_WINS


def test_more_in_a_line_than_needed_wins() -> None:
    """Tic-tac-toe document, section 5: strike is how many in a line are needed."""
    position = drawn(
        """
        O . O . O . .
        . . . . . . .
        X X X . X X X
        . . . . . . .
        O . O . O . .
        """,
        strike=5,
    )
    assert position.play("3,2").outcome == X_WINS


def test_a_row_does_not_run_on_into_the_next() -> None:
    position = drawn("""
        . X X
        X . O
        O . .
    """)
    assert position.outcome is None


@pytest.mark.parametrize(
    ("board", "last"),
    [
        (
            """
            . . . X X X .
            . . . . . . .
            . . . . . . .
            . O O . O . .
            """,
            "6,0",
        ),
        (
            """
            . O O . O . .
            . . . . . . .
            . . . . . . .
            . . . X X X .
            """,
            "6,3",
        ),
        (
            """
            O . . . . . X
            . . . . . . X
            O . . . . . X
            O . . . . . .
            """,
            "6,3",
        ),
        (
            """
            . O . . O O .
            X . . . . . .
            X . . . . . .
            X . . . . . .
            """,
            "0,0",
        ),
        (
            """
            . O . . O O .
            . . . . . X .
            . . . . X . .
            . . . X . . .
            """,
            "6,0",
        ),
    ],
)
def test_lines_at_the_edges_of_a_wide_board(board: str, last: str) -> None:
    position = drawn(board, strike=4)
    assert position.outcome is None
    assert position.play(last).outcome == X_WINS


def test_rows_and_columns_are_not_swapped() -> None:
    wide = start(rows=4, cols=7, strike=4)
    assert refusal(wide, "3,6") == "illegal-move: cell 3,6 is off a board of 4 rows and 7 cols"
    assert wide.play("6,3").diagram().splitlines()[3] == ". . . . . . X"
    assert list(wide.moves())[-1] == "6,3"


@sizes
def test_every_line_wins_whichever_cell_is_last(rows: int, cols: int, strike: int) -> None:
    for line in lines(rows, cols, strike):
        for last in line:
            fillers = ((x, y) for y in range(rows) for x in range(cols) if (x, y) not in line)
            position = start(rows, cols, strike)
            for cell in line - {last}:  # O has one mark less than a line needs
                position = position.play(text(cell)).play(text(next(fillers)))
                assert position.outcome is None
            assert position.play(text(last)).outcome == X_WINS


@sizes
@pytest.mark.parametrize("seed", range(10))
def test_who_moved_last_is_the_one_with_a_line(
    rows: int, cols: int, strike: int, seed: int
) -> None:
    """Held against the list of all lines, at every ply of a random game."""
    for before in wander(start(rows, cols, strike), seed):
        owner = {(x, y): before.mark(x, y) for x in range(cols) for y in range(rows)}
        marks = sorted((y, x, seat) for (x, y), seat in owner.items() if seat is not None)
        assert [(y, x, seat) for x, y, seat in before.cells()] == marks
        with_line = {
            seat
            for seat in (0, 1)
            if any(all(owner[cell] == seat for cell in line) for line in lines(rows, cols, strike))
        }
        if before.outcome is None:
            assert not with_line
        elif before.outcome == DRAW:
            assert not with_line
            assert None not in owner.values()
        else:
            last_mover = (before.ply - 1) % 2
            assert before.outcome == (X_WINS, O_WINS)[last_mover]
            assert with_line == {last_mover}


def test_an_occupied_cell_is_refused_and_nothing_changes() -> None:
    position = start().play("1,1")
    assert refusal(position, "1,1") == "illegal-move: cell 1,1 is taken by X"
    assert position.diagram() == ". . .\n. X .\n. . ."
    assert position.turn == 1


@pytest.mark.parametrize("move", ["-1,-1", "-1,0", "0,-1"])
def test_a_negative_number_is_not_counted_from_the_other_end(move: str) -> None:
    position = start()
    expected = f"malformed-move: '{move}' is no move: expected x,y as in 2,0"
    assert refusal(position, move) == expected
    assert position.diagram() == ". . .\n. . .\n. . ."


def test_a_refusal_repeats_little_of_a_long_text() -> None:
    assert len(refusal(start(), "9" * 1_000_000)) < 120


def test_the_largest_board_can_be_filled() -> None:
    """Pairs of equal marks, shifted by two in every other row: no line of ten anywhere."""
    position = start(10, 10, 10)
    cells: dict[int, list[Cell]] = {0: [], 1: []}
    for y in range(10):
        for x in range(10):
            cells[(x // 2 + y) % 2].append((x, y))
    rng = random.Random(0)
    for seat in (0, 1):
        rng.shuffle(cells[seat])
    assert len(cells[0]) == len(cells[1]) == 50
    for x_cell, o_cell in zip(cells[0], cells[1], strict=True):
        position = position.play(text(x_cell)).play(text(o_cell))
    assert position.ply == 100
    assert position.outcome == DRAW
    assert position.diagram().splitlines()[0] == "X X O O X X O O X X"
    assert "." not in position.diagram()
    assert msgspec.json.decode(msgspec.json.encode(position), type=type(position)) == position


@pytest.mark.parametrize(
    ("seat", "winner", "causes"),
    [
        (0, 1, (Cause.LEFT, Cause.LAST_STANDING)),
        (1, 0, (Cause.LAST_STANDING, Cause.LEFT)),
    ],
)
def test_who_leaves_loses(seat: int, winner: int, causes: tuple[Cause, ...]) -> None:
    left = start().play("0,0").without(seat)
    assert left.outcome == Outcome(ranking=((winner,), (seat,)), causes=causes)


@pytest.mark.parametrize(
    ("rows", "cols", "strike"), [(3, 4, 4), (4, 3, 4), (2, 3, 3), (3, 11, 3), (9, 9, 10), (3, 3, 2)]
)
def test_a_strike_must_fit_the_board_and_the_board_the_form(
    rows: int, cols: int, strike: int
) -> None:
    with pytest.raises(ValueError, match=r"strike|rows|cols"):
        Options(rows=rows, cols=cols, strike=strike)
