"""How fast the rules of Chinese checkers are in the middle game, beside OpenSpiel's.

OpenSpiel plays one hop per action, so a whole move is a state copied and one or more actions,
and a list of moves is a search through such copies; that search is in Python here. Its own
`legal_actions`, one hop deep and in C++, is no match for `moves` and is not measured.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from parlour.games.chinese_checkers import CELLS, ChineseCheckers, Options, Position

ROUNDS = 5
PASS = 726
NUMBERS = {f"{x},{y}": number for number, (x, y) in enumerate(CELLS)}


class Sample(NamedTuple):
    """A position, a move in it, and OpenSpiel's state and actions for the same."""

    position: Position
    move: str
    state: Any
    actions: list[int]


def hopping(state: Any) -> bool:
    """Whether a chain may go on: only then can a player stop who did not have to."""
    return not state.is_terminal() and PASS in state.legal_actions()


def actions_of(state: Any, move: str) -> list[int]:
    """The actions that make a whole move; `state` is not changed."""
    state, actions = state.clone(), []
    for here, there in pairwise(map(NUMBERS.__getitem__, move.split(">"))):
        for action in set(state.legal_actions()) - {PASS}:
            if state.action_to_string(action).replace("=", "-") == f"{here}->{there}":
                actions.append(action)
        state.apply_action(actions[-1])
    return [*actions, PASS] if hopping(state) else actions


def middle_games(players: int, games: int, seed: int) -> list[Sample]:
    """Positions of plies 20 to 40 per seat of games that move towards the targets."""
    import pyspiel

    rng = random.Random(seed)
    samples = []
    for _ in range(games):
        position = ChineseCheckers().start(Options(), players)
        state = pyspiel.load_game("chinese_checkers", {"players": players}).new_initial_state()
        for ply in range(40 * players):
            seat = position.turn
            if seat is None or state.is_terminal():
                break
            choices = rng.sample(position.moves(), k=min(8, len(position.moves())))
            move = min(choices, key=lambda text: position.play(text).distance(seat))
            actions = actions_of(state, move)
            if ply >= 20 * players:
                samples.append(Sample(position, move, state.clone(), actions))
            position = position.play(move)
            for action in actions:
                state.apply_action(action)
    return samples


def play(sample: Sample) -> None:
    sample.position.play(sample.move)


def moves(sample: Sample) -> None:
    sample.position.moves()


def openspiel_play(sample: Sample) -> None:
    state = sample.state.clone()
    for action in sample.actions:
        state.apply_action(action)


def openspiel_moves(sample: Sample) -> None:
    """Find every destination by trying, each cell of a chain once."""
    seen: set[tuple[int, int]] = set()
    for action in sample.state.legal_actions():
        start = action // 6
        chains = [sample.state.child(action)]
        for chain in chains:
            if hopping(chain):
                for hop in chain.legal_actions():
                    if hop != PASS and (start, hop) not in seen:
                        seen.add((start, hop))
                        chains.append(chain.child(hop))


MEASURED: dict[str, Callable[[Sample], None]] = {
    "play": play,
    "play, OpenSpiel": openspiel_play,
    "moves": moves,
    "moves, OpenSpiel searched": openspiel_moves,
}


def rate(work: Callable[[Sample], None], samples: Sequence[Sample], seconds: float) -> float:
    """Calls per second over at least `seconds`."""
    calls, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        for sample in samples:
            work(sample)
        calls += len(samples)
    return calls / spent


def measure(seconds: float = 0.3) -> list[dict[str, object]]:
    """Rates by number of players and by what is done, each over `seconds` in every round."""
    figures: list[dict[str, object]] = []
    for players in (2, 3, 6):
        samples = middle_games(players, games=3, seed=players)
        rates: dict[str, list[float]] = {name: [] for name in MEASURED}
        for _ in range(ROUNDS):  # interleaved, so that a busy moment hits all alike
            for name, work in MEASURED.items():
                rates[name].append(rate(work, samples, seconds))
        for name, measured in rates.items():
            median = statistics.median(measured)
            figures.append(
                {"players": players, "what": name, "per_second": measured, "median": median}
            )
            low, high = min(measured), max(measured)
            print(f"{players} players  {name:26} {median:10,.0f}/s  ({low:,.0f} to {high:,.0f})")
    return figures


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    parser.add_argument("--seconds", type=float, default=0.3, help="per figure and round")
    arguments = parser.parse_args(argv)
    figures = measure(arguments.seconds)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"benchmark": "rules_chinese_checkers", "figures": figures}, file, indent=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
