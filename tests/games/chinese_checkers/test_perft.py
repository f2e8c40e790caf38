"""Counts of sequences of (start, end), pinned and judged by the slow reading of the rules."""

import pytest

from parlour.games.chinese_checkers import ChineseCheckers, Options, Position
from tests.games.chinese_checkers import slow
from tests.games.chinese_checkers.play import ends_of, wander

PINNED = {
    2: [14, 196, 4_760, 115_600],
    3: [14, 196, 2_744, 66_640],
    6: [14, 199, 2_828],
}


def perft(position: Position, depth: int) -> int:
    if depth == 1:
        return len(position.moves())
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


@pytest.mark.parametrize("players", PINNED)
def test_counts_from_the_start(players: int) -> None:
    start = ChineseCheckers().start(Options(), players)
    counts = PINNED[players]
    assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("players", PINNED)
def test_the_slow_reading_counts_the_same(players: int) -> None:
    pieces = slow.read(ChineseCheckers().start(Options(), players))
    counts = PINNED[players][:3]
    assert [slow.count(0, pieces, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_the_slow_reading_counts_the_same_at_depth_four(players: int) -> None:
    pieces = slow.read(ChineseCheckers().start(Options(), players))
    assert slow.count(0, pieces, 4) == PINNED[players][3]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(3))
def test_middle_games_count_the_same(players: int, seed: int) -> None:
    position = wander(players, seed, plies=40 * players)
    assert position.turn is not None
    pieces = slow.read(position)
    expected = {(f"{a},{b}", f"{x},{y}") for (a, b), (x, y) in slow.pairs(position.turn, pieces)}
    assert ends_of(position) == expected
    assert perft(position, 2) == slow.count(position.turn, pieces, 2)
