"""The session by itself: whatever a browser says, it gets an answer and never an exception."""

import contextlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.cli import GAMES
from parlour.gateways.web._declined import Declined
from parlour.gateways.web._effects import Ask, Close, Effect, Tell, WatchMatch
from parlour.gateways.web._session import Guest, WebSession
from parlour.gateways.web._tables import Tables, clean_name
from parlour.gateways.web._told import Pong, RefusedRequest
from parlour.host import Directory
from parlour.match import Listing, PlayMove, Status, Visibility

NOW = 1_800_000_000_000
TYPES = (
    "watch", "unwatch", "watch-lobby", "unwatch-lobby", "take-seat", "leave", "ready", "move",
    "resign", "rematch", "no-rematch", "say", "seek", "stop-seeking", "ping", "dance",
)  # fmt: skip
MATCHED = (
    "watch", "take-seat", "leave", "ready", "move", "resign", "rematch", "no-rematch", "say",
)  # fmt: skip

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)
messages = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "id": st.integers(-9, 9),
        "match": st.sampled_from(["match-1", "", "x" * 99]) | values,
        "after": st.integers(-1, 99),
        "move": st.text(max_size=9),
        "ply": st.integers(-1, 99),
        "text": st.text(max_size=9),
        "game": st.sampled_from(["go", "chess"]) | values,
        "options": values,
        "control": values,
        "seat": values,
        "password": values,
    },
).map(msgspec.json.encode)


def session(guest: Guest | None = None) -> WebSession:
    return WebSession(guest, Tables(GAMES, Directory(), 60_000))


def alice() -> Guest:
    return Guest("web:a1", "Alice")


def refusals(effects: list[Effect]) -> list[str]:
    """What was said no to, and by which word."""
    tells = [effect.message for effect in effects if isinstance(effect, Tell)]
    return [message.refusal for message in tells if isinstance(message, RefusedRequest)]


@given(st.lists(messages | st.binary(max_size=40), max_size=20), st.booleans())
def test_every_message_has_an_effect_and_none_fails(said: list[bytes], known: bool) -> None:
    tab = session(alice() if known else None)
    for number, message in enumerate(said):
        assert tab.received(message, NOW + 100 * number)


def test_a_move_is_asked_for_by_the_guest_and_as_its_number() -> None:
    (effect,) = session(alice()).received(
        b'{"type":"move","id":3,"match":"match-1","move":"0,0","ply":4}', NOW
    )

    assert effect == Ask(3, "match-1", PlayMove("web:a1", "0,0", 4))


def test_nobody_is_asked_anything_for_who_has_no_cookie() -> None:
    tab = session()
    effects = [
        effect
        for type_ in TYPES
        for effect in tab.received(
            b'{"type":"%s","match":"match-1","move":"0,0","ply":0,"text":"x","game":"go"}'
            % type_.encode(),
            NOW,
        )
    ]

    assert refusals(effects) == ["guest"] * 10 + ["malformed"]


def test_streams_of_other_kinds_are_not_there_for_browsers() -> None:
    tab = session(alice())
    effects = [
        effect
        for type_ in MATCHED
        for effect in tab.received(
            b'{"type":"%s","match":"room-1","move":"0,0","ply":0,"text":"x"}' % type_.encode(), NOW
        )
    ]

    assert refusals(effects) == ["unknown-stream"] * len(MATCHED)
    assert len(effects) == len(MATCHED)


def test_the_allowance_fills_up_with_time() -> None:
    tab = session(alice())

    def pongs(count: int, now: int) -> int:
        effects: list[Effect] = []
        for _ in range(count):
            effects += tab.received(b'{"type":"ping"}', now)
        return sum(isinstance(one, Tell) and isinstance(one.message, Pong) for one in effects)

    assert [pongs(100, NOW), pongs(100, NOW + 500), pongs(100, NOW + 60_000)] == [60, 10, 60]


@pytest.mark.parametrize(
    "type_",
    ["take-seat", "leave", "ready", "move", "resign", "rematch", "no-rematch", "watch-lobby"],
)
def test_what_costs_as_much_as_many_messages_is_asked_for_slowly(type_: str) -> None:
    directory = Directory()
    tab = WebSession(alice(), Tables(GAMES, directory, 60_000))
    directory.put("match-1", Listing("go", {}, "", Visibility.PUBLIC, 7, status=Status.OPEN))
    message = b'{"type":"%s","match":"match-1","move":"0,0","ply":0}' % type_.encode()
    tab.received(b'{"type":"watch","match":"match-1"}', NOW - 1000)

    def refused(now: int) -> list[str]:
        return refusals([one for _ in range(30) for one in tab.received(message, now)])

    assert refused(NOW) == ["limit"] * 20
    assert refused(NOW + 3000) == ["limit"] * 27
    assert refusals([*tab.received(b'{"type":"ping"}', NOW + 6000)]) == []


def test_what_is_above_the_limit_is_refused_by_its_names() -> None:
    tab = session(alice())
    for _ in range(60):
        tab.received(b'{"type":"ping"}', NOW)
    said = (b'{"type":"watch","id":7,"match":"match-1"}', b'{"type":"watch","match":[]}')
    effects = [effect for message in said for effect in tab.received(message, NOW)]
    told = [one.message for one in effects if isinstance(one, Tell)]

    assert [(one.id, one.match) for one in told if isinstance(one, RefusedRequest)] == [
        (7, "match-1"),
        (None, None),
    ]


def test_who_goes_on_above_the_limit_is_closed_and_heard_no_more() -> None:
    tab = session(alice())
    effects = [tab.received(b'{"type":"ping"}', NOW) for _ in range(200)]

    closes = [number for number, one in enumerate(effects) if one and isinstance(one[0], Close)]
    assert closes == [160]
    assert not any(effects[161:])


def test_64_matches_are_watched_at_most() -> None:
    tab = session(alice())
    effects = [
        tab.received(b'{"type":"watch","match":"match-%d"}' % number, NOW + 100 * number)[0]
        for number in range(65)
    ]

    assert all(isinstance(one, WatchMatch) for one in effects[:64])
    assert isinstance(effects[64], Tell)


@given(st.text(max_size=20))
def test_a_cleaned_name_stays_as_it_is(text: str) -> None:
    with contextlib.suppress(Declined):
        name = clean_name(text)
        assert clean_name(name) == name
        assert 1 <= len(name) <= 20
