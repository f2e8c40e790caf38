"""The numbers that ./bench reports, and what it reads them from."""

import shutil
from pathlib import Path

import pytest

from benchmarks.figures import Figure, machine, shown, table
from benchmarks.moves import measure_games
from benchmarks.processes import BenchError, compiled, ports


def test_a_figure_is_the_median_of_its_rounds() -> None:
    assert Figure("rate", "moves/s", [3, 1, 50]).median == 3


@pytest.mark.parametrize(
    ("least", "most", "met"),
    [(None, None, None), (2, None, True), (3, None, False), (None, 2, True), (None, 1, False)],
)
def test_a_target_is_held_against_the_median(
    least: float | None, most: float | None, met: bool | None
) -> None:
    assert Figure("rate", "", [1, 2, 9], least=least, most=most).met is met


def test_three_digits_matter() -> None:
    assert [shown(number) for number in (12345.6, 12.345, 0.12345)] == ["12,346", "12.3", "0.123"]


def test_the_table_has_the_spread_and_says_what_was_missed() -> None:
    _, line = table([Figure("wait", "ms", [5, 7, 6], most=4)]).splitlines()

    assert line.split() == [
        "wait", "6.000", "5.000", "7.000", "ms", "<=", "4.000", "MISSED"
    ]  # fmt: skip


def test_the_machine_is_cores_and_memory_only() -> None:
    assert machine().endswith("GiB of memory")


def test_ports_are_read_from_the_greeting() -> None:
    greeting = (
        "Parlour keeps its log in data\n"
        "textbook  127.0.0.1:8000        try: parlour play textbook 127.0.0.1:8000\n"
        "nedap     127.0.0.1:2727        try: nc 127.0.0.1 2727, then type PLAYER alice\n"
    )

    assert ports(greeting) == {"textbook": 8000, "nedap": 2727}


def test_no_compiler_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(BenchError, match="install gcc or clang"):
        compiled("relay")


@pytest.mark.slow
@pytest.mark.external
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_the_smallest_round_of_moves_is_measured() -> None:
    figures = {figure.name: figure for figure in measure_games(1, rounds=1, seconds=0.5)}

    assert figures["go 19x19, 1 game"].median > 0
    assert figures["go 19x19, 1 game, WARNING or INVALID"].met
