"""The board: cells, zones, targets, and who sits where."""

import pytest

from parlour.games.chinese_checkers import (
    CELLS,
    DISTANCES,
    TARGETS,
    ZONES,
    ChineseCheckers,
    Options,
)
from tests.games.chinese_checkers import stars

POINTS = """
            A
           A A
          A A A
         A A A A
F F F F . . . . . B B B B
 F F F . . . . . . B B B
  F F . . . . . . . B B
   F . . . . . . . . B
    . . . . . . . . .
   E . . . . . . . . C
  E E . . . . . . . C C
 E E E . . . . . . C C C
E E E E . . . . . C C C C
         D D D D
          D D D
           D D
            D
"""


def test_the_board_is_the_drawn_star() -> None:
    assert stars.CELLS == CELLS
    assert len(CELLS) == 121


def test_the_zones_are_the_points_clockwise_from_the_top() -> None:
    drawing = stars.drawn(POINTS)
    for letter, cells in ZONES.items():
        assert cells == {cell for cell, mark in drawing.items() if mark == letter}


def test_every_target_is_the_opposite_point() -> None:
    """Fault C05: a target is never the point beside the opposite one."""
    for zone, target in TARGETS.items():
        assert ZONES[target] == {(-x, -y) for x, y in ZONES[zone]}


def test_distances_lead_to_the_target() -> None:
    distances = dict(zip(CELLS, DISTANCES["A"], strict=True))
    assert all(distances[cell] == 0 for cell in ZONES["D"])
    assert distances[0, 0] == 5
    assert distances[-4, 8] == 13


@pytest.mark.parametrize(
    ("players", "zones"),
    [(2, "AD"), (3, "ACE"), (4, "ABDE"), (5, "ABCDE"), (6, "ABCDEF")],
)
def test_seats_are_zones_in_turn_order(players: int, zones: str) -> None:
    game, options = ChineseCheckers(), Options()
    position = game.start(options, players)
    assert game.seat_names(options, players) == position.zones == tuple(zones)
    for seat, zone in enumerate(zones):
        assert set(position.cells(seat)) == ZONES[zone]
        assert position.home(seat) == 0


def test_a_position_draws_itself() -> None:
    assert ChineseCheckers().start(Options(), 6).diagram() == POINTS.strip("\n")


@pytest.mark.parametrize(
    ("options", "starts"),
    [
        (Options(), [2, 3, 4, 5, 6]),
        (Options(player_counts="2,3,6"), [2, 3, 6]),
        (Options(players=4), [4]),
    ],
)
def test_a_game_starts_with_the_numbers_allowed(options: Options, starts: list[int]) -> None:
    game = ChineseCheckers()
    assert [players for players in range(9) if game.can_start(options, players)] == starts
    assert game.capacity(options) == starts[-1]
