"""Who finds a table, what is said there, and how fingers and mice move pieces."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.cli.servers import Server
from tests.interop.web.guests import Guest
from tests.interop.web.programs import Nedap

pytestmark = [pytest.mark.external, pytest.mark.slow]
Arrive = Callable[..., Guest]

# Where the middle of a named cell of the star is, in the drawing's units.
CELL = """(board, name) => {
    const { left, top } = board.placeOf(board.read(name));
    return [left, top];
}"""


def begin_star(guest: Arrive, **context: object) -> tuple[Guest, Guest]:
    """Two at a star: who has zone A, and who has D."""
    first, second = guest("Alice", **context), guest("Bob", **context)
    second.goes(first.opens("Chinese checkers", Number_of_players="2"))
    second.sits()
    first.awaits_turn()
    return first, second


def touch(one: Guest, cell: str) -> None:
    """Press the cell."""
    one.clicks(*one.board.evaluate(CELL, cell))


def test_a_table_by_link_is_found_by_its_link_alone(guest: Arrive) -> None:
    alice, bob = guest("Alice"), guest("Bob")
    alice.page.get_by_role("link", name="New table: Tic-tac-toe").click()
    alice.page.get_by_label("Whoever has the link").check()
    alice.presses("Open the table")
    alice.is_at_table()
    carol = guest("Carol")
    open_table = carol.opens("Tic-tac-toe")
    expect(bob.page.get_by_role("button", name="Join: Tic-tac-toe")).to_have_count(1)
    assert open_table != alice.page.url

    bob.goes(alice.page.url)
    bob.sits()

    alice.awaits_turn()


def test_a_password_is_asked_for_and_opens_the_table(guest: Arrive) -> None:
    alice, bob = guest("Alice"), guest("Bob")
    alice.page.get_by_role("link", name="New table: Go").click()
    alice.page.get_by_label("Whoever knows the password").check()
    alice.page.get_by_label("Password", exact=True).fill("tengen Ω")
    alice.presses("Open the table")
    alice.is_at_table()
    bob.page.get_by_role("link", name="Open: Go").click()
    for guess in ("hoshi", "tengen Ω"):
        expect(bob.page.get_by_role("heading", name="This table has a password.")).to_be_visible()
        bob.page.get_by_label("Password").fill(guess)
        bob.presses("Enter")
        if guess == "hoshi":
            expect(bob.page.get_by_text("Wrong password")).to_be_visible()
    bob.is_at_table()
    bob.sits()
    alice.awaits_turn()
    alice.resigns()

    bob.sees("You win: Alice resigned")
    with bob.page.expect_download() as download:
        bob.page.get_by_role("link", name="JSON").click()
    assert '"cause": "resigned"' in download.value.path().read_text()


def test_who_tries_too_many_passwords_reads_why_none_is_taken(guest: Arrive) -> None:
    alice, bob = guest("Alice"), guest("Bob")
    alice.page.get_by_role("link", name="New table: Go").click()
    alice.page.get_by_label("Whoever knows the password").check()
    alice.page.get_by_label("Password", exact=True).fill("tengen")
    alice.presses("Open the table")
    alice.is_at_table()
    bob.page.get_by_role("link", name="Open: Go").click()

    for _ in range(5):
        bob.page.get_by_label("Password").fill("hoshi")
        bob.presses("Enter")
        expect(bob.page.get_by_text("Wrong password")).to_be_visible()
    bob.page.get_by_label("Password").fill("tengen")
    bob.presses("Enter")

    expect(bob.page.get_by_text("Too many wrong passwords")).to_be_visible()
    expect(bob.page.get_by_label("Password")).to_be_visible()


def test_what_is_said_crosses_protocols(server: Server, guest: Arrive) -> None:
    with Nedap(server, "carol") as carol:
        carol.says("GO 5")
        carol.hears("WAITING")
        alice = guest("Alice")
        alice.page.get_by_role("button", name="Play them: carol").click()
        alice.is_at_table()
        carol.hears("READY")
        carol.says("CHAT <b>hello</b>")
        said = alice.page.locator("chat-box [role=log]")
        expect(said).to_contain_text("carol Nedap <b>hello</b>")
        alice.page.get_by_label("Say something").fill("good luck")
        alice.presses("Send")

        assert carol.hears("CHAT alice") == "CHAT alice: good luck"


def test_a_path_of_hops_is_built_by_the_mouse(guest: Arrive) -> None:
    first, second = begin_star(guest)
    # Zone A makes way, so that a piece behind can hop twice.
    moves = [("-3,5", "-3,4"), ("3,-5", "3,-4"), ("-1,5", "-1,4")]
    for ply, (start, end) in enumerate(moves):
        who = (first, second)[ply % 2]
        who.awaits_turn()
        touch(who, start)
        touch(who, end)
        who.has_moves(ply + 1)
    second.awaits_turn()
    touch(second, "3,-4")
    touch(second, "3,-3")
    first.awaits_turn()
    touch(first, "-2,6")
    far = first.board.evaluate(
        """board => {
            const [cell, chain] = [...board.reach.chains].find(([, hops]) => hops.length > 1);
            return [board.cellName(cell), chain.map((one) => board.cellName(one))];
        }"""
    )
    touch(first, far[0])
    if first.moves == [*(f"{a}>{b}" for a, b in moves), "3,-4>3,-3"]:
        touch(first, far[0])  # the path could go on: pressed again, it ends here

    second.awaits_turn()
    assert second.moves[-1] == ">".join(["-2,6", *far[1]])


def test_the_last_position_stands_after_a_resignation(guest: Arrive) -> None:
    first, second = begin_star(guest)
    touch(first, "-4,5")
    touch(first, "-4,4")
    second.awaits_turn()
    second.resigns()

    for one in (first, second):
        one.sees_win(first, ": Bob resigned")
        pieces = one.board.evaluate("board => board.renderRoot.querySelectorAll('.piece').length")
        assert pieces == 20
        expect(one.page.locator("seat-list li").last).to_contain_text("resigned")


def test_a_finger_confirms_what_it_chose(guest: Arrive) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    first, second = begin_star(guest, **phone)
    touch(first, "-4,5")
    touch(first, "-4,4")
    button = first.page.get_by_role("button", name="Play -4,5")
    expect(button).to_be_visible()
    assert first.moves == []
    first.presses("Cancel")
    expect(button).to_have_count(0)
    touch(first, "-4,5")
    touch(first, "-4,4")
    button.click()

    second.awaits_turn()
    assert second.moves == ["-4,5>-4,4"]


def test_a_large_board_is_moved_and_zoomed_without_playing(guest: Arrive) -> None:
    alice, bob = guest("Alice"), guest("Bob")
    bob.goes(alice.opens("Go", Board_size="49"))
    bob.sits()
    alice.awaits_turn()
    view = "board => board.renderRoot.querySelector('svg').viewBox.baseVal"
    whole = alice.board.evaluate(f"board => ({view})(board).width")
    box = alice.board.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["width"] / 2
    alice.page.mouse.move(x, y)
    alice.page.mouse.wheel(0, -600)
    zoomed = alice.board.evaluate(f"board => ({view})(board).width")
    left = alice.board.evaluate(f"board => ({view})(board).x")
    assert zoomed < whole / 2
    alice.page.mouse.down()
    alice.page.mouse.move(x + 80, y, steps=4)
    alice.page.mouse.up()
    assert alice.board.evaluate(f"board => ({view})(board).x") < left
    assert alice.moves == []

    alice.clicks(24, 24)

    bob.awaits_turn()
    assert bob.moves == ["24,24"]
