"""The session alone: any bytes in any pieces, and what it does when the service fails it."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refusal, Refused
from parlour.gateways import (
    Close,
    Effect,
    Effects,
    Find,
    Note,
    StopFinding,
    Submit,
    Unfollow,
    Wake,
    Write,
)
from parlour.gateways.textbook import TextbookSession
from parlour.gateways.textbook._session import TERMS
from parlour.host import Recorded
from parlour.match import CreateMatch, Event, GoAway, MatchStarted, Newcomer, PlayMove
from tests.match.tables import Table

NOW = 1_000_000


def waiting_session() -> TextbookSession:
    session = TextbookSession("textbook:a", "player-a", turn_limit=0)
    session.connected(NOW)
    session.waiting(NOW)
    return session


def begun() -> Table:
    """A match of textbook:a and textbook:b."""
    table = Table()
    newcomers = (Newcomer("textbook:a", "a", TERMS), Newcomer("textbook:b", "b", TERMS))
    table.does(CreateMatch("tictactoe", newcomers=newcomers))
    return table


def told(session: TextbookSession, table: Table, *events: Event) -> list[Effect]:
    """What the session does about the newest events of a match, which come one by one."""
    return [
        effect
        for event in events
        for effect in session.followed([Recorded("match-1", 0, event, table.state)], NOW)
    ]


def paired_session() -> TextbookSession:
    session = waiting_session()
    session.paired("match-1", NOW)
    return session


def playing_session() -> TextbookSession:
    session = paired_session()
    told(session, begun(), MatchStarted(NOW, (0, 1)))
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


def asked(effects: Effects) -> PlayMove:
    """The one move that a match is asked for."""
    (submit,) = effects
    assert isinstance(submit, Submit)
    assert isinstance(submit.command, PlayMove)
    return submit.command


def test_a_move_that_cannot_be_stored_is_tried_again() -> None:
    session = playing_session()
    move = asked(session.received(b"\0\0\0\1\0\0\0\2", NOW))
    assert move == PlayMove("textbook:a", "2,1")

    (wake,) = session.refused(move, Refused(Refusal.UNAVAILABLE, "disk full"), NOW)

    assert isinstance(wake, Wake)
    assert session.woken(wake.at) == [Submit("match-1", move)]


def test_a_move_behind_another_waits_for_its_turn_to_lose() -> None:
    session = playing_session()
    first = PlayMove("textbook:a", "0,0")
    assert session.received(bytes(8 * 1000), NOW) == [Submit("match-1", first)]


def test_a_move_that_comes_before_the_news_of_the_start_is_asked_for_once() -> None:
    session, table = paired_session(), begun()
    assert session.received(bytes(8), NOW) == []
    start, submit = told(session, table, MatchStarted(NOW, (0, 1)))
    assert start == Write(b"\0\0\0\1")
    asked([submit])


NO = Refused(Refusal.UNAVAILABLE, "disk full")
OVER = Refused(Refusal.OVER, "the match is over")


def test_a_move_that_a_stranger_was_quicker_than_is_played_in_the_next_match() -> None:
    session, table = playing_session(), begun()
    move = asked(session.received(bytes(8), NOW))
    found_over = [*session.refused(move, OVER, NOW)]
    aborted = told(session, table, *table.does(GoAway("textbook:b", "GET / HTTP/1.1")))
    assert found_over == []
    assert [type(effect) for effect in aborted] == [Unfollow, Find]
    assert session.woken(NOW) == []

    session.paired("match-2", NOW)
    again = asked(told(session, begun(), MatchStarted(NOW, (0, 1))))
    assert again == move
    assert session.refused(move, OVER, NOW) == ()  # the answer of the match before comes late
    assert session.refused(move, NO, NOW) == ()
    assert session.woken(NOW) == []
    (wake,) = session.refused(again, NO, NOW)
    assert isinstance(wake, Wake)
    assert asked(session.woken(wake.at)) == move


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
