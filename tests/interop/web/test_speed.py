"""How long a page takes to begin, and a large board to show one more move."""

import statistics

import pytest
from playwright.sync_api import Browser

from benchmarks.page import FRAME, INTERACTIVE, begins, redraws
from tests.cli.servers import Server

pytestmark = [pytest.mark.external, pytest.mark.slow]


def test_a_move_among_ten_thousand_stones_fits_into_a_frame(
    chromium: Browser, server: Server
) -> None:
    costs = redraws(chromium, f"http://127.0.0.1:{server.ports['web']}")

    print(f"one move: median {statistics.median(costs):.1f} ms, worst {max(costs):.1f} ms")
    assert statistics.median(costs) < FRAME


def test_a_slow_processor_has_the_lobby_within_a_second(chromium: Browser, server: Server) -> None:
    took = begins(chromium, f"http://127.0.0.1:{server.ports['web']}", 5)

    # The best of a few: a machine that does something else meanwhile is not the page's fault.
    print(f"interactive: best {min(took):.0f} ms of {[round(one) for one in took]}")
    assert min(took) < INTERACTIVE
