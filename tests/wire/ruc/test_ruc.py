"""Chinese checkers frames: strict JSON in, one form out, and the habits of real servers."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.wire import Malformed as OneBadMessage
from parlour.wire import WireError
from parlour.wire.ruc import (
    LOST,
    Codec,
    ErrorCode,
    Frame,
    Heard,
    Malformed,
    Opcode,
    canonical,
    encode,
    error_frame,
    parse_path,
    read_error,
    read_names,
    read_time,
)
from tests.wire.pieces import fed, pieces

RECORDINGS = Path(__file__).parents[2] / "data" / "transcripts" / "chinese-checkers"


def hear(line: str) -> Heard:
    (heard,) = Codec().feed(line.encode() + b"\n")
    return heard


def test_a_frame_is_written_in_one_form() -> None:
    frame = Frame(Opcode.JOIN_ROOM, "room1", "alice")
    assert encode(frame) == b'{"data1":"room1","data2":"alice","op":200000}\n'


@pytest.mark.parametrize(
    "line",
    [
        '{"data1":"A","data2":"0 0 2 0","op":200007}',
        '{"op":200007,"data2":"0 0 2 0","data1":"A"}',
        ' { "data1" : "A", "data2": "0 0 2 0", "op":200007 } \r',
        '{"data1":"A","data2":"0 0 2 0","op":200007,"more":3.5,"even":null}',
        '{"data\\u0031":"\\u0041","data2":"0 0 2 0","op":200007}',
    ],
)
def test_order_spaces_escapes_and_further_keys_do_not_matter(line: str) -> None:
    assert hear(line) == Frame(Opcode.MOVE, "A", "0 0 2 0")


def test_absent_data_is_empty() -> None:
    assert hear('{"op":200008}') == Frame(Opcode.END_TURN, "", "")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not a flat JSON object"),
        ("PASS", "not a flat JSON object"),
        ("[200007]", "not a flat JSON object"),
        ("[" * 8000, "not a flat JSON object"),
        ('{"x":' * 1600, "not a flat JSON object"),
        ('{"op":200007,"x":{"op":200007}}', "not a flat JSON object"),
        ('{"op":200007,"x":[]}', "not a flat JSON object"),
        ('{"op":200007,"data1":"\\ud800"}', "not a flat JSON object"),
        ('{"op":200007,"data1":NaN}', "not a flat JSON object"),
        ('{"op":Infinity}', "not a flat JSON object"),
        ('{"op":200007}{"op":200007}', "not a flat JSON object"),
        ('{"op":200007,"op":200007}', "a key stands twice"),
        ('{"op":200007,"\\u006fp":200008}', "a key stands twice"),
        ('{"op":200007,"x":":","x":"\\":"}', "a key stands twice"),
        ('{"data1":"a","data1":"b","data2":"","op":200007}', "a key stands twice"),
        ("{}", "op is missing"),
        ('{"data1":"","data2":""}', "op is missing"),
        ('{"op":"200007"}', 'op "200007" is not an integer'),
        ('{"op":200007.0}', "op 200007.0 is not an integer"),
        ('{"op":2e5}', "op 200000.0 is not an integer"),
        ('{"op":true}', "op true is not an integer"),
        ('{"op":null}', "op null is not an integer"),
        ('{"op":200007,"data1":null}', "data1 null is not a string"),
        ('{"op":200007,"data2":3}', "data2 3 is not a string"),
        ('{"op":200011}', "op 200011 is unknown"),
        ('{"data1":"","data2":"","op":200012}', "op 200012 is unknown"),
        ('{"op":-1}', "op -1 is unknown"),
    ],
    ids=lambda value: value[:24],
)
def test_a_bad_frame_is_an_invalid_request(line: str, reason: str) -> None:
    codec = Codec()
    bad, good = codec.feed(line.encode() + b"\n" + encode(Frame(Opcode.END_TURN)))
    assert isinstance(bad, Malformed)
    assert isinstance(bad, OneBadMessage)
    assert bad.code is ErrorCode.INVALID_REQ
    assert bad.detail.startswith(reason)
    assert good == Frame(Opcode.END_TURN)


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "1e999", "1" * 400 + ".5"])
@pytest.mark.parametrize("key", ["op", "data1"])
def test_monstrous_numbers_are_an_invalid_request(number: str, key: str) -> None:
    assert isinstance(hear(f'{{"{key}":{number},"data2":""}}'), Malformed)


def test_an_overlong_line_is_answered_once_and_never_executed() -> None:
    codec = Codec()
    (answer,) = codec.feed(b"[" * 100_000)
    assert isinstance(answer, Malformed)
    assert codec.feed(b'{"op":200002}\n') == []
    assert codec.feed(b'{"op":200002}\n') == [Frame(Opcode.LEAVE_ROOM)]


def test_a_nul_spoils_its_line_only() -> None:
    bad, worse, good = Codec().feed(b'{"op":\x00200002}\n\x00\n{"op":200002}\n')
    assert isinstance(bad, Malformed)
    assert isinstance(worse, Malformed)
    assert good == Frame(Opcode.LEAVE_ROOM)


@pytest.mark.parametrize(
    "hello", [b"\x16\x03\x01", b"POST /rooms HTTP/1.1\r\n", b'{"data1":"\xff","op":200000}\n']
)
def test_another_protocol_is_a_wire_error(hello: bytes) -> None:
    (error,) = Codec().feed(hello)
    assert isinstance(error, WireError)


def test_an_error_carries_its_number_and_names_itself() -> None:
    frame = error_frame(ErrorCode.INVALID_MOVE, "hop 2 lands on an occupied cell")
    assert frame == Frame(Opcode.ERROR, "400005", "INVALID_MOVE: hop 2 lands on an occupied cell")


@pytest.mark.parametrize(
    "text", ["a\nb", "a\u2028b", "a\x00b", "a\x85b", "a\x1ab"], ids=lambda text: repr(text)
)
def test_text_cannot_break_the_line_of_a_peer(text: str) -> None:
    assert encode(Frame(Opcode.ERROR, "400007", text)) == (
        b'{"data1":"400007","data2":"a b","op":200010}\n'
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("0 0 2 0 2 2", ((0, 0), (2, 0), (2, 2))),
        ("0 0 -1 0 ", ((0, 0), (-1, 0))),
        (" 00  0   -01 -0", ((0, 0), (-1, 0))),
        ("1 0", ((1, 0),)),
    ],
)
def test_a_path_is_integers_in_pairs(text: str, path: tuple[tuple[int, int], ...]) -> None:
    assert parse_path(text) == path


@pytest.mark.parametrize(
    "text",
    ["", " ", "1", "1 0 2", "a b", "+1 0", "1_0 0", "1.0 0", "\uff11 0", "1234 0", "0\t0", "- 1"],
)
def test_a_path_of_anything_else_is_an_invalid_request(text: str) -> None:
    answer = parse_path(text)
    assert isinstance(answer, Malformed)
    assert answer.code is ErrorCode.INVALID_REQ


def test_a_client_cannot_say_that_it_has_lost() -> None:
    answer = parse_path(LOST)
    assert isinstance(answer, Malformed)
    assert answer.code is ErrorCode.INVALID_MOVE


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1669000000", 1669000000),
        ("1669000000123", 1669000000),
        (" 1669000000 ", 1669000000),
        ("", None),
        ("soon", None),
        ("\u0661", None),
    ],
)
def test_a_time_may_be_in_milliseconds(text: str, seconds: int | None) -> None:
    assert read_time(text) == seconds


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("400005", ErrorCode.INVALID_MOVE),
        ("INVALID_MOVE", ErrorCode.INVALID_MOVE),
        ("400099", None),
        ("", None),
    ],
)
def test_an_error_may_come_by_number_or_name(text: str, code: ErrorCode | None) -> None:
    assert read_error(text) is code


def test_lists_may_have_trailing_spaces() -> None:
    assert read_names("alice bob ") == ("alice", "bob")


cells = st.tuples(st.integers(-99, 999), st.integers(-99, 999))
words = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=30)
frames = st.builds(Frame, st.sampled_from(Opcode), words, words)


@given(st.lists(cells, min_size=1).map(tuple))
def test_paths_survive_the_wire(path: tuple[tuple[int, int], ...]) -> None:
    assert parse_path(canonical(path)) == path


@given(st.lists(frames))
def test_frames_survive_the_wire(sent: list[Frame]) -> None:
    assert Codec().feed(b"".join(map(encode, sent))) == sent


@given(frames)
def test_every_frame_is_json_with_three_keys_in_order(frame: Frame) -> None:
    pairs = json.loads(encode(frame), object_pairs_hook=list)
    assert pairs == [("data1", frame.data1), ("data2", frame.data2), ("op", frame.op)]


keys = st.sampled_from(["op", "data1", "data2", "x", ":", '"'])
values = st.one_of(st.sampled_from([200000, 200007, 200011]), words, st.none(), st.booleans())


@given(st.lists(st.tuples(keys, values), max_size=5))
def test_a_key_that_stands_twice_never_passes(pairs: list[tuple[str, object]]) -> None:
    line = "{" + ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in pairs) + "}"
    twice = len({key for key, _ in pairs}) < len(pairs)
    heard = hear(line)
    if twice:
        assert isinstance(heard, Malformed)
    elif isinstance(heard, Frame):
        assert heard.op == dict(pairs)["op"]


BITS = [b'{"data1":"', b'","data2":"', b'","op":', b"200007", b"}", b"\n", b'"', b"\\", b"[", b":"]
streams = st.lists(st.one_of(st.sampled_from(BITS), st.binary(max_size=6))).map(b"".join)


@given(data=streams, cuts=pieces())
def test_pieces_change_nothing_and_nothing_raises(data: bytes, cuts: list[int]) -> None:
    assert fed(Codec(), data, cuts) == Codec().feed(data)


def test_recorded_frames_are_read() -> None:
    strange: set[str] = set()
    count = 0
    for recording in sorted(RECORDINGS.glob("*.txt")):
        for line in recording.read_text().splitlines():
            frame = re.fullmatch(r" *[0-9.]+ C\d+(?:->|<-)S (\{.*\})\\n", line)
            if frame is None:
                continue
            count += 1
            heard = hear(frame[1])
            if not isinstance(heard, Frame):
                strange.add(heard.detail if isinstance(heard, Malformed) else str(heard))
    assert count > 100
    assert strange == set()
