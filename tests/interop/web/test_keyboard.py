"""A whole game of Go by the keyboard alone, from the lobby to the result."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from parlour.games.go import Go, Options
from tests.cli.servers import Server
from tests.interop.web.guests import SOON, Guest
from tests.interop.web.programs import Nedap

pytestmark = [pytest.mark.external, pytest.mark.slow]

# The name of what has the focus, through every shadow tree, as a screen reader would find it.
FOCUSED = """() => {
    let one = document.activeElement;
    while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
    const label = one?.getRootNode().querySelector(`label[for="${one.id}"]`);
    const cell = one?.getRootNode().getElementById?.(one.getAttribute("aria-activedescendant"));
    const named = (cell ?? one)?.getAttribute("aria-label") ?? label?.textContent;
    return named ?? one?.textContent.trim();
}"""


def focused(guest: Guest) -> str:
    name: str = guest.page.evaluate(FOCUSED)
    return name


def tab_to(guest: Guest, name: str) -> None:
    """Press Tab until what has the focus is called so."""
    for _ in range(60):
        if focused(guest) == name:
            return
        guest.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {name!r}, but {focused(guest)!r}")


def walk(guest: Guest, x: int, y: int, at: tuple[int, int]) -> None:
    """Move the cursor by the arrows."""
    keys = guest.page.keyboard
    for _ in range(abs(x - at[0])):
        keys.press("ArrowRight" if x > at[0] else "ArrowLeft")
    for _ in range(abs(y - at[1])):
        keys.press("ArrowDown" if y > at[1] else "ArrowUp")


def test_a_game_of_go_without_a_mouse(server: Server, guest: Callable[..., Guest]) -> None:
    game = Go().start(Options(size=9), 2)
    with Nedap(server, "carol") as carol:
        carol.says("GO 9")
        carol.hears("WAITING")
        alice = guest("Alice")
        keys = alice.page.keyboard
        tab_to(alice, "Play them: carol")
        keys.press("Enter")
        alice.is_at_table()
        tab_to(alice, "E5, empty, star point")
        at = (4, 4)
        for x, y in ((column, 5) for column in range(9)):
            carol.says(f"MOVE {x} 3")
            alice.awaits_turn()
            game = game.play(f"{x},3")
            expect(alice.page.locator("go-board [role=status]")).to_contain_text("Black: ")
            if x % 2:  # walked there by the arrows
                walk(alice, x, y, at)
            else:  # typed
                keys.type(f"{'abcdefghj'[x]}{9 - y}")
            keys.press("Enter")
            at = (x, y)
            carol.hears(f"VALID white {x} {y}")
            game = game.play(f"{x},{y}")
            alice.has_moves(game.ply)
            assert "White, last move" in focused(alice)
        carol.says("PASS")
        game = game.play("pass")
        alice.awaits_turn()
        keys.type("pass")
        keys.press("Enter")
        game = game.play("pass")

        assert game.outcome is not None
        scores = " : ".join(map(str, game.outcome.scores))
        alice.sees(f"A draw: by area ({scores})")
        assert carol.hears("END") == f"END {' '.join(map(str, game.outcome.scores))}"
        expect(alice.page.get_by_role("link", name="SGF")).to_be_visible(timeout=SOON)
