"""What goes wrong between a page and its server, and what the page makes of it."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, WebSocket, expect

from tests.cli.servers import Server, free_port
from tests.interop.web.guests import SOON, Guest
from tests.interop.web.programs import Nedap
from tests.interop.web.wire import Wire

pytestmark = [pytest.mark.external, pytest.mark.slow]
Arrive = Callable[..., Guest]
TUNNEL = 20.0  # seconds without a network


def banner(page: Page) -> str:
    """What the page says about its connection."""
    shown = page.locator("parlour-app .link")
    return shown.inner_text() if shown.count() else ""


def against_nedap(server: Server, guest: Arrive, carol: Nedap, **options: object) -> Guest:
    """Carol, who has black on 5 by 5, and somebody at the page."""
    carol.says("GO 5")
    carol.hears("WAITING")
    alice = guest("Alice", **options)
    alice.page.get_by_role("button", name="Play them: carol").click()
    alice.is_at_table()
    carol.hears("READY")
    return alice


def test_twenty_seconds_without_a_network_lose_nothing(server: Server, guest: Arrive) -> None:
    with Nedap(server, "carol") as carol, Wire(server.ports["web"]) as wire:
        alice = against_nedap(server, guest, carol, port=wire.port)
        wire.cut()
        cut_at = time.monotonic()
        carol.says("MOVE 2 2")
        carol.hears("VALID black 2 2")
        expect(alice.page.get_by_text("No connection since")).to_be_visible(timeout=SOON)
        assert alice.moves == []
        assert alice.board.get_attribute("playable") is None

        alice.page.wait_for_timeout((TUNNEL - (time.monotonic() - cut_at)) * 1000)
        wire.mend()

        alice.awaits_turn()
        assert alice.moves == ["2,2"]
        assert banner(alice.page) == ""
        alice.clicks(1, 1)
        assert carol.hears("VALID white") == "VALID white 1 1"


@pytest.mark.parametrize("width", [1280, 400])
def test_a_lost_connection_moves_no_board(server: Server, guest: Arrive, width: int) -> None:
    size = {"width": width, "height": 860}
    with Nedap(server, "carol") as carol, Wire(server.ports["web"]) as wire:
        alice = against_nedap(server, guest, carol, port=wire.port, viewport=size)
        stands(alice.board)
        before = alice.board.bounding_box()
        wire.cut()
        lost = alice.page.get_by_text("No connection since")
        expect(lost).to_be_visible(timeout=SOON)
        stands(lost)

        assert alice.board.bounding_box() == before
        hidden = alice.page.locator("header a, header button:not(.skip)").all()
        boxes = [one.bounding_box() for one in [*hidden, alice.board]]
        shown = lost.bounding_box()
        assert shown is not None
        assert not [box for box in boxes if box is not None and overlap(box, shown)]


def stands(one: Locator) -> None:
    """It has come to where it stays."""
    one.element_handle().wait_for_element_state("stable")


def overlap(one: FloatRect, other: FloatRect) -> bool:
    """Whether two boxes on the screen have a place in common."""
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    above = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not beside and not above


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Callable[[], Server]]:
    """Starts a server on the same data and the same address, any number of times."""
    address = f"127.0.0.1:{free_port()}"
    running: list[Server] = []

    def start() -> Server:
        running.append(Server(tmp_path / "lasting", "--web", address))
        return running[-1]

    yield start
    for one in running:
        one.__exit__(None, None, None)


def test_a_server_that_is_killed_comes_back_under_the_open_pages(
    lasting: Callable[[], Server], guest: Arrive
) -> None:
    server = lasting()
    alice, bob = (guest(name, port=server.ports["web"]) for name in ("Alice", "Bob"))
    bob.goes(alice.opens("Go", Board_size="5", Your_seat="Black"))
    bob.sits()
    alice.awaits_turn()
    alice.types("c3")
    bob.awaits_turn()
    server.stop(signal.SIGKILL)
    for one in (alice, bob):
        expect(one.page.get_by_text("No connection since")).to_be_visible(timeout=SOON)
        assert one.moves == ["2,2"]

    lasting()

    bob.awaits_turn()
    for one in (alice, bob):
        assert one.moves == ["2,2"]
    bob.types("b2")
    alice.awaits_turn()
    assert [move["move"] for move in alice.record()["moves"]] == ["2,2", "1,3"]


def test_a_server_that_ends_in_order_says_that_it_restarts(
    lasting: Callable[[], Server], guest: Arrive
) -> None:
    server = lasting()
    alice = guest("Alice", port=server.ports["web"])
    server.stop()
    expect(alice.page.get_by_text("The server has stopped")).to_be_visible(timeout=SOON)

    lasting()

    expect(alice.page.locator("parlour-app .link")).to_have_count(0)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_search_outlives_a_restart(
    lasting: Callable[[], Server], guest: Arrive, how: signal.Signals
) -> None:
    server = lasting()
    alice = guest("Alice", port=server.ports["web"])
    alice.seeks("Go")
    expect(alice.page.get_by_text("Looking for an opponent in Go")).to_be_visible()
    server.stop(how)
    expect(alice.page.locator("parlour-app .link")).to_be_visible()

    server = lasting()

    expect(alice.page.get_by_text("Looking again for an opponent in Go")).to_be_visible()
    with Nedap(server, "carol") as carol:
        carol.says("GO 9")
        carol.hears("READY")
        alice.is_at_table()


def test_a_double_click_plays_once(server: Server, guest: Arrive) -> None:
    with Nedap(server, "carol") as carol:
        alice = guest("Alice")
        sent: list[str] = []

        def listen(socket: WebSocket) -> None:
            socket.on("framesent", lambda frame: sent.append(str(frame)))

        alice.page.on("websocket", listen)
        alice.page.reload()
        carol.says("GO 5")
        carol.hears("WAITING")
        alice.page.get_by_role("button", name="Play them: carol").click()
        alice.is_at_table()
        carol.says("MOVE 0 0")
        alice.awaits_turn()

        alice.clicks(2, 2, times=2)
        carol.hears("VALID white 2 2")
        carol.says("MOVE 4 4")
        alice.awaits_turn()

        assert len([frame for frame in sent if '"type":"move"' in frame]) == 1
        assert alice.moves == ["0,0", "2,2", "4,4"]
        assert alice.page.locator("match-screen [role=alert] .alert").count() == 0


def test_a_spectator_in_the_middle_of_a_game_sees_each_move_once(
    server: Server, guest: Arrive
) -> None:
    with Nedap(server, "carol") as carol, Nedap(server, "dave") as dave:
        for one in (carol, dave):
            one.says("GO 9")
        assert carol.hears("READY black")
        watcher = guest("Eve")
        link = watcher.page.get_by_role("link", name="Go · 9 \N{MULTIPLICATION SIGN} 9")
        expect(link).to_be_visible()
        points = [(x, y) for y in range(9) for x in range(0, 9, 2)]
        for ply, (x, y) in enumerate(points):
            if ply == 10:
                link.click(no_wait_after=True)  # and the moves go on
            who = dave if ply % 2 else carol
            who.says(f"MOVE {x} {y}")
            who.hears(f"VALID {'white' if ply % 2 else 'black'} {x} {y}")

        watcher.is_at_table()
        watcher.has_moves(len(points))
        assert watcher.moves == [f"{x},{y}" for x, y in points]
        expect(watcher.page.locator("match-screen .foot")).to_contain_text("1 person watches")
        watcher.presses("One move back")
        watcher.sees(f"Move {len(points) - 1} of {len(points)}")


def test_an_opponent_who_is_gone_is_away_and_then_back(server: Server, guest: Arrive) -> None:
    alice, bob = guest("Alice"), guest("Bob")
    bob.goes(alice.opens("Tic-tac-toe", Your_seat="X"))
    bob.sits()
    alice.awaits_turn()
    table = bob.page.url
    bob.page.close()

    expect(alice.page.locator("seat-list .away")).to_contain_text("away, seat lost in")

    bob.page = bob.context.new_page()
    bob.goes(table)
    expect(alice.page.locator("seat-list .away")).to_have_count(0)
    alice.types("b2")
    bob.awaits_turn()
