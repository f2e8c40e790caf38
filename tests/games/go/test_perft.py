"""How many games of a given length there are; short ones counted by the plain rules too."""

import pytest

from parlour.games.go import Position, read
from tests.games.go.plain import PlainGo
from tests.games.go.play import play_all, start

KO = "1,0 2,0 0,1 3,1 1,2 2,2 4,4 1,1 2,1"


def perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def plain_perft(moves: str, depth: int) -> int:
    plain = PlainGo(5)
    for move in moves.split():
        assert plain.play(move) is None
    if depth == 0:
        return 1
    return sum(plain_perft(f"{moves} {move}", depth - 1) for move in plain.moves())


@pytest.mark.parametrize(("moves", "depth"), [("", 1), ("", 2), (KO, 1), (KO, 2)])
def test_short_counts_agree_with_the_plain_rules(moves: str, depth: int) -> None:
    assert perft(play_all(start(5), moves), depth) == plain_perft(moves, depth)


@pytest.mark.parametrize(
    ("moves", "depth", "count"),
    [("", 1, 26), ("", 2, 651), ("", 3, 15_650), (KO, 3, 4_115)],
)
def test_counts_are_pinned(moves: str, depth: int, count: int) -> None:
    assert perft(play_all(start(5), moves), depth) == count


@pytest.mark.slow
def test_a_crowded_corner_is_pinned() -> None:
    position = read("""
        X . O . X
        O O X X .
        . O . X O
        O X X O .
        . X O . O
    """)
    assert perft(position, 4) == 2_859
