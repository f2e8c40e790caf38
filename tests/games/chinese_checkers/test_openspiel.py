"""OpenSpiel's `chinese_checkers` as judge of where pieces can go.

It has the same star, the same numbers for the cells, the same seats for 2, 3, 4 and 6 players
and the same turn order. It differs in that

* one hop is one action; a chain goes on until nothing is left to hop over or the player ends
  it by a "pass" action (ours: the whole path is one move);
* a chain may not visit a cell twice, its start included (ours: it may; no further cell is
  reached by that, so the destinations agree);
* five players are not offered;
* a player who is stuck passes by an action (ours: the turn passes silently);
* the first player home ends the game (ours goes on for the next places), and the game is cut
  off after a number of moves without a verdict (ours: after rounds, with one).
"""

import random
from itertools import pairwise
from typing import Any

import pytest

from parlour.games.chinese_checkers import CELLS, ChineseCheckers, Options, Position
from tests.games.chinese_checkers.play import ends_of

pyspiel = pytest.importorskip("pyspiel")

State = Any  # pyspiel.State, which has no type hints
PASS = 726
NAMES = [f"{x},{y}" for x, y in CELLS]


def legs(state: State) -> dict[tuple[str, str], int]:
    """The actions by (from, to), without the pass; `->` is a step and `=>` a hop."""
    found = {}
    for action in set(state.legal_actions()) - {PASS}:
        here, there = state.action_to_string(action).replace("->", "=>").split("=>")
        found[NAMES[int(here)], NAMES[int(there)]] = action
    return found


def hopping(state: State) -> bool:
    """Whether a chain has begun and may go on."""
    return "hopping" in str(state)


def destinations(state: State) -> set[tuple[str, str]]:
    """Every (start, end) of a whole turn."""
    found = set()
    for (start, end), action in legs(state).items():
        found.add((start, end))
        chains = [state.child(action)]
        for chain in chains:
            if not chain.is_terminal() and hopping(chain):
                for (_, further), hop in legs(chain).items():
                    if (start, further) not in found:
                        found.add((start, further))
                        chains.append(chain.child(hop))
    return found


def follow(state: State, move: str) -> None:
    """Play a whole move."""
    path = move.split(">")
    for leg in pairwise(path):
        state.apply_action(legs(state)[leg])
    if not state.is_terminal() and hopping(state):
        state.apply_action(PASS)


def compare(players: int, seed: int, plies: int) -> Position:
    rng = random.Random(seed)
    position = ChineseCheckers().start(Options(), players)
    state = pyspiel.load_game("chinese_checkers", {"players": players}).new_initial_state()
    for _ in range(plies):
        assert position.turn == state.current_player()
        assert ends_of(position) == destinations(state)
        move = rng.choice(position.moves())
        position = position.play(move)
        follow(state, move)
    return position


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_pieces_reach_the_same_cells(players: int) -> None:
    assert compare(players, seed=players, plies=60).ply == 60


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("seed", range(5))
def test_pieces_reach_the_same_cells_in_long_games(players: int, seed: int) -> None:
    assert compare(players, seed, plies=600).ply == 600
