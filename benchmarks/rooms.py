"""Durable moves of Chinese checkers by JSON lines, beside the bare relay in the same rounds."""

from benchmarks.figures import Figure
from benchmarks.processes import load, parlour, relay

ROOMS = ((200, 2), (100, 6))


def measure_rooms(rooms: int, players: int, rounds: int, seconds: float) -> list[Figure]:
    """Rates, latencies and memory with so many rooms, a new server each round.

    The relay's move goes to two, whatever `players` is.
    """
    durable: list[dict[str, float]] = []
    ratios: list[float] = []
    memory: list[float] = []
    for _ in range(rounds):  # interleaved, so that a busy moment hits both alike
        with relay() as server:
            bare = load("relay", server.ports["relay"], rooms * players // 2, seconds)
        with parlour("ruc") as server:
            before = server.memory()
            played = load("ruc", server.ports["ruc"], rooms, players, seconds)
            memory.append((server.memory() - before) / rooms / 1024)
        durable.append(played)
        ratios.append(played["moves_per_s"] / bare["moves_per_s"])
    name = f"Chinese checkers, {rooms} rooms of {players}"
    pairs = players == 2
    return [
        Figure(name, "moves/s", [one["moves_per_s"] for one in durable]),
        Figure(f"{name}, of the relay", "ratio", ratios, least=0.35 if pairs else None),
        Figure(f"{name}, p50", "ms", [one["p50_ms"] for one in durable]),
        Figure(
            f"{name}, p99", "ms", [one["p99_ms"] for one in durable], most=60 if pairs else None
        ),
        Figure(f"{name}, ERROR", "lines", [one["errors"] for one in durable], most=0),
        Figure(f"{name}, memory with its log of moves", "KiB a room", memory),
    ]


def measure(rounds: int, seconds: float) -> list[Figure]:
    """The figures for every kind of room."""
    return [
        figure
        for rooms, players in ROOMS
        for figure in measure_rooms(rooms, players, rounds, seconds)
    ]
