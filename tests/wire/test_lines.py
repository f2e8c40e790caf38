"""Lines come out the same however the bytes arrive, and a bad one costs a bounded amount."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire import LineReader, Overlong, WireError
from tests.wire.pieces import fed, pieces


def test_two_lines_in_one_packet_and_one_in_two() -> None:
    reader = LineReader()
    assert reader.feed(b"PASS\nMOVE 3 4\nMO") == ["PASS", "MOVE 3 4"]
    assert reader.feed(b"VE 1 1\n") == ["MOVE 1 1"]


@pytest.mark.parametrize(
    ("ending", "line"),
    [(b"\n", "MOVE 3 4"), (b"\r\n", "MOVE 3 4"), (b"\r\0\n", None), (b"\r\r\n", "MOVE 3 4\r")],
)
def test_line_endings(ending: bytes, line: str | None) -> None:
    expected = line if line is not None else WireError("a NUL byte in a line")
    for reader in (LineReader(), LineReader()):
        reader.feed(b"hello\n")
        assert reader.feed(b"MOVE 3 4" + ending) == [expected]


def test_a_bare_carriage_return_ends_no_line() -> None:
    assert LineReader().feed(b"MOVE 3 4\rPASS\n") == ["MOVE 3 4\rPASS"]


def test_the_tail_of_an_overlong_line_is_never_a_line() -> None:
    reader = LineReader()
    assert reader.feed(b"CHAT " + b"A" * 100_000) == [Overlong(8192)]
    assert reader.feed(b"TABLEFLIP\n") == []
    assert reader.feed(b"PASS\n") == ["PASS"]


def test_an_overlong_line_keeps_nothing_in_memory() -> None:
    reader = LineReader()
    for _ in range(100):
        reader.feed(b"A" * 65_536)
        assert sys.getsizeof(reader._rest) < 10_000


@pytest.mark.parametrize(("length", "fits"), [(8192, True), (8193, False)])
@pytest.mark.parametrize("begun", [True, False])
def test_the_limit_counts_bytes_before_the_newline(length: int, fits: bool, begun: bool) -> None:
    reader = LineReader()
    if begun:
        reader.feed(b"\n")
    assert reader.feed(b"A" * length + b"\n") == ["A" * length if fits else Overlong(8192)]


@pytest.mark.parametrize(
    "hello",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: parlour\r\n\r\n",
        b"CONNECT example.org:443 HTTP/1.1\r\n",
        b"OPTIONS * HTTP/1.1\r\n",
        b"GET /" + b"a" * 9000,
        b"MOVE \xff 3\n",
        b"MOVE \0 3\n",
    ],
)
def test_another_protocol_is_a_wire_error_and_the_end(hello: bytes) -> None:
    reader = LineReader()
    (error,) = reader.feed(hello)
    assert isinstance(error, WireError)
    assert reader.feed(b"PASS\n") == []


@pytest.mark.parametrize("line", ["GET fish", "CHAT GET / HTTP/1.1", "POST"])
def test_words_that_are_no_request_line_are_lines(line: str) -> None:
    assert LineReader().feed(line.encode() + b"\n") == [line]


def test_only_the_first_line_can_be_a_request() -> None:
    assert LineReader().feed(b"PASS\nGET / HTTP/1.1\n") == ["PASS", "GET / HTTP/1.1"]


streams = st.lists(
    st.one_of(
        st.binary(max_size=12),
        st.sampled_from([b"\n", b"\r\n", b"\r", b"PASS\n", b"A" * 30, b"GET / HTTP/1.1\n"]),
    )
).map(b"".join)


@given(data=streams, cuts=pieces())
def test_pieces_do_not_change_the_lines(data: bytes, cuts: list[int]) -> None:
    assert fed(LineReader(20), data, cuts) == LineReader(20).feed(data)
