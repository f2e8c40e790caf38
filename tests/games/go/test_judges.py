"""Against sgfmill and OpenSpiel, on random games.

sgfmill's board takes captures and suicide as we do and knows no superko: it is played only what
we accepted, and must show the same stones. Its `area_score` gives a region that reaches both
colours to both, which leaves the difference the same as ours.

OpenSpiel's `go` differs in four ways, so games end where the first of them would show:
it forbids suicide of any size; it forbids the immediate retaking of a ko as we do, but ends the
game on another repeated board instead of refusing it; any two passes end the game; a result is
only who won. A move that we refuse and it plays must be such a repetition, and a move that it
refuses and we play must be a suicide.
"""

import random

import pytest
from sgfmill.boards import Board

from parlour.games import Refused
from parlour.games.go import Position
from tests.games.go.play import random_points, start


def judge_by_sgfmill(size: int, moves: list[str]) -> None:
    position, judge = start(size), Board(size)
    for move in moves:
        colour = "bw"[position.turn or 0]
        try:
            position = position.play(move)
        except Refused:
            continue
        if move != "pass":
            x, y = map(int, move.split(","))
            judge.play(y, x, colour)
    stones = [
        ["bw"[seat] if seat is not None else None for seat in row] for row in position.board()
    ]
    assert stones == judge.board
    points = [(f"{x},{y}", judge.board[y][x]) for y in range(size) for x in range(size)]
    for seat, colour in enumerate("bw"):
        assert list(position.stones(seat)) == [point for point, stone in points if stone == colour]
    black, white = position.scores()
    assert black - white == judge.area_score()


@pytest.mark.parametrize("size", [5, 7, 9, 13, 19])
def test_sgfmill_agrees(size: int) -> None:
    for seed in range(8):
        judge_by_sgfmill(size, random_points(size, 4 * size * size, seed))


@pytest.mark.slow
def test_sgfmill_agrees_on_thousands_of_games() -> None:
    for seed in range(2000):
        size = range(5, 20, 2)[seed % 8]
        length = random.Random(seed).randrange(1, 3 * size * size)
        judge_by_sgfmill(size, random_points(size, length, seed))


def is_suicide(before: Position, after: Position) -> bool:
    seat = before.turn or 0
    return after.captured[seat] > before.captured[seat]


def judge_by_openspiel(size: int, seed: int) -> int:
    """Play until the rules part; the number of moves compared."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(f"go(board_size={size},komi=0.0,max_game_length=1000)")
    state, position = game.new_initial_state(), start(size)
    rng = random.Random(seed)
    for played in range(3 * size * size):
        actions = {f"{a % size},{size - 1 - a // size}": a for a in state.legal_actions()}
        actions = {move: a for move, a in actions.items() if a < size * size}
        ours = {move for move in position.moves() if move != "pass"}
        for move in ours - actions.keys():
            assert is_suicide(position, position.play(move))
        for move in actions.keys() - ours:
            repeated = state.clone()
            repeated.apply_action(actions[move])
            assert repeated.is_terminal()
        both = sorted(ours & actions.keys())
        if not both:
            return played
        move = rng.choice(both)
        state.apply_action(actions[move])
        position = position.play(move)
        rows = [line.split()[1] for line in str(state).splitlines()[2 : 2 + size]]
        assert [row.replace("+", ".") for row in rows] == position.diagram().replace(
            " ", ""
        ).splitlines()
    return played


@pytest.mark.parametrize("size", [5, 9])
def test_openspiel_agrees(size: int) -> None:
    assert sum(judge_by_openspiel(size, seed) for seed in range(6)) > 100


@pytest.mark.slow
def test_openspiel_agrees_on_many_games() -> None:
    for seed in range(100):
        judge_by_openspiel((5, 7, 9)[seed % 3], seed)
