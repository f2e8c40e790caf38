"""What `parlour.gateways.Session` promises, for every protocol in `sessions.py`."""

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.gateways import Close, Effect, StopFinding, Submit, Write
from parlour.match import GoAway, LeaveSeat, Resign
from tests.contracts.sessions import NOW, PARTNER, SPEAKERS, STATES, Speaker, Stage, playing

speaks = pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda one: one.name)
stands = pytest.mark.parametrize("state", STATES, ids=lambda one: one.__name__)
State = Callable[[Speaker], Stage]

ANYTHING = (b"\0", b"\n", b"\xff\xfe\n", b"\x16\x03\x01\x02", b"GET / HTTP/1.1\r\n", b"A" * 70_000)
LAST_WORDS = (GoAway, LeaveSeat, Resign)


def talk(speaker: Speaker) -> st.SearchStrategy[bytes]:
    """Bytes of a client that knows some of the protocol."""
    word = st.sampled_from((*speaker.words, *ANYTHING)) | st.binary(max_size=12)
    return st.lists(word, max_size=8).map(b"".join)


def pieces(data: bytes, cuts: list[int]) -> Iterable[bytes]:
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    return (data[begin:end] for begin, end in itertools.pairwise(edges))


def joined(effects: Iterable[Effect]) -> list[Effect]:
    """The same effects with neighbouring writes made one."""
    result: list[Effect] = []
    for effect in effects:
        if isinstance(effect, Write) and result and isinstance(result[-1], Write):
            result[-1] = Write(result[-1].data + effect.data)
        else:
            result.append(effect)
    return result


@speaks
@stands
@settings(max_examples=40)
@given(data=st.data())
def test_chopped_bytes_lead_to_what_whole_ones_do(
    speaker: Speaker, state: State, data: st.DataObject
) -> None:
    said = data.draw(talk(speaker))
    cuts = data.draw(st.lists(st.integers(1, max(len(said), 1)), max_size=8))
    whole = joined(state(speaker).session.received(said, NOW))
    session = state(speaker).session
    assert joined(
        effect for one in pieces(said, cuts) for effect in session.received(one, NOW)
    ) == (whole)


@speaks
@stands
@settings(max_examples=40)
@given(data=st.data())
def test_nothing_comes_after_close(speaker: Speaker, state: State, data: st.DataObject) -> None:
    session = state(speaker).session
    effects = list(session.received(data.draw(talk(speaker)), NOW))
    closes = [index for index, effect in enumerate(effects) if isinstance(effect, Close)]
    assert closes in ([], [len(effects) - 1])
    if closes:
        assert list(session.received(data.draw(talk(speaker)), NOW)) == []
        assert silent(session.lost(NOW))


@speaks
@given(data=st.data())
def test_no_bytes_and_no_turn_of_a_game_raise(speaker: Speaker, data: st.DataObject) -> None:
    stage = data.draw(st.sampled_from(STATES))(speaker)
    acts: list[tuple[Callable[..., None], st.SearchStrategy[Any]]] = [
        (stage.received, talk(speaker)),
        (stage.received, st.sampled_from((speaker.looks, speaker.readies, *speaker.words))),
        (stage.partner_moves, st.integers(0, 30)),
        (stage.partner_does, st.sampled_from([one(PARTNER.identity) for one in LAST_WORDS])),
        (lambda _: stage.partner_comes(), st.none()),
        (lambda fails: setattr(stage, "failing", fails), st.booleans()),
    ]
    for index in data.draw(st.lists(st.integers(0, len(acts) - 1), max_size=12)):
        act, what = acts[index]
        act(data.draw(what))
    closes = [index for index, effect in enumerate(stage.said) if isinstance(effect, Close)]
    assert closes in ([], [len(stage.said) - 1])
    stage.failing = False
    stage.hears(stage.session.lost)
    assert stage.seek is None


@speaks
@stands
def test_who_is_lost_is_looked_for_no_more_and_plays_no_more(
    speaker: Speaker, state: State
) -> None:
    stage = state(speaker)
    effects = list(stage.session.lost(NOW))
    assert silent(effects)
    left = [
        one for one in effects if isinstance(one, Submit) and isinstance(one.command, LAST_WORDS)
    ]
    assert len(left) == (1 if stage.match is not None else 0)
    assert any(isinstance(one, StopFinding) for one in effects) or stage.seek is None


@speaks
@stands
def test_who_hears_that_the_service_stops_loses_nothing_by_it(
    speaker: Speaker, state: State
) -> None:
    effects = state(speaker).session.closing(NOW)
    assert [one for one in effects if not isinstance(one, Write | Close)] == []


@speaks
def test_the_end_of_a_game_is_told(speaker: Speaker) -> None:
    stage = playing(speaker)
    before = len(stage.said)
    stage.partner_does(Resign(PARTNER.identity))
    assert stage.match is not None
    assert stage.match.status.finished
    assert any(isinstance(one, Write) for one in stage.said[before:])


def silent(effects: Iterable[Effect]) -> bool:
    """Whether nothing is sent, and nothing closed."""
    return not any(isinstance(one, Write | Close) for one in effects)
