"""Textbook tic-tac-toe: integers by position, in any pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire import WireError
from parlour.wire.textbook import (
    ClientCodec,
    Message,
    Move,
    Result,
    Role,
    ServerCodec,
    Start,
    Status,
    encode_move,
    encode_role,
    encode_start,
    encode_status,
)
from tests.recordings import tictactoe_ints, tictactoe_recordings
from tests.wire.pieces import fed, pieces


def test_a_move_may_arrive_in_single_bytes() -> None:
    codec = ServerCodec()
    moves = [move for byte in encode_move(Move(1, 2)) for move in codec.feed(bytes([byte]))]
    assert moves == [Move(1, 2)]


def test_two_moves_in_one_read_are_two_moves() -> None:
    assert ServerCodec().feed(bytes.fromhex("00000000 00000001 00000002 00000001")) == [
        Move(0, 1),
        Move(2, 1),
    ]


@pytest.mark.parametrize("number", [-1, 2**31 - 1, -(2**31)])
def test_numbers_off_the_board_are_moves_all_the_same(number: int) -> None:
    move = Move(number, number)
    assert ServerCodec().feed(encode_move(move)) == [move]


@pytest.mark.parametrize(
    "hello",
    [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"GET / HTTP/1.1\r\n\r\n", b"CONNECT a:1 HTTP/1.1"],
)
def test_another_protocol_is_a_wire_error_and_the_end(hello: bytes) -> None:
    codec = ServerCodec()
    (error,) = codec.feed(hello)
    assert isinstance(error, WireError)
    assert codec.feed(encode_move(Move(0, 0))) == []


def test_player_1_hears_role_start_and_the_last_move_of_the_winner() -> None:
    stream = (
        encode_role(1)
        + encode_start()
        + encode_status(Status.CONTINUE, Move(1, 1))
        + encode_status(Status.PLAYER2_WON, Move(2, 2))
    )
    assert ClientCodec().feed(stream) == [
        Role(1),
        Start(1),
        Result(Status.CONTINUE),
        Move(1, 1),
        Result(Status.PLAYER2_WON),
        Move(2, 2),
    ]


@pytest.mark.parametrize(
    ("player", "status", "move"),
    [
        (1, Status.PLAYER1_WON, None),
        (1, Status.PLAYER2_WON, Move(0, 0)),
        (1, Status.DRAW, None),
        (2, Status.PLAYER1_WON, Move(0, 0)),
        (2, Status.PLAYER2_WON, None),
        (2, Status.DRAW, Move(0, 0)),
    ],
)
def test_what_follows_the_last_status(player: int, status: Status, move: Move | None) -> None:
    start = encode_start() if player == 1 else b""
    codec = ClientCodec()
    told = codec.feed(encode_role(player) + start + encode_status(status, move))
    last = [Result(status)] if move is None else [Result(status), move]
    assert told[-len(last) :] == last
    (error,) = codec.feed(encode_start())
    assert error == WireError("number 1 after the end of the match")


def test_a_loser_may_hear_the_status_alone() -> None:
    told = ClientCodec().feed(encode_role(2) + encode_status(Status.PLAYER1_WON))
    assert told == [Role(2), Result(Status.PLAYER1_WON)]


@pytest.mark.parametrize("stream", [b"\0\0\0\3", b"\0\0\0\2\0\0\0\5", b"HTTP/1.1"])
def test_a_server_of_another_kind_is_a_wire_error(stream: bytes) -> None:
    assert isinstance(ClientCodec().feed(stream)[-1], WireError)


@given(data=st.one_of(st.binary(max_size=64), st.just(b"GET / HTTP/1.1")), cuts=pieces())
def test_pieces_do_not_change_what_the_server_hears(data: bytes, cuts: list[int]) -> None:
    assert fed(ServerCodec(), data, cuts) == ServerCodec().feed(data)


ints = st.lists(st.sampled_from([0, 1, 2, 3, 4, 5, -1]), max_size=20)


@given(
    data=st.one_of(
        st.binary(max_size=64),
        ints.map(lambda numbers: b"".join(n.to_bytes(4, "big", signed=True) for n in numbers)),
    ),
    cuts=pieces(),
)
def test_pieces_do_not_change_what_the_client_hears(data: bytes, cuts: list[int]) -> None:
    assert fed(ClientCodec(), data, cuts) == ClientCodec().feed(data)


int32 = st.integers(-(2**31), 2**31 - 1)


@given(st.lists(st.builds(Move, int32, int32).filter(lambda move: 0 <= move.row + 1 < 2**24)))
def test_moves_survive_the_wire(moves: list[Move]) -> None:
    assert ServerCodec().feed(b"".join(map(encode_move, moves))) == moves


def test_recorded_matches_are_read_by_both_ends() -> None:
    assert tictactoe_recordings()
    for path in tictactoe_recordings():
        servers = {"conn1": ServerCodec(), "conn2": ServerCodec()}
        clients = {"conn1": ClientCodec(), "conn2": ClientCodec()}
        moves: list[Move | WireError] = []
        heard: dict[str, list[Message | WireError]] = {"conn1": [], "conn2": []}
        for sent in tictactoe_ints(path):
            if sent.direction == "from client":
                moves += servers[sent.client].feed(sent.data)
            else:
                heard[sent.client] += clients[sent.client].feed(sent.data)
        assert [m for m in heard["conn2"] if isinstance(m, Move)] == moves[::2]
        assert [m for m in heard["conn1"] if isinstance(m, Move)] == moves[1::2]
        last = {item.status for item in heard["conn1"] if isinstance(item, Result)}
        assert last - {Status.CONTINUE} == {
            Status.DRAW if "draw" in path.name else Status.PLAYER1_WON
        }
