"""A Chinese checkers player at a terminal, against servers that say what no server should."""

from parlour.clients.ruc import RucLineClient
from parlour.wire.ruc import Frame, Opcode, encode


def test_a_new_game_without_us_takes_our_turn_away() -> None:
    client = RucLineClient("garden", "alice")
    client.received(encode(Frame(Opcode.START_GAME, "alice bob", "A D")))
    client.received(encode(Frame(Opcode.START_TURN, "A")))

    client.received(encode(Frame(Opcode.START_GAME, "bob carol", "A D")))

    assert client.typed("-4 5 -4 4").show == "It is not your turn."
