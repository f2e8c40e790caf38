"""Games by the keyboard alone; one of Go from the lobby to the result."""

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


# The keys that lead from the cursor to a cell, the fewest.
KEYS = """(board, name) => {
    const ways = new Map([[board.cursor, []]]);
    for (const [cell, keys] of ways)
        for (const direction of ["left", "right", "up", "down"]) {
            const next = board.neighbour(cell, direction);
            const key = "Arrow" + direction[0].toUpperCase() + direction.slice(1);
            if (!ways.has(next)) ways.set(next, [...keys, key]);
        }
    return ways.get(board.read(name));
}"""


def arrows(guest: Guest, cell: str) -> None:
    """Walk to a cell by the arrows and press Enter there."""
    for key in guest.board.evaluate(KEYS, cell):
        guest.page.keyboard.press(key)
    guest.page.keyboard.press("Enter")


def seated(guest: Callable[..., Guest], game: str) -> list[Guest]:
    """Two at a table, both with the focus on the board, by Tab."""
    players = [guest("Alice"), guest("Bob")]
    table = players[0].opens(game, **({"Number_of_players": "2"} if "Chinese" in game else {}))
    players[1].goes(table)
    tab_to(players[1], "Sit here")
    players[1].page.keyboard.press("Enter")
    players[0].awaits_turn()
    for one in players:
        first = one.board.evaluate("board => board.cellName(board.cursor)")
        tab_to(one, f"{first}, {one.board.evaluate('board => board.contents(board.cursor)')}")
    return players


def test_tic_tac_toe_without_a_mouse(guest: Callable[..., Guest]) -> None:
    players = seated(guest, "Tic-tac-toe")
    for ply, cell in enumerate(["b2", "a1", "c1", "b1", "a3"]):
        players[ply % 2].awaits_turn()
        arrows(players[ply % 2], cell)

    for one in players:
        one.sees_win(players[0], " with a line")
    tab_to(players[1], "Offer a rematch")
    players[1].page.keyboard.press("Enter")
    expect(players[0].page.get_by_text("Bob offers a rematch")).to_be_visible()


def test_chinese_checkers_without_a_mouse(guest: Callable[..., Guest]) -> None:
    players = seated(guest, "Chinese checkers")
    for ply, (start, end) in enumerate([("-4,5", "-4,4"), ("4,-5", "4,-4")]):
        players[ply % 2].awaits_turn()
        arrows(players[ply % 2], start)
        arrows(players[ply % 2], end)
        players[ply % 2].has_moves(ply + 1)
    players[0].awaits_turn()
    keys = players[0].page.keyboard
    tab_to(players[0], "Resign")
    keys.press("Enter")
    assert focused(players[0]) == "Cancel"
    keys.press("Shift+Tab")
    assert focused(players[0]) == "Resign"
    keys.press("Enter")

    for one in players:
        one.sees_win(players[1], ": Alice resigned")
        assert one.moves == ["-4,5>-4,4", "4,-5>4,-4"]


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
