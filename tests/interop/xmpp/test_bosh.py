"""A whole game over BOSH (XEP-0124, XEP-0206): strophe.js in a browser, through our own Prosody."""

import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.cli.xmpp_server import XmppParlour
from tests.interop.web.guests import CHROMIUM, FLAGS, SOON
from tests.interop.xmpp.servers import Prosody

EXAMPLE = Path(__file__).resolve().parents[3] / "examples/strophe"
BOARD = "[...document.querySelectorAll('td')].map((cell) => cell.textContent || '.').join('')"
# A second client in a page of its own, in the first one's room: what it hears is kept in `heard`.
JOIN = """(address) => {
    window.heard = [];
    window.other = link.mug.room(address, "tictactoe");
    other.on("role", (nick, role) => heard.push(`${nick}: ${role}`));
    other.on("news", (text) => heard.push(text));
    other.enter("ben");
    other.takeRole("o");
    other.start();
}"""

pytestmark = [pytest.mark.external, pytest.mark.slow]


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    if not Prosody.installed() or shutil.which("npm") is None or not Path(CHROMIUM).exists():
        pytest.skip("needs prosody, npm and chromium")
    if not (EXAMPLE / "node_modules/strophe.js").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=EXAMPLE, check=True, timeout=100)


class Client:
    """A page that is connected over BOSH."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.page: Page = browser.new_page()
        self.page.set_default_timeout(SOON)
        self.posts = 0
        self.sockets: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", self._count)
        self.page.on("websocket", lambda socket: self.sockets.append(socket.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"{EXAMPLE.as_uri()}/index.html#{url}")
        expect(self.page.locator("p")).to_have_text("you play x; waiting for somebody to play o")

    def _count(self, request: object) -> None:
        self.posts += getattr(request, "url", "").endswith("/http-bind")


def test_two_play_a_whole_game_over_bosh(tmp_path: Path) -> None:
    with XmppParlour(tmp_path, "--xmpp", "managed") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        url = f"http://127.0.0.1:{server.http}/http-bind"
        anna, ben = Client(browser, url), Client(browser, url)
        ben.page.evaluate(JOIN, anna.page.evaluate("room.address"))
        expect(anna.page.locator("p")).to_have_text("active, next is x")
        played = [("x", 0), ("o", 3), ("x", 1), ("o", 4), ("x", 2)]
        for number, (role, cell) in enumerate(played, 1):
            next_role = "ox"[number % 2 == 0]
            if role == "x":
                anna.page.locator("td").nth(cell).click()
            else:
                ben.page.evaluate(f"other.move({cell // 3 + 1}, {cell % 3 + 1})")
            expect(anna.page.locator("td").nth(cell)).to_have_text(role)
            if number < len(played):
                ben.page.wait_for_function(f"other.state.next === '{next_role}'")
        for page, words in ((anna.page, "said.textContent"), (ben.page, "heard.at(-1)")):
            page.wait_for_function(f"{words} === 'x has won'")
        assert anna.page.evaluate(BOARD) == "xxxoo...."
        assert "me: x" in ben.page.evaluate("heard")
        for client in (anna, ben):
            assert client.posts > 5
            assert client.sockets == []
            assert client.complaints == []
        browser.close()
