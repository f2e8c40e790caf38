"""A browser's session, driven by a script: what the page says, and what others do at its tables."""

import contextlib
import itertools
from collections.abc import Sequence
from typing import Any

import msgspec

from parlour.cli import GAMES
from parlour.games import Refusal, Refused
from parlour.gateways.web import _effects as effects
from parlour.gateways.web._declined import Declined, No
from parlour.gateways.web._session import Guest, WebSession
from parlour.gateways.web._tables import Tables
from parlour.gateways.web._told import Told
from parlour.host import Directory, Recorded
from parlour.match import (
    CreateMatch,
    LeaveSeat,
    Match,
    MovePlayed,
    Newcomer,
    PlayMove,
    Resign,
    SetReady,
    TakeSeat,
    Terms,
)
from parlour.match import MatchAggregate as Matches
from tests.fuzz.pieces import Script

NOW = 1_800_000_000_000
GRACE = 60_000
STEPS_MOST = 200
MESSAGE_MOST = 1 << 14
MATCHES = Matches(GAMES)
BOB = Newcomer("web:b", "Bob", Terms(ready=True))
TABLES = (
    CreateMatch("tictactoe", {}, (BOB,)),
    CreateMatch("chinese_checkers", {"players": 2}, (BOB,), room="garden"),
    CreateMatch("go", {"size": 5}),
)
WORDS = tuple(
    one.encode()
    for one in (
        '{"type":"watch","id":1,"match":"match-1"}', '{"type":"watch","id":2,"match":"match-2"}',
        '{"type":"take-seat","id":3,"match":"match-1"}', '{"type":"take-seat","match":"match-3"}',
        '{"type":"ready","id":4,"match":"match-1"}', '{"type":"resign","id":5,"match":"match-1"}',
        '{"type":"move","id":6,"match":"match-1","move":"2,2","ply":1}',
        '{"type":"move","id":7,"match":"match-1","move":"1,1","ply":3}',
        '{"type":"leave","id":8,"match":"match-1"}', '{"type":"unwatch","match":"match-1"}',
        '{"type":"say","id":9,"match":"match-1","text":"hi"}', '{"type":"watch-lobby","id":10}',
        '{"type":"unwatch-lobby"}', '{"type":"rematch","id":11,"match":"match-1"}',
        '{"type":"no-rematch","id":14,"match":"match-1"}',
        '{"type":"seek","id":12,"game":"go","options":{"size":9}}', '{"type":"stop-seeking"}',
        '{"type":"ping","id":13}', '{"type":"watch","match":"room-1"}', "{", "[]", "\x00",
    )
)  # fmt: skip


class Pane:
    """A session, its tables, and a service that answers at once."""

    def __init__(self, known: bool) -> None:
        self.now = NOW
        self.directory = Directory()
        guest = Guest("web:a", "Alice") if known else None
        self.session = WebSession(guest, Tables(GAMES, self.directory, GRACE))
        self.tables: dict[str, list[Recorded]] = {}
        self.closed = False
        for number, command in enumerate(TABLES, 1):
            self.decide(f"match-{number}", command)
        self.acts(self.session.connected("epoch", (), None, NOW))

    def state(self, stream: str) -> tuple[int, Match] | None:
        records = self.tables.get(stream)
        return (records[-1].version, records[-1].state) if records else None

    def decide(self, stream: str, command: Any) -> None:
        """Record what a command leads to, and tell the session if it watches.

        Raises:
            Refused: a rule said no.
        """
        table = self.tables.setdefault(stream, [])
        state = table[-1].state if table else None
        records = []
        for version, event in enumerate(MATCHES.decide(state, command, self.now), len(table) + 1):
            state = MATCHES.evolve(state, event)
            records.append(Recorded(stream, version, event, state))
        table += records
        if records:
            self.directory.learn(stream, records, MATCHES.project)
        if self.session.watches(stream) and not all(
            isinstance(one.event, MovePlayed) for one in records
        ):
            self.acts(self.session.seats_changed(stream, table[-1].version, table[-1].state))

    def bob(self, what: int, stream: str) -> None:
        """What the other player does."""
        known = self.state(stream)
        position = known[1].position if known else None
        moves = list(itertools.islice(position.moves(), 5)) if position is not None else []
        play = PlayMove("web:b", moves[what % len(moves)] if moves else "0,0")
        wish: Any = (
            play,
            play,
            SetReady("web:b"),
            TakeSeat(BOB),
            Resign("web:b"),
            LeaveSeat("web:b"),
        )
        with contextlib.suppress(Refused):
            self.decide(stream, wish[what % len(wish)])

    def acts(self, wanted: Sequence[effects.Effect]) -> None:
        """Carry out what the session wants; nothing comes after `Close`."""
        for effect in wanted:
            assert not self.closed
            self.act(effect)

    def act(self, effect: effects.Effect) -> None:
        session = self.session
        match effect:
            case effects.Tell(message):
                data = msgspec.json.encode(message)
                assert len(data) <= MESSAGE_MOST
                assert msgspec.json.decode(data, type=Told) == message
            case effects.Ask(id_, stream, command):
                try:
                    self.decide(stream, command)
                except Refused as no:
                    self.acts(session.refused(id_, stream, no))
                else:
                    self.acts(session.accepted(id_, stream))
            case effects.WatchMatch(id_, stream):
                known = self.state(stream)
                if known is None:
                    missing = Declined(Refusal.UNKNOWN_STREAM, "there is none")
                    self.acts(session.not_opened(id_, stream, missing))
                else:
                    self.acts(session.opened(stream, *known))
            case effects.Knock(request):
                self.acts(session.knocked(request, Declined(No.PASSWORD, "no"), self.now))
            case (
                effects.OfferRematch(id_, stream)
                | effects.EndRematch(id_, stream)
                | effects.Find(id_, stream)
            ):
                self.acts(session.accepted(id_, None))
            case effects.Close():
                self.closed = True
            case _:
                pass


def check_browser_session(data: bytes) -> None:
    """Each message has an effect until the end, and all that is told can be read."""
    script = Script(data)
    pane = Pane(known=script.below(8) != 7)
    for _ in range(STEPS_MOST):
        if not script or pane.closed:
            break
        match script.below(6):
            case 0:
                _said(pane, script.piece())
            case 1 | 2:
                _said(pane, WORDS[script.below(len(WORDS))])
            case 3:
                for _ in range(script.number()):
                    _said(pane, WORDS[-5])
            case 4:
                pane.bob(script.number(), f"match-{script.below(4)}")
            case _:
                pane.now += 40 * script.number()
    if pane.closed or script.below(2):
        pane.acts(() if pane.closed else pane.session.closing())
        assert not pane.session.received(WORDS[0], pane.now)


def _said(pane: Pane, message: bytes) -> None:
    if not pane.closed:
        wanted = pane.session.received(message, pane.now)
        assert wanted
        pane.acts(wanted)
