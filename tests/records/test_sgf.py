"""SGF as another reader of it, sgfmill, understands it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.boards import Board
from sgfmill.sgf import Sgf_game
from sgfmill.sgf_grammar import parse_sgf_game

from parlour.match import (
    AbortCause,
    AbortMatch,
    ForfeitCause,
    ForfeitSeat,
    LeaveSeat,
    Resign,
    Tick,
    TimeControl,
)
from parlour.records import SgfError, sgf
from tests.records.play import SECRET, Table

# sgfmill counts rows from the bottom and columns from the left, both from 0.
Point = tuple[int, int] | None

PRINTABLE = st.text(st.characters(exclude_categories=("C", "Z")), max_size=30)


def go(size: int = 9, **more: object) -> Table:
    return Table("go", {"size": size}, **more)  # type: ignore[arg-type]  # passed through


def read(table: Table) -> Sgf_game:
    """What sgfmill reads."""
    return Sgf_game.from_bytes(sgf(table.history).encode())


def moves(game: Sgf_game) -> list[tuple[str, Point]]:
    return [node.get_move() for node in game.get_main_sequence() if node.get_move()[0]]


def value(game: Sgf_game, name: str) -> str:
    return str(game.get_root().get(name))


def comment(game: Sgf_game) -> str:
    return str(game.get_last_node().get("C"))


@pytest.mark.parametrize(
    ("now", "days"),
    [
        (253_402_300_799_999, "9999-12-31"),
        (253_402_300_800_000, None),
        (-62_135_596_800_000, "0001-01-01"),
        (-62_135_596_800_001, None),
        (10**18, None),
    ],
)
def test_a_day_that_no_calendar_has_is_left_out(now: int, days: str | None) -> None:
    table = go(step=0, now=now)
    table.play("0,0")
    root = read(table).get_root()
    assert (root.get("DT") if root.has_property("DT") else None) == days


def test_a_counted_game_is_read_back() -> None:
    table = go()
    table.play("2,0", "pass", "pass", "8,8", "pass", "pass")  # black, white and black again

    game = read(table)

    assert game.get_size() == 9
    assert moves(game) == [
        ("b", (8, 2)),
        ("w", None),
        ("b", None),
        ("w", (0, 8)),
        ("b", None),
        ("w", None),
    ]
    assert (game.get_player_name("b"), game.get_player_name("w")) == ("alice", "bob")
    assert value(game, "RE") == "Draw"
    assert value(game, "DT") == "2027-01-15"
    assert game.get_komi() == 0
    assert game.get_handicap() is None


@pytest.mark.parametrize(
    ("played", "result"), [(("0,0", "pass", "pass", "pass"), "B+25"), (("pass", "0,0"), "W+25")]
)
def test_the_winner_is_ahead_by_the_difference_of_the_areas(
    played: tuple[str, ...], result: str
) -> None:
    table = go(5)
    table.play(*played)
    if table.match.outcome is None:
        table.play("pass", "pass")

    assert value(read(table), "RE") == result


def test_sgfmill_counts_the_same_difference() -> None:
    """White's wall stands nearer to the middle of a board of 5."""
    table = go(5)
    table.play(*(f"{x},{y}" for y in range(5) for x in (1, 2)), "pass", "pass")

    game = read(table)

    board = Board(5)
    for colour, point in moves(game):
        if point is not None:
            board.play(*point, colour)
    assert board.area_score() < 0
    assert value(game, "RE") == f"W+{-board.area_score()}"
    assert all(table.match.outcome.scores if table.match.outcome else ())


@pytest.mark.parametrize("size", [9, 19, 21, 25])
def test_a_pass_is_empty_on_every_size(size: int) -> None:
    table = go(size)
    table.play(f"{size - 1},{size - 1}", "pass", "0,0")

    assert ";W[]" in sgf(table.history)
    assert moves(read(table)) == [("b", (0, size - 1)), ("w", None), ("b", (size - 1, 0))]


def test_tt_is_a_point_above_19() -> None:
    table = go(21)
    table.play("19,19")

    assert moves(read(table)) == [("b", (1, 19))]


def test_columns_and_rows_after_the_26th_have_capitals() -> None:
    """Sgfmill's games end at 26; its grammar reads them all."""
    table = go(51)
    table.play("25,26", "50,0", "pass")

    tree = parse_sgf_game(sgf(table.history).encode())

    assert tree.sequence[0]["SZ"] == [b"51"]
    assert tree.sequence[1:] == [{"B": [b"zA"]}, {"W": [b"Ya"]}, {"B": [b""]}]


def test_sgf_ends_at_52_letters() -> None:
    with pytest.raises(SgfError, match=r"^size 53 is beyond SGF's 52 letters$"):
        sgf(go(53).history)


def test_sgf_is_for_go() -> None:
    with pytest.raises(SgfError, match=r"^SGF is for Go, not for "):
        sgf(Table("tictactoe", {}).history)


def test_names_are_escaped_and_identities_left_out() -> None:
    table = go(players=("a[b]\\c:", "back\\"))

    game = read(table)

    assert (game.get_player_name("b"), game.get_player_name("w")) == ("a[b]\\c:", "back\\")
    assert SECRET not in sgf(table.history)


@given(black=PRINTABLE, white=PRINTABLE, detail=PRINTABLE)
def test_any_names_and_details_are_read_back(black: str, white: str, detail: str) -> None:
    table = go(players=(f"b{black}", f"w{white}"))
    table.do(ForfeitSeat(0, ForfeitCause.OPERATOR, f"{detail}x\\]"))

    game = read(table)

    assert game.get_player_name("b") == f"b{black}"
    assert game.get_player_name("w") == f"w{white}"
    assert comment(game) == f"black lost (operator: {detail}x\\])"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_no_name_breaks_the_tree(name: str) -> None:
    table = go(players=(f"b{name}", "w"))
    table.play("2,2")

    assert moves(read(table)) == [("b", (6, 2))]


def test_a_resignation() -> None:
    table = go()
    table.play("2,2")
    table.do(Resign(table.identity(0)))

    assert value(read(table), "RE") == "W+R"
    assert comment(read(table)) == "black lost (resigned)"


def test_an_illegal_move_is_no_move_of_the_record() -> None:
    table = go()
    table.play("2,2", "2,2")

    game = read(table)

    assert value(game, "RE") == "B+F"
    assert moves(game) == [("b", (6, 2))]
    assert comment(game) == "white lost (illegal-move: point 2,2 is occupied by black)"


def test_leaving_is_a_forfeit() -> None:
    table = go()
    table.do(LeaveSeat(table.identity(1)))

    assert value(read(table), "RE") == "B+F"
    assert comment(read(table)) == "white lost (left)"


def test_time_runs_out() -> None:
    table = go(control=TimeControl(turn=5_000))
    table.now += 10_000
    table.do(Tick())

    assert value(read(table), "RE") == "W+T"


def test_an_aborted_match_is_void() -> None:
    table = go()
    table.do(AbortMatch(AbortCause.OPERATOR, "the hall closes"))

    assert value(read(table), "RE") == "Void"
    assert comment(read(table)) == "aborted (operator: the hall closes)"


def test_an_unfinished_match_has_an_unknown_result() -> None:
    assert value(read(go()), "RE") == "?"


def test_a_table_nobody_has_joined_yet_is_an_empty_game() -> None:
    game = read(go(players=()))

    assert moves(game) == []
    assert not game.get_root().has_property("PB")


@pytest.mark.parametrize(
    ("control", "main", "overtime"),
    [
        (TimeControl(), None, None),
        (TimeControl(total=1_800_000), "1800", None),
        (TimeControl(total=90_500, increment=2_000), "90.5", "2 fischer"),
        (TimeControl(total=60_000, periods=5, period=30_000), "60", "5x30 byo-yomi"),
        (TimeControl(periods=1, period=10_000), "0", "1x10 byo-yomi"),
        (TimeControl(turn=600_000), None, "600 for each move"),
    ],
)
def test_clocks_are_told(control: TimeControl, main: str | None, overtime: str | None) -> None:
    root = read(go(control=control)).get_root()

    told = [
        root.get_raw(name).decode() if root.has_property(name) else None for name in ("TM", "OT")
    ]

    assert told == [main, overtime]


def test_a_game_over_midnight_has_both_days() -> None:
    table = go(step=13 * 3600 * 1000)
    table.play("2,2", "3,3")

    assert value(read(table), "DT") == "2027-01-15,2027-01-16"


def test_opening_moves_come_first() -> None:
    table = go(opening=("2,2", "pass"))
    table.play("3,3")

    assert moves(read(table)) == [("b", (6, 2)), ("w", None), ("b", (5, 3))]


@pytest.mark.parametrize(
    ("end", "rules"),
    [
        ("any", "Tromp-Taylor"),
        ("white-last", "Tromp-Taylor, but ended only by a pass of white after a pass of black"),
    ],
)
def test_the_rules_are_named(end: str, rules: str) -> None:
    assert value(read(Table("go", {"size": 9, "end": end})), "RU") == rules
