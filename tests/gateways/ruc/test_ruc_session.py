"""The session alone: any bytes in any pieces."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from parlour.gateways import Effect, Follow
from parlour.gateways.ruc import Names, RucOptions, RucSession, shown_name
from parlour.host import Directory
from parlour.match import Listing, Sitter, Status, Visibility
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
    directory = Directory()
    made = RucSession("127.0.0.1", RucOptions(), directory, Names(directory))
    if inside:
        made.received(encode(Frame(Opcode.JOIN_ROOM, "room1", "alice")), NOW)
        made.opened_match("match-1", NOW)
    return made


def test_who_goes_before_coming_back_takes_nobody_away() -> None:
    """The same player may be there over another connection, which has the seat still."""
    sitter = Sitter(0, "ruc:alice 127.0.0.1", "alice", reclaims=True)
    directory = Directory()
    directory.put(
        "match-1",
        Listing("chinese_checkers", {}, "room1", Visibility.PUBLIC, 0, Status.LIVE, (sitter,)),
    )
    again = RucSession("127.0.0.1", RucOptions(), directory, Names(directory))
    asked = again.received(encode(Frame(Opcode.JOIN_ROOM, "room1", "alice")), NOW)
    assert list(asked) == [Follow("match-1")]
    assert list(again.lost(NOW)) == []


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
