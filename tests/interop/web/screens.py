"""Every screen of the page with something on it, for the checks and for people to look at.

Run as a program (`python -m tests.interop.web.screens DIRECTORY`) it saves each screen in both
themes at three widths.
"""

import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright

from parlour.games.chinese_checkers import ChineseCheckers, Options
from tests.cli.servers import Server
from tests.games.chinese_checkers.play import greedy
from tests.interop.web.guests import BOARDS, CHROMIUM, FLAGS, Guest, build
from tests.interop.web.programs import Nedap, Textbook

WIDTHS = {320: 640, 768: 1024, 1440: 900}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
OPENING = [
    "15,3",
    "3,15",
    "15,15",
    "3,3",
    "2,13",
    "2,14",
    "3,13",
    "5,15",
    "2,9",
    "13,16",
    "16,13",
    "11,15",
    "13,2",
    "16,5",
    "16,6",
    "15,5",
    "13,5",
    "15,7",
    "16,7",
    "15,8",
    "16,8",
    "15,9",
    "5,2",
    "2,5",
    "3,2",
    "2,2",
    "2,1",
    "4,2",
    "4,1",
    "3,1",
    "4,3",
]


class House:
    """A server with tables in every state, and the guests and programs who sit there."""

    def __init__(self, chromium: Browser, server: Server) -> None:
        self.base = f"http://127.0.0.1:{server.ports['web']}"
        self.alice, self.bob = (
            Guest(chromium, server.ports["web"], name) for name in ("Alice", "Bob")
        )
        black, white, waiting = (Nedap(server, name) for name in ("ootaka", "kenji", "yuki"))
        self.programs = [black, white, waiting, Textbook(server)]
        self.finished = self._finish_tic_tac_toe()
        self.go = self._play_go(black, white)
        self.star = self._play_chinese_checkers()
        self.large = self.bob.opens("Go", Board_size="49")
        self.open = self._open_table()
        waiting.says("GO 13")
        waiting.hears("WAITING")
        for one in (self.alice, self.bob):
            one.page.goto(self.base)

    def close(self) -> None:
        for one in (self.alice, self.bob):
            one.context.close()
        for program in self.programs:
            program.__exit__(None, None, None)

    def screens(self) -> dict[str, tuple[str, Callable[[Page], object]]]:
        """By name: the address, and how to see that it is all there."""

        def heading(page: Page) -> None:
            expect(page.get_by_role("heading", level=1)).to_be_visible()

        def board(page: Page) -> None:
            expect(page.locator(BOARDS).first).to_be_visible()

        return {
            "lobby": (self.base, lambda page: page.get_by_text("Play them").last.wait_for()),
            "new-go": (f"{self.base}/new/go", heading),
            "new-star": (f"{self.base}/new/chinese_checkers", heading),
            "finished": (
                f"{self.base}/finished",
                lambda page: page.get_by_text("1 game").wait_for(),
            ),
            "connect": (f"{self.base}/connect", lambda page: page.locator("pre").last.wait_for()),
            "over": (self.finished, board),
            "go": (self.go, board),
            "star": (self.star, board),
            "large": (self.large, board),
            "open": (self.open, board),
            "lost": (f"{self.base}/nowhere", heading),
        }

    def _finish_tic_tac_toe(self) -> str:
        table = self.alice.opens("Tic-tac-toe")
        self.bob.goes(table)
        self.bob.sits()
        for who, cell in zip(
            [self.alice, self.bob] * 3, ["b2", "a1", "c1", "b1", "a3"], strict=False
        ):
            who.awaits_turn()
            who.types(cell)
        self.bob.page.get_by_label("Say something").fill("Well played!")
        self.bob.presses("Send")
        self.alice.sees("You win with a line")
        return self._leave(table)

    def _play_go(self, black: Nedap, white: Nedap) -> str:
        for one in (black, white):
            one.says("GO 19")
        black.hears("READY black")
        for ply, point in enumerate(OPENING):
            one, colour = ((black, "black"), (white, "white"))[ply % 2]
            x, y = point.split(",")
            one.says(f"MOVE {x} {y}")
            one.hears(f"VALID {colour} {x} {y}")
        self.alice.page.get_by_role("link", name="ootaka").click()
        self.alice.is_at_table()
        return self._leave(self.alice.page.url)

    def _play_chinese_checkers(self) -> str:
        table = self.alice.opens("Chinese checkers", Number_of_players="2")
        self.bob.goes(table)
        self.bob.sits()
        players = (self.alice, self.bob)
        position, rng = ChineseCheckers().start(Options(players=2), 2), random.Random(3)
        while position.turn is not None and position.ply < 21:
            move = greedy(position, rng)
            players[position.turn].awaits_turn()
            players[position.turn].types(move)
            position = position.play(move)
        return self._leave(table)

    def _open_table(self) -> str:
        self.alice.opens("Chinese checkers", Name_of_the_room="garden")
        return self.alice.page.url

    def _leave(self, table: str) -> str:
        for one in (self.alice, self.bob):
            one.page.goto(self.base)
        return table


@contextmanager
def house(chromium: Browser, data: Path) -> Iterator[House]:
    """A house on a server of its own."""
    with Server(data) as server:
        built = House(chromium, server)
        try:
            yield built
        finally:
            built.close()


def show(guest: Guest, screen: tuple[str, Callable[[Page], object]]) -> Page:
    """The screen in a fresh tab, complete."""
    address, complete = screen
    page = guest.context.new_page()
    page.goto(address)
    complete(page)
    page.wait_for_load_state("networkidle")
    return page


def main(directory: Path) -> None:
    """Save every screen as a picture."""
    directory.mkdir(parents=True, exist_ok=True)
    build()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with house(chromium, Path(data)) as built:
            for name, screen in built.screens().items():
                page = show(built.alice, screen)
                for theme in THEMES:
                    page.emulate_media(color_scheme=theme)
                    for width, height in WIDTHS.items():
                        page.set_viewport_size({"width": width, "height": height})
                        page.wait_for_timeout(250)  # pictures of boards that have come into sight
                        path = directory / f"{name}-{theme}-{width}.png"
                        page.screenshot(path=path, full_page=True)
                page.close()
        chromium.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
