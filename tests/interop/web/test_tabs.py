"""Several tabs of one browser, and addresses that lead nowhere."""

import threading
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.cli.servers import Server
from tests.interop.web.guests import UNSAFE, Guest
from tests.interop.web.wire import Wire

pytestmark = [pytest.mark.external, pytest.mark.slow]
Arrive = Callable[..., Guest]


@pytest.mark.parametrize("host", ["127.0.0.1", UNSAFE])
def test_tabs_opened_together_are_one_guest(chromium: Browser, server: Server, host: str) -> None:
    """Both have loaded, and neither has an answer yet to who it is."""
    held: list[Route] = []
    released = threading.Event()

    def hold(route: Route) -> None:
        if released.is_set():
            route.continue_()
        else:
            held.append(route)

    with Wire(server.ports["web"]) as wire, chromium.new_context() as context:
        context.route("**/api/me", hold)
        address = f"http://{host}:{wire.port}/"
        tabs = [context.new_page(), context.new_page()]
        with tabs[0].expect_request("**/api/me"):
            tabs[0].goto(address)
        tabs[1].goto(address)
        assert tabs[1].evaluate("!navigator.locks") is (host == UNSAFE)
        expect(tabs[1].get_by_role("heading", name="Play", exact=True)).to_be_visible()
        released.set()
        with wire.slow():
            for route in held:
                route.continue_()
            tabs[1].evaluate("new Promise((done) => requestAnimationFrame(done))")

        names = [tab.get_by_role("button", name="You are").inner_text() for tab in tabs]
    assert names[0] == names[1]


def test_two_tabs_are_one_player(guest: Arrive) -> None:
    alice, bob = guest("Alice"), guest("Bob")
    table = alice.opens("Tic-tac-toe")
    bob.goes(table)
    bob.sits()
    other = alice.context.new_page()
    other.goto(table)
    alice.awaits_turn()
    expect(other.locator("#status")).to_have_text("Your turn")

    other.locator("tictactoe-board").focus()
    other.keyboard.type("b2")
    other.keyboard.press("Enter")

    bob.awaits_turn()
    alice.has_moves(1)
    alice.has_moved()


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/match/match-nowhere", "There is no such match"),
        ("/match/anything", "There is no such match"),
        ("/new/chess", "There is no such page"),
        ("/nowhere", "There is no such page"),
    ],
)
def test_an_address_that_leads_nowhere_leads_back(guest: Arrive, path: str, heading: str) -> None:
    alice = guest("Alice")
    alice.page.goto(alice.base + path)

    expect(alice.page.get_by_role("heading", level=1)).to_contain_text(heading)
    alice.page.get_by_role("link", name="Back to the lobby").click()
    expect(alice.page.get_by_role("heading", name="Play", exact=True)).to_be_visible()


def test_the_way_back_leads_through_the_screens(guest: Arrive) -> None:
    alice = guest("Alice")
    table = alice.opens("Go")
    alice.page.go_back()
    expect(alice.page.get_by_role("heading", name="New table: Go")).to_be_visible()
    alice.page.go_back()
    expect(alice.page.get_by_role("link", name="Back to it")).to_be_visible()
    alice.page.go_forward()
    alice.page.go_forward()

    alice.is_at_table()
    assert alice.page.url == table
