"""Who comes back to a game right after a ko was taken knows that it may not be taken back."""

import pytest

from parlour.clients.nedap import NedapClient
from parlour.games import Refused

# Black a and white o around the ko; white has just taken at 1 1 the stone that stood at 2 1.
#
#     . X O . .
#     X O . O .
#     . X O . .
BEFORE = ("1 0", "2 0", "0 1", "3 1", "1 2", "2 2", "2 1", "1 1")
COLOURS = ("black", "white")


def replay(*moves: str) -> NedapClient:
    """A new connection, told everything in one piece: moves in their order, no board."""
    client = NedapClient()
    client.log_in("alice")
    lines = [f"VALID {COLOURS[number % 2]} {move}\n" for number, move in enumerate(moves)]
    client.receive("".join(["READY black bob 5\n", *lines]).encode())
    return client


def test_the_ko_is_known_from_the_replay() -> None:
    client = replay(*BEFORE)
    assert client.my_turn

    with pytest.raises(Refused, match="superko"):
        client.move(2, 1)


def test_the_ko_may_be_taken_when_the_board_has_changed() -> None:
    client = replay(*BEFORE, "4 4", "4 0")

    assert client.move(2, 1) == b"MOVE 2 1\n"
