"""What is said over and over is said once, and counted."""

from parlour.cli._repeats import KNOWN, QUIET, Repeats

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


def test_the_rest_is_counted_at_the_end() -> None:
    said: list[str] = []
    repeats = Repeats(said.append)
    for number in range(3):
        repeats.hear(f"certmanager: no key for {number}@b", 1.0)
    repeats.hear("alone", 1.0)
    said.clear()
    repeats.end()
    assert said == ["certmanager: no key for (and 2 more like it before)"]


def test_other_lines_are_all_said_and_not_all_remembered() -> None:
    said: list[str] = []
    repeats = Repeats(said.append)
    lines = [f"port {number} is in use" for number in range(KNOWN + 1)]
    for line in lines:
        repeats.hear(line, 1.0)
        repeats.hear(line, 1.0)
    assert [one for one in said if "more" not in one] == lines
    assert said[-1] == "port 0 is in use (and 1 more like it before)"
    assert len(repeats._known) == KNOWN
