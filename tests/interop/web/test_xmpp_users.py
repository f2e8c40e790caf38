"""A browser at the table of a Multi-User Gaming room, behind a real XMPP server."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Page, async_playwright, expect

from parlour.cli._config import Config
from parlour.cli._service import running
from tests.interop.web.guests import CHROMIUM, FLAGS, SOON
from tests.interop.xmpp.house import ROOM, player
from tests.interop.xmpp.servers import GAMES, SECRET, Prosody

pytestmark = [pytest.mark.external, pytest.mark.slow]


@contextlib.asynccontextmanager
async def parlour_with_a_page(xmpp: Prosody, data: Path) -> AsyncIterator[Page]:
    """`parlour serve` inside this process with XMPP and the web, and somebody's page on it."""
    data.mkdir()
    (data / "xmpp-secret").write_text(SECRET)
    settings = {
        "xmpp": {
            "server": f"component:127.0.0.1:{xmpp.components}",
            "domain": GAMES,
            "secret_file": str(data / "xmpp-secret"),
        },
        "web": {"listen": "127.0.0.1:0"},
        **{name: {"listen": "off"} for name in ("nedap", "ruc", "textbook")},
    }
    config = msgspec.convert(settings, Config)
    async with (
        running(config, data / "log.sqlite3") as service,
        async_playwright() as playwright,
        await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS) as chromium,
    ):
        page = await chromium.new_page()
        page.set_default_timeout(SOON)
        await page.goto(f"http://127.0.0.1:{service.listening['web'][1]}/")
        yield page


async def plays(page: Page, cell: str) -> None:
    """Play by the keyboard, when it is the turn of the page."""
    await expect(page.locator("#status")).to_have_text("Your turn")
    await page.locator("tictactoe-board").focus()
    await page.keyboard.type(cell)
    await page.keyboard.press("Enter")


async def test_a_browser_plays_a_user_of_xmpp(built: None, tmp_path: Path) -> None:
    with Prosody(tmp_path / "xmpp") as xmpp:
        async with (
            parlour_with_a_page(xmpp, tmp_path / "data") as page,
            player(xmpp, "alice") as anna,
        ):
            await anna.mug.enter(ROOM, "anna")
            await anna.mug.configure(ROOM)
            await anna.mug.take_role(ROOM, "x")
            await page.get_by_role("button", name="Join: Tic-tac-toe").click()
            await expect(page.locator("seat-list li").first).to_contain_text("XMPP")
            await anna.hears_of("*: o")
            await anna.mug.start(ROOM)

            await anna.hears_of("active *")
            await anna.mug.move(ROOM, 1, 2, 2)
            await plays(page, "a1")
            await anna.hears_of("* 2: 1,1")
            await anna.mug.move(ROOM, 3, 1, 3)
            await plays(page, "b1")
            await anna.hears_of("* 4: 1,2")
            await anna.mug.move(ROOM, 5, 3, 1)

            await expect(page.locator("#status")).to_have_text("anna wins with a line")
            await anna.hears_of("inactive * won x")
