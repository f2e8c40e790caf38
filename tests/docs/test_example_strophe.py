"""The strophe.js page in a browser, against a textbook client, through our own Prosody."""

import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.cli.xmpp_server import XmppParlour
from tests.interop.web.guests import CHROMIUM, FLAGS, SOON
from tests.interop.xmpp.servers import Prosody

EXAMPLE = Path(__file__).resolve().parents[2] / "examples/strophe"

HEARD = "heard = []; room.on('role', (nick, role) => heard.push(`${nick}: ${role}`))"
# What a server says when it could not deliver something.
BOUNCE = """link.send($msg({ to: room.address, type: "error" }).c("error", { type: "cancel" })
    .c("gone", { xmlns: "urn:ietf:params:xml:ns:xmpp-stanzas" }))"""

pytestmark = [pytest.mark.slow, pytest.mark.external]


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    """As the page says: npm install beside it."""
    if not Prosody.installed() or shutil.which("npm") is None or not Path(CHROMIUM).exists():
        pytest.skip("needs prosody, npm and chromium")
    subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=EXAMPLE, check=True, timeout=100)


def test_the_page_is_ten_lines_that_a_person_can_read() -> None:
    """Its own script, that is: mug.js beside it knows the protocol."""
    _, script = (EXAMPLE / "index.html").read_text("utf-8").split("<script>\n")
    lines = script.partition("</script>")[0].splitlines()
    assert len(lines) <= 10
    assert max(map(len, lines)) <= 120
    assert "xmlns" not in script


def test_the_page_is_still_in_its_room_when_it_was_silent_or_taken_for_lost(tmp_path: Path) -> None:
    waits = "you play x; waiting for somebody to play o"
    with (
        XmppParlour(tmp_path, "--xmpp", "managed", xmpp="silence = 1") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.clock.install()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.set_default_timeout(SOON)
        page.goto(f"{EXAMPLE.as_uri()}/index.html#ws://127.0.0.1:{server.http}/xmpp-websocket")
        status = page.locator("p")
        expect(status).to_have_text(waits)
        page.evaluate(f"{HEARD}; {BOUNCE}")
        page.wait_for_function("heard.includes('me: x')")  # it has come in again, and has its role
        expect(status).to_have_text(waits)
        page.evaluate("link.xmlOutput = (sent) => { heard.push(Strophe.serialize(sent) ?? '') }")
        page.wait_for_function("heard.some((one) => /^<iq.*result/.test(one))")
        page.evaluate(f"heard.length = 0; {BOUNCE}")
        expect(status).to_have_text("the room believed that you were gone")
        page.clock.fast_forward(60_000)  # not at once a second time, but then
        page.wait_for_function("heard.includes('me: x')")
        page.evaluate("heard.length = 0; room.leave()")
        page.wait_for_function("heard.includes('me: none')")
        page.evaluate(BOUNCE)  # who has left stays out
        page.evaluate("room.enter('me')")
        page.wait_for_function("heard.includes('me: x')")  # in the room that is made anew
        assert page.evaluate("heard.filter((one) => /var=/.test(one)).length") == 1
        browser.close()
    assert complaints == []


def test_the_page_wins_against_a_textbook_client(tmp_path: Path) -> None:
    with XmppParlour(tmp_path, "--xmpp", "managed") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        turns: list[str | bytes] = []
        page.on("websocket", lambda link: link.on("framesent", lambda frame: turns.append(frame)))
        page.set_default_timeout(SOON)
        page.goto(f"{EXAMPLE.as_uri()}/index.html#ws://127.0.0.1:{server.http}/xmpp-websocket")
        status, cells = page.locator("p"), page.locator("td")
        expect(status).to_have_text("you play x; waiting for somebody to play o")
        with server.connect() as textbook, textbook.makefile("rb") as numbers:

            def receives(count: int) -> tuple[int, ...]:
                return struct.unpack(f">{count}i", numbers.read(4 * count))

            assert receives(1) == (2,)
            expect(status).to_have_text("active, next is x")
            for cell, answer in ((0, (1, 0)), (1, (1, 1))):
                cells.nth(cell).click()
                assert receives(3) == (4, 0, cell)
                expect(status).to_have_text("active, next is o")
                cells.nth(8).click()  # out of turn: nothing is sent
                textbook.sendall(struct.pack(">ii", *answer))
                expect(cells.nth(3 * answer[0] + answer[1])).to_have_text("o")
            cells.nth(0).click()  # filled: nothing is sent
            assert sum("<turn" in str(frame) for frame in turns) == 2
            page.evaluate("room.takeRole('z')")
            expect(status).to_have_text(re.compile("role"))
            cells.nth(2).click()
            assert receives(3) == (1, 0, 2)
        expect(status).to_have_text("x has won")
        browser.close()
    assert complaints == []
