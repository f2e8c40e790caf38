"""The whole board and what a player can do are seen at once, without scrolling."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.interop.web.guests import Guest

pytestmark = [pytest.mark.external, pytest.mark.slow]
Arrive = Callable[..., Guest]
SIZES = [(1440, 900), (1024, 768), (768, 1024), (390, 844), (320, 640)]
BUTTONS = {
    "Tic-tac-toe": ("Resign",),
    "Go": ("Pass", "Resign"),
    "Chinese checkers": ("Resign",),
}


def lowest(one: Guest, *buttons: str) -> float:
    """How far down the board and the buttons reach, in CSS pixels."""
    boxes = [one.page.get_by_role("button", name=name).bounding_box() for name in buttons]
    boxes.append(one.board.locator("svg[viewBox]").first.bounding_box())
    return max(box["y"] + box["height"] for box in boxes if box is not None)


@pytest.mark.parametrize("game", BUTTONS)
def test_nothing_of_a_game_is_below_the_fold(guest: Arrive, game: str) -> None:
    first, second = guest("Alice"), guest("Bob")
    second.goes(first.opens(game, **({"Number_of_players": "2"} if "Chinese" in game else {})))
    second.sits()
    first.awaits_turn()
    for width, height in SIZES:
        first.page.set_viewport_size({"width": width, "height": height})
        expect(first.page.get_by_role("button", name="Resign")).to_be_visible()
        assert lowest(first, *BUTTONS[game]) <= height, (width, height)

    second.resigns()
    again = first.page.get_by_role("button", name="Offer a rematch")
    for width, height in SIZES:
        first.page.set_viewport_size({"width": width, "height": height})
        expect(again).to_be_visible()
        assert lowest(first, "Offer a rematch") <= height, (width, height)


def test_the_newest_move_stays_in_sight_in_any_width(guest: Arrive) -> None:
    first, second = guest("Alice"), guest("Bob")
    second.goes(first.opens("Go", Board_size="9"))
    second.sits()
    for ply in range(24):
        one = (first, second)[ply % 2]
        one.awaits_turn()
        one.types(f"{ply % 9},{ply // 9 * 2}")
        one.has_moves(ply + 1)
    newest = first.page.locator("move-list [data-current]")
    first.has_moves(24)
    for width, height in (SIZES[0], SIZES[-1], SIZES[2], SIZES[0]):
        first.page.set_viewport_size({"width": width, "height": height})
        first.page.locator("move-list").scroll_into_view_if_needed()
        expect(newest).to_be_in_viewport()


@pytest.mark.parametrize("width", [1440, 1024])
def test_the_form_for_a_name_moves_nothing_and_goes_by_itself(guest: Arrive, width: int) -> None:
    page = guest("Alice").page
    page.set_viewport_size({"width": width, "height": 900})
    before = page.locator("main").bounding_box()
    page.get_by_role("button", name="You are").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    assert page.locator("main").bounding_box() == before

    page.keyboard.press("Escape")
    expect(page.get_by_label("Your name")).to_have_count(0)
    expect(page.get_by_role("button", name="You are")).to_be_focused()
    page.get_by_role("button", name="You are").click()
    page.get_by_role("link", name="Connect").click()
    expect(page.get_by_label("Your name")).to_have_count(0)


def test_a_pass_by_the_mouse_leaves_no_cell_under_the_board(guest: Arrive) -> None:
    first, second = guest("Alice"), guest("Bob")
    second.goes(first.opens("Go", Board_size="9"))
    second.sits()
    first.awaits_turn()
    first.clicks(2, 2)
    second.awaits_turn()
    second.presses("Pass")
    first.awaits_turn()
    first.presses("Pass")
    second.awaits_turn()

    expect(first.board.locator(".caption")).to_have_text("")
    first.board.focus()
    first.page.keyboard.press("ArrowUp")
    expect(first.board.locator(".caption")).to_contain_text("empty")
