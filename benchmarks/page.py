"""How heavy the page is, how soon it answers, and what a move on a large board costs to draw."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Response, sync_playwright

from benchmarks.figures import Figure
from benchmarks.processes import BenchError, parlour
from tests.interop.web.guests import CHROMIUM, FLAGS, build

LARGEST = 120.0  # KB, compressed
INTERACTIVE = 1000.0  # ms, on a processor so many times as slow
SLOWER = 4
FRAME = 16.0  # ms
MOVES = 20
READY = "Find an opponent: Go"  # the button that one can press when the lobby is there
# What the browser does for a change, on any thread, as its own trace names it.
WORK = frozenset(
    [
        "FunctionCall",
        "UpdateLayoutTree",
        "Layout",
        "PrePaint",
        "Paint",
        "Layerize",
        "Commit",
        "RasterTask",
    ]
)

# 10,000 stones that leave each other a liberty, in an order that jumps about the board.
FILL = """async () => {
    const board = document.querySelector("go-board");
    const points = [];
    for (let y = 0; y < 131; y++)
        for (let x = 0; x < 131; x++) if ((x + 2 * y) % 5 < 3) points.push(`${x},${y}`);
    const jump = 4201;
    board.size = 131;
    board.moves = points.map((_, n, all) => all[(n * jump) % all.length]);
    await board.updateComplete;
    return board.renderRoot.querySelectorAll(".stones :is(.black, .white)")
        .values().reduce((sum, path) => sum + path.getAttribute("d").split("M").length - 1, 0);
}"""
PLAY = """async (x) => {
    const board = document.querySelector("go-board");
    board.moves = [...board.moves, `${x},125`];
    await board.updateComplete;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def weight(browser: Browser, base: str) -> float:
    """KB of all that the lobby loads, as they go over the wire."""
    page = browser.new_page()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(base)
    page.get_by_role("button", name=READY).wait_for()
    page.wait_for_load_state("networkidle")
    files = {one.url: one.request for one in responses if "/api/" not in one.url}
    weights = [request.sizes()["responseBodySize"] for request in files.values()]
    page.close()
    return sum(weights) / 1000


def begins(browser: Browser, base: str, rounds: int) -> list[float]:
    """Milliseconds from the first byte of the page until the lobby answers, on a slow processor."""
    took = []
    for _ in range(rounds):
        page = browser.new_page()
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(base, wait_until="commit")
        page.get_by_role("button", name=READY).wait_for()
        took.append(page.evaluate("performance.now()"))
        page.close()
    return took


def redraws(browser: Browser, base: str) -> list[float]:
    """Milliseconds of work that each of some moves among 10,000 stones costs the browser.

    All threads together, as its own trace has them: the move is on the screen later, not sooner.
    """
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{base}/examples/go.html")
    if page.evaluate(FILL) < 10_000:
        raise BenchError("the board shows fewer than 10,000 stones")
    costs = [_work_of(browser, page, move) for move in range(MOVES)]
    page.close()
    return costs


def measure(rounds: int) -> list[Figure]:
    """The three figures, with a server of this machine and Debian's Chromium."""
    if not Path(CHROMIUM).exists():
        raise BenchError(f"needs {CHROMIUM}, Debian's package chromium")
    try:
        build()
    except subprocess.CalledProcessError as error:
        raise BenchError(f"the page cannot be built: {error}") from None
    with parlour("web") as server, _chromium() as browser:
        base = f"http://127.0.0.1:{server.ports['web']}"
        begins(browser, base, 1)  # the first start of anything is slower, and no page's fault
        return [
            Figure("page, all that the lobby loads, over the wire", "KB", [weight(browser, base)],
                   most=LARGEST),
            Figure(f"page, until the lobby answers, processor {SLOWER} times as slow", "ms",
                   begins(browser, base, rounds), most=INTERACTIVE),
            Figure("board 131x131 with 10,000 stones, a move", "ms", redraws(browser, base),
                   most=FRAME),
        ]  # fmt: skip


@contextmanager
def _chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def _settle(page: Page) -> None:
    """Let everything be drawn that is still to be drawn."""
    page.wait_for_timeout(300)


def _work_of(browser: Browser, page: Page, move: int) -> float:
    _settle(page)
    browser.start_tracing(page=page, categories=["devtools.timeline", "cc", "blink"])
    page.evaluate(PLAY, move * 6 + 1)
    _settle(page)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    spent: int = sum(one.get("dur", 0) for one in events if one["name"] in WORK)
    return spent / 1000
