"""A textbook player at a terminal, against integers as the flow chart has them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.clients import Step
from parlour.clients.textbook import TextbookLineClient
from tests.wire.pieces import pieces

PLAYER_1, PLAYER_2 = 1, 2
ONE_WON, TWO_WON, DRAW, CONTINUE = 1, 2, 3, 4


def ints(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}i", *numbers)


def first() -> TextbookLineClient:
    """Player 1, whose turn it is."""
    client = TextbookLineClient()
    client.connected()
    client.received(ints(PLAYER_1, 1))
    return client


def second(*move: int) -> TextbookLineClient:
    """Player 2, whose turn it is once player 1 has marked `move`."""
    client = TextbookLineClient()
    client.connected()
    client.received(ints(PLAYER_2, CONTINUE, *move))
    return client


def lines(step: Step) -> list[str]:
    return step.show.splitlines()


def test_player_1_waits_and_then_begins() -> None:
    client = TextbookLineClient()

    assert client.received(ints(PLAYER_1)).show == (
        "You are player 1 with token X. Waiting for player 2."
    )
    assert client.typed("0 0") == Step(show="It is not your turn yet.")

    assert lines(client.received(ints(1))) == [
        "Player 2 has come; you begin.",
        ". . .",
        ". . .",
        ". . .",
        "Your row and column, from 0 (as in 1 2): ",
    ]


def test_player_2_sees_the_first_move_and_is_asked() -> None:
    client = TextbookLineClient()

    assert client.received(ints(PLAYER_2)).show == (
        "You are player 2 with token O. Player 1 begins."
    )
    assert lines(client.received(ints(CONTINUE, 0, 2))) == [
        "The other player marks row 0, column 2.",
        ". . X",
        ". . .",
        ". . .",
        "Your row and column, from 0 (as in 1 2): ",
    ]


@pytest.mark.parametrize("typed", ["1 2", "1,2", " 1 , 2 ", "1  2"])
def test_a_typed_move_is_sent_row_first(typed: str) -> None:
    step = first().typed(typed)

    assert step.send == ints(1, 2)
    assert lines(step) == [". . .", ". . X", ". . .", "Waiting for the other player."]


@pytest.mark.parametrize("typed", ["", "x", "1", "1 2 3", "12", "-1 0", "\u0661 2", "\x1b[2J"])
def test_what_is_no_move_is_asked_for_again(typed: str) -> None:
    client = first()
    step = client.typed(typed)

    assert step.send == b""
    assert step.show == (
        f"{typed!r} is no row and column. Your row and column, from 0 (as in 1 2): "
    )
    assert client.typed("0 0").send == ints(0, 0)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("0 2", "row 0, column 2 is taken by X"),
        ("3 0", "row 3, column 0 is off the board of 3 by 3"),
        ("0 9", "row 0, column 9 is off the board of 3 by 3"),
    ],
)
def test_an_impossible_move_is_asked_for_again(typed: str, why: str) -> None:
    client = second(0, 2)
    step = client.typed(typed)

    assert step.send == b""
    assert step.show.startswith(f"That is not possible: {why}. Your row and column")
    assert client.typed("0 0").send == ints(0, 0)


def test_player_1_wins() -> None:
    client = first()
    client.typed("0 0")

    step = client.received(ints(ONE_WON))

    assert step.show == "You won!"
    assert client.lost() == Step(done=True)


def test_player_1_loses_and_sees_the_last_move() -> None:
    client = first()
    client.typed("0 0")

    shown = lines(client.received(ints(TWO_WON, 1, 1)))

    assert shown == [
        "The other player marks row 1, column 1.",
        *("X . .", ". O .", ". . ."),
        "Player 2 won.",
    ]
    assert client.typed("2 2").send == b""


def test_player_2_wins() -> None:
    client = second(0, 0)
    client.typed("1 1")

    assert client.received(ints(TWO_WON)).show == "You won!"


def test_player_2_loses_and_sees_the_last_move() -> None:
    client = second(0, 0)
    client.typed("1 1")

    assert lines(client.received(ints(ONE_WON, 2, 2))) == [
        "The other player marks row 2, column 2.",
        *("X . .", ". O .", ". . X"),
        "Player 1 won.",
    ]


def test_who_broke_a_rule_is_told_with_or_without_a_move() -> None:
    alone, again = second(0, 0), second(0, 0)
    alone.typed("1 1")
    again.typed("1 1")

    assert alone.received(ints(ONE_WON)) == Step()
    assert alone.lost() == Step(show="Player 1 won.", done=True)

    assert again.received(ints(ONE_WON, 0, 0)).show == "Player 1 won."
    assert again.lost() == Step(done=True)


def test_a_draw_is_told_to_both() -> None:
    one, two = first(), second(0, 0)
    one.typed("0 0")
    two.typed("1 1")

    assert one.received(ints(DRAW)).show == "The game is over: a draw."
    assert lines(two.received(ints(DRAW, 2, 2)))[-1] == "The game is over: a draw."


def test_the_end_of_a_game_that_nobody_finished_is_told() -> None:
    assert first().lost() == Step(
        show="The server closed the connection before the game ended.", done=True, failed=True
    )


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (ints(7), "role 7 is neither player 1 nor player 2"),
        (b"HTTP/1.1 400", "role 1213486160 is neither player 1 nor player 2"),
        (ints(PLAYER_2, 0), "status 0 is not one of 1 to 4"),
        (ints(PLAYER_2, TWO_WON, 1), "number 1 after the end of the match"),
    ],
)
def test_a_server_of_something_else_ends_the_client(data: bytes, sentence: str) -> None:
    step = TextbookLineClient().received(data)

    assert step.done
    assert lines(step)[-1] == f"The server speaks otherwise: {sentence}."


NUMBERS = st.lists(st.integers(-1, 5) | st.integers(-(2**31), 2**31 - 1), max_size=30)


@given(NUMBERS, pieces())
def test_pieces_say_what_the_whole_says(numbers: list[int], lengths: list[int]) -> None:
    data = ints(*numbers)
    whole, client = TextbookLineClient().received(data), TextbookLineClient()

    steps, turn = [], 0
    while data:
        length = lengths[turn % len(lengths)]
        steps.append(client.received(data[:length]))
        data, turn = data[length:], turn + 1

    assert "\n".join(step.show for step in steps if step.show) == whole.show
    assert any(step.done for step in steps) == whole.done


@given(st.lists(st.binary(max_size=40) | st.text(max_size=8), max_size=12))
def test_nothing_raises_and_nothing_raw_reaches_the_terminal(inputs: list[bytes | str]) -> None:
    client = TextbookLineClient()
    for given_ in inputs:
        step = client.typed(given_) if isinstance(given_, str) else client.received(given_)
        assert all(line.isprintable() for line in step.show.split("\n"))
    assert client.lost().done
