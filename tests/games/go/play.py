"""Games for tests: from the start, from a list of moves, or at random."""

import random

from parlour.games import Refused
from parlour.games.go import Go, Options, Position


def start(size: int = 9) -> Position:
    return Go().start(Options(size=size), 2)


def play_all(position: Position, moves: str) -> Position:
    """Play moves that are separated by spaces."""
    for move in moves.split():
        position = position.play(move)
    return position


def refusal(position: Position, move: str) -> str:
    """Why `move` is refused."""
    try:
        position.play(move)
    except Refused as refused:
        return f"{refused.refusal}: {refused.detail}"
    raise AssertionError(f"{move} was played")


def random_points(size: int, count: int, seed: int) -> list[str]:
    """Moves that may be illegal, passes among them but never two in a row."""
    rng = random.Random(seed)
    moves: list[str] = []
    for _ in range(count):
        if rng.random() < 0.03 and moves and moves[-1] != "pass":
            moves.append("pass")
        else:
            moves.append(f"{rng.randrange(size)},{rng.randrange(size)}")
    return moves
