"""People at the page: what they see, click and type, and nothing a person could not do."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, expect

BUILD = Path(__file__).resolve().parents[3] / "scripts/build_web.py"
CHROMIUM = "/usr/bin/chromium"
UNSAFE = "parlour.lan"  # this machine by a name that makes browsers hold some things back
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {UNSAFE} 127.0.0.1",
]
SOON = 15_000.0  # ms in which whatever is waited for has come
expect.set_options(timeout=SOON)
BOARDS = "go-board, tictactoe-board, chinese-checkers-board"
# What the browser itself says when a test cuts or ends a connection.
EXPECTED = re.compile(r"WebSocket connection|ERR_|Failed to load resource")

# Where the middle of a cell is on the screen: the drawing's own scale, applied to its units.
PLACE = """(board, [left, top]) => {
    const drawing = board.renderRoot.querySelector("svg");
    const rect = drawing.getBoundingClientRect(), view = drawing.viewBox.baseVal;
    return [rect.left + (left - view.x) / view.width * rect.width,
            rect.top + (top - view.y) / view.height * rect.height];
}"""


def build() -> None:
    """Bring the client to what its sources say."""
    subprocess.run([sys.executable, BUILD], check=True)


class Guest:
    """One person in a browser of their own, with one tab on the lobby."""

    def __init__(self, chromium: Browser, port: int, name: str, **context: Any) -> None:
        self.name = name
        self.base = f"http://127.0.0.1:{port}"
        self.context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 860}} | context
        )
        self.context.set_default_timeout(SOON)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self._complain(said.type, said.text))
        self.page.on("pageerror", lambda error: self._complain("error", str(error)))
        self.page.goto(self.base)
        self.rename(name)

    def _complain(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and EXPECTED.search(text) is None:
            self.complaints.append(f"{self.name}: {text}")

    def rename(self, name: str) -> None:
        self.page.get_by_role("button", name="You are").click()
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Save").click()
        expect(self.page.get_by_role("button", name=name)).to_be_visible()

    # Finding a game

    def seeks(self, game: str) -> None:
        self.page.get_by_role("button", name=f"Find an opponent: {game}").click()

    def opens(self, game: str, **fields: str) -> str:
        """Open a table with these values in the form; returns its address."""
        self.page.get_by_role("link", name=f"New table: {game}").click()
        for label, value in fields.items():
            field = self.page.get_by_label(label.replace("_", " "))
            field.wait_for(state="attached")
            if not field.is_visible():
                self.page.get_by_text("More options").click()
            if field.evaluate("one => one.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.get_by_role("button", name="Open the table").click()
        self.is_at_table()
        return self.page.url

    def is_at_table(self) -> None:
        self.page.wait_for_url("**/match/*")
        expect(self.board).to_be_visible(timeout=SOON)

    def goes(self, address: str) -> None:
        self.page.goto(address)
        self.is_at_table()

    def sits(self) -> None:
        """Take the first free seat."""
        self.page.get_by_role("button", name="Sit here").first.click()

    # At the table

    @property
    def board(self) -> Locator:
        return self.page.locator(BOARDS).first

    @property
    def status(self) -> Locator:
        """The sentence above the board."""
        return self.page.locator("match-screen #status")

    def sees(self, text: str | re.Pattern[str]) -> None:
        expect(self.status).to_have_text(text)

    def sees_win(self, winner: "Guest", how: str) -> None:
        """That somebody has won, and whether it was this one."""
        self.sees(f"You win{how}" if winner is self else f"{winner.name} wins{how}")

    def awaits_turn(self) -> None:
        self.sees("Your turn")

    def has_moved(self) -> None:
        """The page has heard that it is somebody else's turn."""
        expect(self.status).not_to_have_text("Your turn")

    def clicks(self, left: float, top: float, times: int = 1) -> None:
        """Press a place on the board, given in the drawing's units."""
        self.board.scroll_into_view_if_needed()
        x, y = self.board.evaluate(PLACE, [left, top])
        self.page.mouse.click(x, y, click_count=times)

    def types(self, coordinate: str) -> None:
        """Play by the keyboard."""
        self.board.focus()
        self.page.keyboard.type(coordinate)
        self.page.keyboard.press("Enter")

    def presses(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).click()

    def resigns(self) -> None:
        self.presses("Resign")
        self.page.get_by_role("group").get_by_role("button", name="Resign").click()

    @property
    def moves(self) -> list[str]:
        """The moves that the board has been given."""
        given: list[str] = self.board.evaluate("board => [...board.moves]")
        return given

    def has_moves(self, count: int) -> None:
        expect(self.board).to_have_js_property("moves.length", count)

    def record(self) -> dict[str, Any]:
        """The match as the server has it."""
        match = self.page.url.rpartition("/")[2]
        answer = self.context.request.get(f"{self.base}/api/matches/{match}/record.json")
        assert answer.ok
        told: dict[str, Any] = answer.json()
        return told
