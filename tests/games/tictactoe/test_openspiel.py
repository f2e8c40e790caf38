"""OpenSpiel's `tic_tac_toe` and `mnk` as judges of random games.

Its mnk(m, n, k) has m columns and n rows, and an action is `row * m + column`.
"""

import random
from collections import Counter
from typing import Any

import pytest

from parlour.games import Outcome
from tests.games.tictactoe.boards import start

pyspiel = pytest.importorskip("pyspiel")

State = Any  # pyspiel.State, which has no type hints
OVER = -4  # pyspiel.PlayerId.TERMINAL

SIZES = [(3, 3, 3), (3, 7, 3), (7, 3, 3), (4, 7, 4), (7, 4, 4), (5, 6, 5), (8, 6, 4), (10, 10, 5)]


def load(rows: int, cols: int, strike: int) -> Any:
    return pyspiel.load_game("mnk", {"m": cols, "n": rows, "k": strike})


def returns(outcome: Outcome) -> list[float]:
    """The result as OpenSpiel counts it: 1 for a win, -1 for a loss, 0 for a draw."""
    if outcome.winner is None:
        return [0.0, 0.0]
    return [1.0 if seat == outcome.winner else -1.0 for seat in (0, 1)]


def compare(game: Any, rows: int, cols: int, strike: int, seed: int) -> Outcome:
    """Play one random game in both; moves, turn, board and result agree at every ply."""
    rng = random.Random(seed)
    position = start(rows, cols, strike)
    state: State = game.new_initial_state()
    while True:
        actions = {f"{action % cols},{action // cols}": action for action in state.legal_actions()}
        assert set(position.moves()) == set(actions)
        assert state.current_player() == (OVER if position.turn is None else position.turn)
        assert position.diagram().replace(" ", "").lower() == str(state)
        if position.outcome is not None:
            assert returns(position.outcome) == state.returns()
            return position.outcome
        assert not state.is_terminal()
        move = rng.choice(sorted(actions))
        position = position.play(move)
        state.apply_action(actions[move])


def compare_many(rows: int, cols: int, strike: int, games: int) -> None:
    judge = load(rows, cols, strike)
    ends = Counter(compare(judge, rows, cols, strike, seed).winner for seed in range(games))
    assert ends[0]
    assert ends[1]


@pytest.mark.parametrize(("rows", "cols", "strike"), SIZES)
def test_random_games_agree(rows: int, cols: int, strike: int) -> None:
    compare_many(rows, cols, strike, games=30)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "strike"), SIZES)
def test_many_random_games_agree(rows: int, cols: int, strike: int) -> None:
    compare_many(rows, cols, strike, games=300)


def test_three_by_three_agrees_with_the_game_of_its_own() -> None:
    judge = pyspiel.load_game("tic_tac_toe")
    ends = Counter(compare(judge, 3, 3, 3, seed).winner for seed in range(1_000))
    assert set(ends) == {0, 1, None}


def test_every_position_of_three_by_three_agrees() -> None:
    """Walk all positions once, by pairs of equal boards."""
    seen = set[str]()
    pairs = [(start(), pyspiel.load_game("tic_tac_toe").new_initial_state())]
    for position, state in pairs:
        assert (position.outcome is not None) == state.is_terminal()
        if position.outcome is not None:
            assert returns(position.outcome) == state.returns()
        for move in position.moves():
            x, y = map(int, move.split(","))
            after, judged = position.play(move), state.child(3 * y + x)
            assert after.diagram().replace(" ", "").lower() == str(judged)
            if str(judged) not in seen:
                seen.add(str(judged))
                pairs.append((after, judged))
    assert len(pairs) == 5_478
