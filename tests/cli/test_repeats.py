"""What is said over and over is said once, and counted."""

import time

import pytest

from parlour.cli._repeats import BURST, KNOWN, QUIET, SHOWN, Repeats

BOUNCE = "games: Component not connected, bouncing error for: <iq id='{0}' from='{0}@b/c'>"


def test_lines_that_differ_in_addresses_are_said_once_a_minute_and_counted() -> None:
    said: list[str] = []
    repeats = Repeats(said.append)
    for number in range(1000):
        repeats.hear(BOUNCE.format(number), 5.0 + number / 1000)
    repeats.hear("c2s55d0c8e3a2b0: 10.0.0.1:4711 sent nonsense", 6.0)
    repeats.hear("c2s55d0c8e3ffff: 10.0.0.2:80 sent nonsense", 6.5)
    repeats.hear(BOUNCE.format("last"), 5.0 + QUIET)
    assert said == [
        BOUNCE.format(0),
        "c2s55d0c8e3a2b0: 10.0.0.1:4711 sent nonsense",
        BOUNCE.format("last") + " (and 999 more like it before)",
    ]


def test_the_last_line_of_what_was_not_said_is_said_at_the_end() -> None:
    said: list[str] = []
    repeats = Repeats(said.append)
    for number in range(3):
        repeats.hear(f"certmanager: no key for {number}@b", 1.0)
    repeats.hear("alone", 1.0)
    said.clear()
    repeats.end()
    assert said == ["certmanager: no key for 2@b (and 1 more like it before)"]


def test_lines_of_many_kinds_are_said_a_few_at_a_time_and_not_all_remembered() -> None:
    said: list[str] = []
    repeats = Repeats(said.append)
    for number in range(10 * KNOWN):
        repeats.hear(f"nobody is called {number}", 1.0)
    assert said == [f"nobody is called {number}" for number in range(BURST)]
    assert len(repeats._known) == KNOWN
    repeats.hear("another", 1.0)
    repeats.hear("another", 2.0)
    assert said[BURST:] == ["another (and 1 more like it before)"]


@pytest.mark.parametrize("text", ["z", "<", "@ ", "0.", "1"])
def test_what_a_stranger_writes_is_cut_before_it_is_looked_at(text: str) -> None:
    said: list[str] = []
    began = time.process_time()
    Repeats(said.append).hear("bad address: " + text * 60_000, 1.0)
    assert time.process_time() - began < 0.5  # all of it took 13 s
    assert len(said[0]) <= SHOWN


@pytest.mark.parametrize("text", ["z", "<", "<z ", "z@", "0.", "1", "a"])
def test_a_line_costs_by_its_length(text: str) -> None:
    said: list[str] = []
    repeats = Repeats(said.append)
    began = time.process_time()
    for _ in range(1_000):
        repeats.hear(text * (SHOWN // len(text)), 1.0)
    assert time.process_time() - began < 0.7  # where each place was looked at from each, 1.5 s
