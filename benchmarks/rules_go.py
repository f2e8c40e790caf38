"""What a move of Go costs: beside sgfmill's board and OpenSpiel's go, and late in a long game.

    python -m benchmarks.rules_go [--json FILE]

The same random moves are played by all three, in turns, five rounds; numbers are medians with
the lowest and the highest. sgfmill knows no superko, OpenSpiel's is another; the moves are legal
in all. On 131 by 131 two games of 15,000 moves are played: `rows` fills row after row, so that
early and late moves have the same neighbours; `random` fills the board, so that late moves
touch and capture more.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyspiel
from sgfmill.boards import Board

from parlour.games import Refused
from parlour.games.go import Go, Options, Position

ROUNDS = 5
GAMES = 20
LONG = 15_000
Moves = list[tuple[int, int]]


def start(size: int) -> Position:
    return Go().start(Options(size=size), 2)


def random_game(size: int, length: int, seed: int) -> Moves:
    """Points that black and white play in turn, legal for us and for OpenSpiel."""
    rng = random.Random(seed)
    position = start(size)
    moves: Moves = []
    while len(moves) < length:
        x, y = rng.randrange(size), rng.randrange(size)
        seat = position.turn or 0
        try:
            after = position.play(f"{x},{y}")
        except Refused:
            continue
        if after.captured[seat] == position.captured[seat]:  # No suicide.
            position = after
            moves.append((x, y))
    return moves


def play_parlour(size: int, games: list[list[str]]) -> None:
    for game in games:
        position = start(size)
        for move in game:
            position = position.play(move)


def play_sgfmill(size: int, games: list[Moves]) -> None:
    for game in games:
        board = Board(size)
        for ply, (x, y) in enumerate(game):
            board.play(y, x, "bw"[ply % 2])


def play_openspiel(size: int, games: list[list[int]]) -> None:
    game_type = pyspiel.load_game(f"go(board_size={size},komi=0.0,max_game_length=1000)")
    for game in games:
        state = game_type.new_initial_state()
        for action in game:
            state.apply_action(action)


def seconds(work: Callable[[], None]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def compare(size: int, length: int) -> dict[str, list[float]]:
    """Plays per second of each, one number a round."""
    games = [random_game(size, length, seed) for seed in range(GAMES)]
    texts = [[f"{x},{y}" for x, y in game] for game in games]
    actions = [[(size - 1 - y) * size + x for x, y in game] for game in games]
    players: dict[str, Callable[[], None]] = {
        "parlour": lambda: play_parlour(size, texts),
        "sgfmill": lambda: play_sgfmill(size, games),
        "openspiel": lambda: play_openspiel(size, actions),
    }
    rates: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(ROUNDS):
        for name, work in players.items():
            rates[name].append(GAMES * length / seconds(work))
    return rates


def growth(moves: list[str]) -> list[float]:
    """The cost of the last 1,000 moves by that of the first 1,000, one number a round."""
    ratios = []
    for _ in range(ROUNDS):
        position = start(131)
        costs = []
        for first in range(0, LONG, 1000):
            begin = time.process_time()
            for move in moves[first : first + 1000]:
                position = position.play(move)
            costs.append(time.process_time() - begin)
        ratios.append(costs[-1] / costs[0])
    return ratios


def measure() -> dict[str, list[float]]:
    results = {}
    for size, length in ((9, 60), (19, 250)):
        for name, rates in compare(size, length).items():
            results[f"plays/s {size}x{size} {name}"] = rates
    rows = [f"{x},{y}" for y in range(131) for x in range(131)]
    results["131x131 last/first 1,000 rows"] = growth(rows[:LONG])
    scattered = [f"{x},{y}" for x, y in random_game(131, LONG, 1)]
    results["131x131 last/first 1,000 random"] = growth(scattered)
    return results


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="rules_go", description="What a move of Go costs.")
    parser.add_argument("--json", type=Path, help="write all rounds to this file")
    arguments = parser.parse_args(argv)
    results = measure()
    for name, numbers in results.items():
        middle, low, high = statistics.median(numbers), min(numbers), max(numbers)
        print(f"{name:34} {middle:12,.2f} {low:12,.2f} {high:12,.2f}")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
