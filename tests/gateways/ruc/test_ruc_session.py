"""The session alone: any bytes in any pieces."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from parlour.gateways import Effect
from parlour.gateways.ruc import Names, RucOptions, RucSession, shown_name
from parlour.host import Directory
from parlour.wire.ruc import Frame, Opcode, encode

NOW = 1_000_000

frames = st.builds(
    Frame,
    op=st.sampled_from(Opcode),
    data1=st.sampled_from(["", "room1", "A", "alice"]),
    data2=st.sampled_from(["", "alice", "-4 5 -4 4", "-1", "1_0"]),
)
streams = st.lists(st.one_of(st.binary(max_size=12), frames.map(encode)), max_size=6).map(b"".join)


def session(inside: bool) -> RucSession:
    made = RucSession("127.0.0.1", RucOptions(), Directory(), Names())
    if inside:
        made.received(encode(Frame(Opcode.JOIN_ROOM, "room1", "alice")), NOW)
        made.opened_match("match-1", NOW)
    return made


@given(streams, st.lists(st.integers(0, 400), max_size=8), st.booleans())
def test_pieces_give_the_same_as_the_whole(data: bytes, cuts: list[int], inside: bool) -> None:
    whole = list(session(inside).received(data, NOW))
    chopped: list[Effect] = []
    again = session(inside)
    edges = sorted({0, len(data), *(cut for cut in cuts if cut <= len(data))})
    for begin, end in itertools.pairwise(edges):
        chopped += again.received(data[begin:end], NOW)
    assert chopped == whole


@given(st.text(max_size=40), st.sets(st.sampled_from(["alice", "guest", "guest2", "bob"])))
def test_a_foreign_name_becomes_one_of_this_protocol(name: str, taken: set[str]) -> None:
    shown = shown_name(name, taken)
    assert 1 <= len(shown) <= 20
    assert shown.isascii()
    assert shown.replace("_", "a").isalnum()
    assert shown not in taken
