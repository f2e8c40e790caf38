"""Against the plain rules: boards, refusals and legal moves, also where hashes collide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refused
from parlour.games.go import Options, Position
from parlour.games.go._board import Board
from parlour.games.go._keys import KEY_BITS, zobrist_keys
from tests.games.go.plain import PlainGo
from tests.games.go.play import random_points, start


def agree(size: int, moves: list[str], bits: int = KEY_BITS) -> int:
    """Play both alike and compare all; the number of moves that superko refused."""
    position = Position.first(Board(Options(size=size), zobrist_keys(bits)))
    plain = PlainGo(size)
    repeated = 0
    for move in moves:
        try:
            position = position.play(move)
            why = None
        except Refused as refused:
            why = refused.detail
            repeated += "superko" in why
        assert why == plain.play(move)
        assert position.diagram() == plain.diagram()
        if position.turn is None:
            break
    else:
        assert position.moves() == plain.moves()
    return repeated


@pytest.mark.parametrize("bits", [KEY_BITS, 3])
def test_random_games_agree(bits: int) -> None:
    """Three bits make almost every board collide: a hash alone must refuse nothing."""
    assert sum(agree(5, random_points(5, 300, seed), bits) for seed in range(12)) > 50


@pytest.mark.slow
def test_many_random_games_agree() -> None:
    assert sum(agree(5, random_points(5, 600, seed), 8) for seed in range(100)) > 500


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 24)), max_size=60))
def test_branches_equal_games_played_from_the_start(steps: list[tuple[int, int]]) -> None:
    """Each step plays a point from any position so far; later none of them has changed."""
    tree: list[tuple[Position, list[str]]] = [(start(5), [])]
    for origin, point in steps:
        position, moves = tree[origin % len(tree)]
        move = "pass" if point == 24 and moves[-1:] != ["pass"] else f"{point % 5},{point // 5}"
        try:
            tree.append((position.play(move), [*moves, move]))
        except Refused:
            continue
    for position, moves in tree:
        plain = PlainGo(5)
        again = start(5)
        for move in moves:
            assert plain.play(move) is None
            again = again.play(move)
        assert position == again
        assert hash(position) == hash(again)
        assert position.diagram() == again.diagram() == plain.diagram()
        assert position.captured == again.captured
        assert position.scores() == again.scores()
