"""The session alone: any bytes in any pieces, and what it does when the service fails it."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refusal, Refused
from parlour.gateways import Close, Effect, Find, Note, StopFinding, Submit, Wake, Write
from parlour.gateways.textbook import TextbookSession
from parlour.gateways.textbook._session import TERMS
from parlour.host import Recorded
from parlour.match import GoAway, PlayMove
from tests.match.tables import Table

NOW = 1_000_000


def waiting_session() -> TextbookSession:
    session = TextbookSession("textbook:a", "player-a", turn_limit=0)
    session.connected(NOW)
    session.waiting(NOW)
    return session


def playing_session() -> TextbookSession:
    session = waiting_session()
    session.paired("match-1", NOW)
    return session


def test_a_player_alone_is_told_role_1_once() -> None:
    session = TextbookSession("textbook:a", "player-a", turn_limit=0)
    (find,) = session.connected(NOW)
    assert isinstance(find, Find)
    assert find.seek.seat is None

    told, again = session.waiting(NOW)

    assert told == Write(b"\0\0\0\1")
    assert isinstance(again, Find)
    assert again.seek.seat == 0
    assert session.waiting(NOW) == ()


def test_a_move_that_cannot_be_stored_is_tried_again() -> None:
    session = playing_session()
    move = PlayMove("textbook:a", "2,1")
    assert session.received(b"\0\0\0\1\0\0\0\2", NOW) == [Submit("match-1", move)]

    (wake,) = session.refused(move, Refused(Refusal.UNAVAILABLE, "disk full"), NOW)

    assert isinstance(wake, Wake)
    assert session.woken(wake.at) == [Submit("match-1", move)]


def test_a_move_behind_another_waits_for_its_turn_to_lose() -> None:
    session = playing_session()
    first = PlayMove("textbook:a", "0,0")
    assert session.received(bytes(8 * 1000), NOW) == [Submit("match-1", first)]


def test_a_match_that_cannot_be_created_ends_the_connection() -> None:
    session = playing_session()
    effects = session.refused(None, Refused(Refusal.UNAVAILABLE, "disk full"), NOW)
    assert [type(effect) for effect in effects] == [Note, Submit, Close]


def test_who_leaves_while_waiting_is_looked_for_no_more() -> None:
    assert list(waiting_session().lost(NOW)) == [StopFinding("textbook:a")]


def test_who_leaves_a_match_goes_away() -> None:
    assert list(playing_session().lost(NOW)) == [Submit("match-1", GoAway("textbook:a"))]


@given(st.binary(max_size=64), st.lists(st.integers(0, 64), max_size=8))
def test_pieces_give_the_same_as_the_whole(data: bytes, cuts: list[int]) -> None:
    whole = list(playing_session().received(data, NOW))
    chopped: list[Effect] = []
    session = playing_session()
    edges = sorted({0, len(data), *(cut for cut in cuts if cut <= len(data))})
    for begin, end in itertools.pairwise(edges):
        chopped += session.received(data[begin:end], NOW)
    assert chopped == whole


@given(st.binary(max_size=64))
def test_bytes_before_an_opponent_never_become_moves(data: bytes) -> None:
    effects = waiting_session().received(data, NOW)
    assert not any(isinstance(effect, Submit) for effect in effects)


def test_who_thinks_has_as_long_as_a_turn_to_read_that_the_other_left() -> None:
    table = Table.of(TERMS, TERMS)
    session = TextbookSession("a", "a", turn_limit=0)
    session.connected(NOW)
    session.paired("match-1", NOW)
    for event in table.does(GoAway("b")):
        last = list(session.followed([Recorded("match-1", 0, event, table.state)], NOW))
    assert last == [Write(b"\0\0\0\1"), Close(300_000)]
