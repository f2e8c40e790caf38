"""A browser at one table with a client of each other protocol."""

import contextlib
import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from parlour.games.chinese_checkers import ChineseCheckers, Options, Position
from tests.cli.servers import Server
from tests.games.chinese_checkers.play import greedy
from tests.interop.web.guests import Guest
from tests.interop.web.programs import Nedap, Ruc, Textbook

pytestmark = [pytest.mark.external, pytest.mark.slow]
Arrive = Callable[..., Guest]


def test_go_against_a_line_of_text(server: Server, guest: Arrive) -> None:
    with Nedap(server, "carol") as carol:
        carol.says("GO 5")
        carol.hears("WAITING")
        alice = guest("Alice")
        alice.page.get_by_role("button", name="Play them: carol").click()
        alice.is_at_table()
        assert carol.hears("READY") == "READY black Alice 5".replace("Alice", "alice")
        carol.says("MOVE 1 1")
        alice.awaits_turn()
        expect(alice.page.locator("seat-list li").first).to_contain_text("Nedap")
        alice.clicks(3, 3)
        carol.hears("VALID black 1 1")
        assert carol.hears("VALID white") == "VALID white 3 3"
        carol.says("PASS")
        alice.awaits_turn()
        alice.presses("Pass")

        alice.sees("A draw: by area (1 : 1)")
        assert carol.hears("END") == "END 1 1"


def test_a_finished_game_on_the_largest_board_is_stepped_through(
    server: Server, guest: Arrive
) -> None:
    with Nedap(server, "carol") as carol, Nedap(server, "dave") as dave:
        for one in (carol, dave):
            one.says("GO 131")
        carol.hears("READY black")
        for ply in range(200):
            one, colour = ((carol, "black"), (dave, "white"))[ply % 2]
            one.says(f"MOVE {ply % 131} {ply // 2}")
            one.hears(f"VALID {colour}")
        carol.says("TABLEFLIP")
        carol.hears("END")
    alice = guest("Alice")
    alice.page.get_by_role("link", name="Finished").click()
    alice.page.get_by_role("link", name=re.compile("Go .* 131 ")).click()
    alice.sees("dave wins: carol resigned")
    expect(alice.board.locator("svg[viewBox]").first).to_be_visible()
    expect(alice.page.get_by_role("link", name="SGF")).to_have_count(0)
    with alice.page.expect_download() as download:
        alice.page.get_by_role("link", name="JSON").click()
    assert download.value.path().stat().st_size > 0
    alice.presses("One move back")

    alice.sees("Move 199 of 200")


def test_a_refusal_names_the_rule(server: Server, guest: Arrive) -> None:
    ko = ["1 0", "2 0", "0 1", "3 1", "1 2", "2 2", "4 4", "1 1"]  # white takes 2,1 next
    with Nedap(server, "carol") as carol:
        carol.says("GO 5")
        carol.hears("WAITING")
        alice = guest("Alice")
        alice.page.get_by_role("button", name="Play them: carol").click()
        alice.is_at_table()
        for ply, point in enumerate(ko):
            x, y = point.split()
            if ply % 2 == 0:
                carol.says(f"MOVE {point}")
                carol.hears("VALID black")
            else:
                alice.awaits_turn()
                alice.types(f"{x},{y}")
                carol.hears("VALID white")
                alice.has_moved()
        carol.says("MOVE 2 1")  # takes 1,1
        alice.awaits_turn()
        alice.types("1,1")  # would take back

        alert = alice.page.get_by_role("alert").filter(has_text="superko: repeats the position")
        expect(alert).to_be_visible()
        alice.awaits_turn()
        alice.types("0,4")
        assert carol.hears("VALID white") == "VALID white 0 4"


def test_tic_tac_toe_against_integers(server: Server, guest: Arrive) -> None:
    alice = guest("Alice")
    alice.seeks("Tic-tac-toe")
    expect(alice.page.get_by_text("Looking for an opponent")).to_be_visible()
    with Textbook(server) as book:
        alice.is_at_table()
        alice.awaits_turn()
        assert book.ints(1) == (2,)
        for x, y, answer in ((1, 1, (0, 0)), (2, 0, (0, 1))):
            alice.awaits_turn()
            expect(alice.page.get_by_text("textbook protocol have no chat")).to_be_visible()
            expect(alice.page.get_by_label("Say something")).to_have_count(0)
            alice.clicks(x + 0.5, y + 0.5)
            assert book.ints(3) == (4, y, x)
            book.mark(*answer)
        alice.awaits_turn()
        alice.clicks(0.5, 2.5)

        assert book.ints(3) == (1, 2, 0)
        alice.sees("You win with a line")
        expect(alice.page.get_by_role("button", name="Find another opponent")).to_be_visible()
        expect(alice.page.get_by_text("speaks the textbook protocol")).to_be_visible()


def seat_of(one: Guest) -> int:
    """The seat that was dealt to somebody at the page."""
    expect(one.status).to_have_text(re.compile("Your turn|is to move"))
    seat: int = one.board.evaluate("board => board.seat")
    return seat


def play(position: Position, browsers: dict[str, Guest], programs: dict[str, Ruc]) -> Position:
    """Play to the end, everybody their own zone."""
    rng = random.Random(5)
    while position.turn is not None:
        zone, move = position.zones[position.turn], greedy(position, rng)
        if zone in browsers:
            browsers[zone].awaits_turn()
            browsers[zone].types(move)
        else:
            programs[zone].hears(200006)
            programs[zone].plays(move)
        position = position.play(move)
        for one in browsers.values():
            one.has_moves(position.ply)
    return position


@pytest.mark.parametrize(("people", "machines", "rounds"), [(2, 1, 4), (3, 3, 1)])
def test_chinese_checkers_of_browsers_and_json_lines(
    server: Server, guest: Arrive, people: int, machines: int, rounds: int
) -> None:
    players = people + machines
    host, *others = [guest(f"Guest{number}") for number in range(people)]
    table = host.opens(
        "Chinese checkers",
        Number_of_players=str(players),
        Longest_game=str(rounds),
        Name_of_the_room="garden",
    )
    for one in others:
        one.goes(table)
        one.sits()
    with contextlib.ExitStack() as stack:
        rucs = [stack.enter_context(Ruc(server, "garden", f"ruc{n}")) for n in range(machines)]
        for ruc in rucs:
            ruc.asks(200004)
        for ruc in rucs:
            ruc.begins()
        options = Options(players=players, max_rounds=rounds)
        position = ChineseCheckers().start(options, players)
        browsers = {}
        for one in (host, *others):
            browsers[position.zones[seat_of(one)]] = one
        end = play(position, browsers, {ruc.zone: ruc for ruc in rucs})

        assert end.outcome is not None
        for ruc in rucs:
            ruc.hears(200009)
    told = "Places: 1." if len(end.outcome.ranking) > 1 else "A draw: by pieces home"
    for one in (host, *others):
        expect(one.status).to_contain_text(told)
        assert one.record()["result"]["ranking"] == [
            [position.zones[seat] for seat in group] for group in end.outcome.ranking
        ]
