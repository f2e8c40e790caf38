"""Captures, suicide, superko and passes, each on a board drawn for it."""

import pytest

from parlour.games import Cause, Outcome, Refusal, Refused
from parlour.games.go import Go, Options, read
from tests.games.go.play import play_all, refusal, start

DRAW = Outcome(ranking=((0, 1),), causes=(Cause.AREA, Cause.AREA), scores=(0, 0))


def drawn(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def test_captures_come_before_suicide() -> None:
    position = read("""
        . O X . .
        O X . . .
        X . . . .
        . . . . .
        . . . . .
    """)
    assert position.play("0,0").diagram() == drawn("""
        X . X . .
        . X . . .
        X . . . .
        . . . . .
        . . . . .
    """)
    assert position.play("0,0").captured == (0, 2)


def test_a_suicide_of_two_takes_both_off() -> None:
    position = read("""
        X . O . .
        O O . . .
        . . . . .
        . . . . .
        . . . . .
    """)
    after = position.play("1,0")
    assert after.diagram() == drawn("""
        . . O . .
        O O . . .
        . . . . .
        . . . . .
        . . . . .
    """)
    assert after.captured == (2, 0)


def test_a_suicide_of_one_is_refused_by_superko() -> None:
    """Given a stone caught in the corner, its owner may not put it there again."""
    position = play_all(start(), "1,0 0,0 0,1")
    assert refusal(position, "0,0") == ("illegal-move: superko: repeats the position after move 3")
    assert position.turn == 1
    assert position.stone(0, 0) is None


def test_passing_between_does_not_hide_the_repetition() -> None:
    position = play_all(start(), "1,0 0,0 0,1 pass 8,8 pass pass")
    assert refusal(position, "0,0").endswith("after move 5")


def test_a_ko_is_not_retaken_before_the_board_has_changed() -> None:
    """Moves 1 to 8 make a ko; move 9 takes, move 10 may not retake."""
    position = play_all(start(), "1,0 2,0 0,1 3,1 1,2 2,2 8,8 1,1 2,1")
    assert position.stone(1, 1) is None
    assert refusal(position, "1,1").endswith("superko: repeats the position after move 8")
    threat = play_all(position, "5,5 5,6")
    assert threat.play("1,1").stone(2, 1) is None


def test_the_empty_board_may_not_come_back() -> None:
    """Black fills all 25 points alone: the last stone would take everything off."""
    points = [f"{x},{y}" for y in range(5) for x in range(5)]
    position = play_all(start(5), " pass ".join(points[:-1]) + " pass")
    assert refusal(position, "4,4").endswith("superko: repeats the position after move 0")


def test_the_empty_board_counts_nothing() -> None:
    assert play_all(start(5), "pass pass").outcome == DRAW


def test_one_stone_owns_the_whole_board() -> None:
    outcome = play_all(start(5), "0,0 pass pass pass").outcome
    assert outcome is not None
    assert outcome.scores == (25, 0)
    assert outcome.winner == 0


def test_white_has_the_last_pass() -> None:
    position = play_all(start(5), "0,0 pass pass")
    assert position.turn == 1
    assert position.play("pass").turn is None


def test_any_two_passes_end_the_game_by_option() -> None:
    position = Go().start(Options(size=5, end="any"), 2)
    assert play_all(position, "0,0 pass pass").outcome is not None


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("0,0", "illegal-move: point 0,0 is occupied by black"),
        ("9,0", "illegal-move: point 9,0 is off a board of size 9"),
        ("0,-1", "illegal-move: point 0,-1 is off a board of size 9"),
        ("131,131", "illegal-move: point 131,131 is off a board of size 9"),
        ("00,1", "malformed-move: '00,1' is no move: expected x,y as in 2,0 or pass"),
    ],
)
def test_refusals_name_the_rule(move: str, why: str) -> None:
    assert refusal(start().play("0,0"), move) == why


@pytest.mark.parametrize("move", ["", "1", "1,", "1,2,3", " 1,2", "+1,2", "-0,1", "٣,1", "PASS"])
def test_other_text_is_malformed(move: str) -> None:
    with pytest.raises(Refused) as caught:
        start().play(move)
    assert caught.value.refusal is Refusal.MALFORMED_MOVE


def test_who_leaves_loses() -> None:
    left = start().without(0)
    assert left.outcome == Outcome(ranking=((1,), (0,)), causes=(Cause.LEFT, Cause.LAST_STANDING))
    assert left.without(1) is left
    assert list(left.moves()) == []
    assert refusal(left, "0,0").startswith("malformed-move")


@pytest.mark.parametrize("size", [3, 4, 6, 132, 133])
def test_sizes_are_odd_from_5_to_131(size: int) -> None:
    with pytest.raises(ValueError, match=f"size is {size}"):
        Options(size=size)


def test_a_chain_without_liberty_is_no_board() -> None:
    with pytest.raises(ValueError, match="no liberty"):
        read("XO...\nO....\n.....\n.....\n.....")
