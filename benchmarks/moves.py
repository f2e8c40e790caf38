"""Durable moves of Go by text lines, beside the bare relay in the same rounds."""

from benchmarks.figures import Figure
from benchmarks.processes import load, parlour, relay

GAMES = (1, 10, 100, 500)


def measure_games(games: int, rounds: int, seconds: float) -> list[Figure]:
    """Rates, latencies and faults with so many games at once, a new server each round."""
    durable: list[dict[str, float]] = []
    bare: list[dict[str, float]] = []
    costs: list[float] = []
    for _ in range(rounds):  # interleaved, so that a busy moment hits both alike
        with relay() as server:
            bare.append(load("relay", server.ports["relay"], games, seconds))
        with parlour("nedap") as server:
            begin = server.processor()
            played = load("nedap", server.ports["nedap"], games, seconds)
            # The load also plays for one second before it counts.
            all_moves = played["moves_per_s"] * (seconds + 1)
            costs.append((server.processor() - begin) / all_moves * 1e6)
            durable.append(played)
    ratios = [
        ours["moves_per_s"] / theirs["moves_per_s"]
        for ours, theirs in zip(durable, bare, strict=True)
    ]
    name = f"go 19x19, {games} game{'s' if games > 1 else ''}"
    most = games == max(GAMES)
    faults = [one["warnings"] + one["invalids"] for one in durable]
    return [
        Figure(f"{name}", "moves/s", [one["moves_per_s"] for one in durable]),
        Figure(f"{name}, bare relay", "moves/s", [one["moves_per_s"] for one in bare]),
        Figure(f"{name}, of the relay", "ratio", ratios, least=0.45 if most else None),
        Figure(
            f"{name}, p50", "ms", [one["p50_ms"] for one in durable], most=1 if games == 1 else None
        ),
        Figure(f"{name}, p99", "ms", [one["p99_ms"] for one in durable], most=60 if most else None),
        Figure(f"{name}, WARNING or INVALID", "lines", faults, most=0),
        Figure(f"{name}, processor time", "us/move", costs),
    ]


def measure(rounds: int, seconds: float) -> list[Figure]:
    """The figures for every number of games."""
    return [figure for games in GAMES for figure in measure_games(games, rounds, seconds)]
