"""Two browsers play each game to its end."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from sgfmill import sgf

from parlour.games.chinese_checkers import ChineseCheckers, Options
from tests.games.chinese_checkers.play import greedy
from tests.interop.web.guests import SOON, Guest

pytestmark = [pytest.mark.external, pytest.mark.slow]
Arrive = Callable[..., Guest]


def paired(guest: Arrive, game: str) -> tuple[Guest, Guest]:
    """Two who looked for each other: whose turn it is, and the other."""
    pair = [guest("Alice"), guest("Bob")]
    for one in pair:
        one.seeks(game)
    for one in pair:
        one.is_at_table()
    for one in pair:
        expect(one.status).not_to_be_empty(timeout=SOON)
    first = 0 if pair[0].status.inner_text() == "Your turn" else 1
    return pair[first], pair[1 - first]


def test_tic_tac_toe_by_the_mouse_and_a_rematch(guest: Arrive) -> None:
    first, second = paired(guest, "Tic-tac-toe")
    for who, x, y in ((first, 1, 1), (second, 0, 0), (first, 2, 0), (second, 1, 0), (first, 0, 2)):
        who.awaits_turn()
        who.clicks(x + 0.5, y + 0.5)

    for one in (first, second):
        one.sees_win(first, " with a line")
        assert one.moves == ["1,1", "0,0", "2,0", "1,0", "0,2"]
    ended = first.page.url
    onlooker = guest("Carol")
    onlooker.goes(ended)
    first.presses("Offer a rematch")
    expect(first.page.get_by_text("You have offered a rematch")).to_be_visible()
    second.presses("Accept the rematch")
    for one in (first, second):
        one.page.wait_for_url(lambda url: url != ended)
        one.is_at_table()
    second.awaits_turn()
    onlooker.page.get_by_role("link", name="Go to the new game").click()
    onlooker.sees(f"{second.name} is to move")


def test_a_rematch_is_waited_for_in_the_lobby_too(guest: Arrive) -> None:
    first, second = paired(guest, "Tic-tac-toe")
    ended = first.page.url
    second.resigns()
    first.sees_win(first, f": {second.name} resigned")
    first.presses("Offer a rematch")
    first.page.get_by_role("link", name="Play", exact=True).click()
    expect(first.page.get_by_role("heading", name="Play", exact=True)).to_be_visible()
    second.presses("Accept the rematch")

    for one in (first, second):
        one.page.wait_for_url(lambda url: "/match/" in url and url != ended)
    second.awaits_turn()
    second.page.go_back()
    second.sees_win(first, f": {second.name} resigned")
    assert second.page.url == ended


def test_a_rematch_is_declined_and_withdrawn(guest: Arrive) -> None:
    first, second = paired(guest, "Tic-tac-toe")
    ended = first.page.url
    second.resigns()
    first.presses("Offer a rematch")
    second.presses("Decline")
    told = first.page.locator("match-over [role=status]")
    expect(told).to_have_text(f"{second.name} declines the rematch.")
    assert second.board.evaluate("board => board.matches(':focus')")

    first.presses("Offer a rematch")
    first.presses("Take the offer back")
    expect(second.page.locator("match-over [role=status]")).to_have_text(
        f"{first.name} has taken the offer of a rematch back."
    )
    expect(second.page.get_by_role("button", name="Accept the rematch")).to_have_count(0)

    first.presses("Offer a rematch")
    first.page.get_by_role("link", name="Play", exact=True).click()
    second.presses("Decline")
    expect(first.page.get_by_text(f"{second.name} declines the rematch.")).to_be_visible()
    assert second.page.url == ended


def test_go_by_the_mouse_and_its_record(guest: Arrive) -> None:
    black, white = guest("Black"), guest("White")
    table = black.opens("Go", Board_size="5")
    white.goes(table)
    white.sits()
    for who, x, y in ((black, 0, 1), (white, 0, 0), (black, 1, 0), (white, 4, 4)):
        who.awaits_turn()
        who.clicks(x, y)
    for who in (black, white):
        who.awaits_turn()
        who.presses("Pass")

    white.sees("Black wins by area (3 : 1)")
    assert white.record()["result"]["scores"] == {"black": 3, "white": 1}
    with white.page.expect_download() as download:
        white.page.get_by_role("link", name="SGF").click()
    game = sgf.Sgf_game.from_bytes(download.value.path().read_bytes())
    assert [game.get_size(), game.get_winner(), len(game.get_main_sequence())] == [5, "b", 7]


def test_chinese_checkers_by_typed_paths_until_somebody_is_home(guest: Arrive) -> None:
    players = [guest("Alice"), guest("Bob")]
    table = players[0].opens("Chinese checkers", Number_of_players="2")
    players[1].goes(table)
    players[1].sits()
    for one in players:
        expect(one.status).not_to_have_text("Waiting for 1 player")
    first = 0 if players[0].status.inner_text() == "Your turn" else 1
    position = ChineseCheckers().start(Options(players=2), 2)
    rng = random.Random(3)
    while position.turn is not None:
        who = players[(first + position.turn) % 2]
        move = greedy(position, rng)
        who.awaits_turn()
        who.types(move)
        position = position.play(move)

    winner = players[(first + position.outcome.ranking[0][0]) % 2] if position.outcome else None
    assert winner is not None
    for one in players:
        one.sees_win(winner, " by being home first")
