"""Every example of the page "Connect your own client" does what the page says."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.cli.servers import Server
from tests.cli.xmpp_server import XmppParlour
from tests.interop.web.examples import Example
from tests.interop.web.guests import Guest
from tests.interop.xmpp.servers import Prosody

pytestmark = [
    pytest.mark.external,
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("nc") is None, reason="nc is not installed"),
]
Arrive = Callable[..., Guest]
TLS = Path(__file__).parents[2] / "data" / "tls"


def test_the_example_of_go_plays_a_browser(guest: Arrive) -> None:
    alice = guest("Zoe")
    alice.page.get_by_role("link", name="Connect").click()
    with Example(alice.page, "Nedap") as example:
        example.types()
        example.types()
        example.hears("WAITING")
        alice.page.get_by_role("link", name="Play", exact=True).click()
        alice.page.get_by_role("button", name="Play them: alice").click()
        example.hears("READY black")
        example.types()
        example.hears("VALID black 4 4")

        alice.awaits_turn()
        assert (alice.moves, example.lines) == (["4,4"], [])


def test_the_example_of_chinese_checkers_plays_a_browser(guest: Arrive) -> None:
    alice = guest("Zoe")
    alice.page.get_by_role("link", name="Connect").click()
    with Example(alice.page, "RUC") as example:
        example.types()
        example.hears("200001")
        example.types()
        alice.page.get_by_role("link", name="Play", exact=True).click()
        alice.page.get_by_role("button", name="Join: Chinese checkers").click()
        alice.is_at_table()
        alice.presses("I am ready")
        example.hears("200006")
        example.types()

        alice.awaits_turn()
        assert (alice.moves, example.lines) == (["-4,5>-4,4"], [])


def test_two_examples_of_go_play_each_other(guest: Arrive) -> None:
    page = guest("Zoe").page
    page.get_by_role("link", name="Connect").click()
    with Example(page, "Nedap") as black, Example(page, "Nedap") as white:
        white.lines = [line.replace("alice", "bob").replace("4", "3") for line in white.lines]
        for one in (black, white):
            one.types()
            one.types()
            one.hears("WAITING")
        black.hears("READY black")
        white.hears("READY white")
        black.types()
        white.hears("VALID black 4 4")
        white.types()
        black.hears("VALID white 3 3")


def test_two_examples_of_chinese_checkers_play_each_other(guest: Arrive) -> None:
    page = guest("Zoe").page
    page.get_by_role("link", name="Connect").click()
    expect(page.get_by_text('from zone D it is "D" and "4 -5 4 -4"')).to_be_visible()
    with Example(page, "RUC") as first, Example(page, "RUC") as second:
        other = [("alice", "bob"), ('"A"', '"D"'), ("-4 5 -4 4", "4 -5 4 -4")]
        for old, new in other:
            second.lines = [line.replace(old, new) for line in second.lines]
        for one in (first, second):
            one.types()
            one.hears("200001")
        for one in (first, second):
            one.types()
        for mover, reader in ((first, second), (second, first)):
            mover.hears("200006")
            mover.types()
            reader.hears("200007")


def test_the_example_of_tic_tac_toe_plays_a_browser_to_the_end(guest: Arrive) -> None:
    alice = guest("Zoe")
    alice.page.get_by_role("link", name="Connect").click()
    with Example(alice.page, "textbook") as example:
        alice.page.get_by_role("link", name="Play", exact=True).click()
        alice.page.get_by_role("button", name="Play them").click()
        for move in ("a2", "a3"):
            alice.awaits_turn()
            alice.types(move)

        example.hears("I am player 1")
        example.hears("Over: player 1 wins")
        example.ends()
        assert alice.moves == ["0,0", "0,1", "1,0", "0,2", "2,0"]


def test_two_examples_of_tic_tac_toe_play_each_other(guest: Arrive) -> None:
    page = guest("Zoe").page
    page.get_by_role("link", name="Connect").click()
    with Example(page, "textbook") as first, Example(page, "textbook") as second:
        for example in (first, second):
            example.hears("Over: player 1 wins")
            example.ends()


def test_an_example_of_tic_tac_toe_whose_opponent_leaves_ends_in_order(guest: Arrive) -> None:
    alice = guest("Zoe")
    alice.page.get_by_role("link", name="Connect").click()
    with Example(alice.page, "textbook") as example:
        alice.page.get_by_role("link", name="Play", exact=True).click()
        alice.page.get_by_role("button", name="Play them").click()
        alice.is_at_table()
        alice.resigns()
        example.ends()


def test_where_all_is_tls_the_examples_speak_it(chromium: Browser, tmp_path: Path) -> None:
    trust = TLS / "one.crt"
    cert = ("--tls-cert", str(trust), "--tls-key", str(TLS / "one.key"))
    doors = ("textbook-tls", "nedap-tls", "web")
    with Server(tmp_path / "data", *cert, doors=doors) as server:
        page = chromium.new_page()
        page.goto(f"http://{page_address(server)}/connect")
        at = f"127.0.0.1:{server.ports['nedap-tls']}"
        expect(page.get_by_text(f"Address for TLS: {at}")).to_be_visible()

        with Example(page, "Nedap", SSL_CERT_FILE=str(trust)) as example:
            example.types()
            example.types()
            example.hears("WAITING")
        trusting = partial(Example, page, "textbook", SSL_CERT_FILE=str(trust))
        with trusting() as first, trusting() as second:
            first.hears("Over: player 1 wins")
            second.ends()
        page.close()


@pytest.mark.skipif(not Prosody.installed(), reason="prosody is not installed")
def test_the_example_of_xmpp_makes_a_room(chromium: Browser, tmp_path: Path) -> None:
    with XmppParlour(tmp_path, "--xmpp", "managed", doors=("web",)) as server:
        page = chromium.new_page()
        page.goto(f"http://{page_address(server)}/connect")
        with Example(page, "XMPP") as example:
            room = "garden@games.localhost/alice"
            for answer in ("</stream:features>", "<success", "</stream:features>", room):
                example.types()
                example.hears(answer)
            assert example.lines == []
        page.close()


def page_address(server: Server) -> str:
    """Where the page of a server is whose greeting names it."""
    return f"127.0.0.1:{server.ports['web']}"


def test_nothing_else_is_offered_than_what_is_open(chromium: Browser, tmp_path: Path) -> None:
    with Server(tmp_path, doors=("web",)) as server:
        page = chromium.new_page()
        page.goto(f"http://{page_address(server)}/connect")

        expect(page.get_by_text("No other protocol is open on this server.")).to_be_visible()
        page.close()
