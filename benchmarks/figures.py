"""Numbers as they are reported: a median of rounds, its spread, and what was hoped for."""

import os
import statistics
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct


class Figure(Struct, frozen=True):
    """One measured thing: a number per round. `most` and `least` are targets for the median."""

    name: str
    unit: str
    rounds: list[float]
    least: float | None = None
    most: float | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.rounds)

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None when there is none."""
        if self.least is None and self.most is None:
            return None
        above = self.least is None or self.median >= self.least
        return above and (self.most is None or self.median <= self.most)


def shown(number: float) -> str:
    """Three digits that matter, and no more."""
    if abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.3f}"


def target(figure: Figure) -> str:
    """The target and whether it was met, or nothing."""
    if figure.met is None:
        return ""
    sign, limit = (">=", figure.least) if figure.least is not None else ("<=", figure.most)
    assert limit is not None
    return f"{sign} {shown(limit)} {'met' if figure.met else 'MISSED'}"


def table(figures: Sequence[Figure]) -> str:
    """Median, lowest and highest of every figure, a line each."""
    width = max((len(figure.name) for figure in figures), default=0)
    lines = [f"{'':{width}} {'median':>10} {'lowest':>10} {'highest':>10} unit"]
    for figure in figures:
        numbers = (figure.median, min(figure.rounds), max(figure.rounds))
        cells = " ".join(f"{shown(number):>10}" for number in numbers)
        lines.append(f"{figure.name:{width}} {cells} {figure.unit:12} {target(figure)}".rstrip())
    return "\n".join(lines)


def machine() -> str:
    """Cores and memory, and nothing that tells whose machine it is."""
    memory = "?"
    if Path("/proc/meminfo").exists():
        total = int(Path("/proc/meminfo").read_text().split()[1])
        memory = f"{round(total / 2**20)}"
    return f"{os.cpu_count()} cores, {memory} GiB of memory"
