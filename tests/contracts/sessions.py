"""The sessions that `test_sessions.py` holds to their laws, and a stage to play them on.

A new protocol of plain sockets is held to them by one more `Speaker` in `SPEAKERS`.
"""

import itertools
import struct
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

from parlour.cli import GAMES
from parlour.games import Refusal, Refused
from parlour.gateways import (
    Close,
    Effect,
    Effects,
    Find,
    Follow,
    Listen,
    Note,
    Open,
    Say,
    Session,
    StopFinding,
    Submit,
    Unfollow,
    Wake,
    Write,
)
from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.gateways.ruc import RucGateway, RucOptions
from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from parlour.host import ChatLine, Directory, Recorded
from parlour.lobby import Seek
from parlour.match import (
    CreateMatch,
    Match,
    MatchAggregate,
    Newcomer,
    PlayMove,
    SetReady,
    Status,
    TakeSeat,
    Terms,
)
from parlour.wire.ruc import Frame, Opcode, encode

NOW = 1_000_000
MATCHES = MatchAggregate(GAMES)
ADDRESS = "10.0.0.7"
PARTNER = Newcomer("web:b", "Bob", Terms(ready=True))


class Speaker(NamedTuple):
    """A protocol: its session, and what a client says that wants to play.

    `looks` leads to a table or to a search for one, `readies` to the start where that takes a
    word of the player. `words` are messages, good and bad, to make random talk of.
    """

    name: str
    session: Callable[[Directory], Session]
    looks: bytes
    readies: bytes
    words: tuple[bytes, ...]


def frame(op: Opcode, data1: str = "", data2: str = "") -> bytes:
    return encode(Frame(op, data1, data2))


JOIN = frame(Opcode.JOIN_ROOM, "garden", "alice")
READY = frame(Opcode.PLAYER_READY)
CELL = struct.Struct(">ii").pack

SPEAKERS: tuple[Speaker, ...] = (
    Speaker(
        "textbook",
        lambda _: TextbookGateway(TextbookOptions(), lambda: "key1").session(ADDRESS),
        b"",
        b"",
        (CELL(0, 0), CELL(1, 1), CELL(2, 2), CELL(-1, 3), b"\0\0\0", b"GET / HTTP/1.1\r\n"),
    ),
    Speaker(
        "nedap",
        lambda directory: NedapGateway(NedapOptions(), directory).session(ADDRESS),
        b"PLAYER alice\nGO 5\n",
        b"",
        (b"MOVE 1 1\n", b"MOVE 9 9\n", b"MOVE", b"PASS\n", b"TABLEFLIP\n", b"CHAT hi\r\n",
         b"EXIT\n", b"GO 5\n", b"GO 5 bob\n", b"GO alice 9\n", b"CANCEL\n", b"PLAYER a\n",
         b"A" * 9000),
    ),
    Speaker(
        "ruc",
        lambda directory: RucGateway(RucOptions(), directory).session(ADDRESS),
        JOIN,
        READY,
        (JOIN, READY, frame(Opcode.JOIN_ROOM, "A", "_"), frame(Opcode.LEAVE_ROOM),
         frame(Opcode.MOVE, "A", "-4 5 -4 4"), frame(Opcode.MOVE, "A", "1_0"), b"{}\n", b"[", b"\n",
         b'{"op": 1e999}\n', b"\xff\n"),
    ),
)  # fmt: skip


class Stage:
    """A session, a partner who plays over something else, and a service that answers at once."""

    def __init__(self, speaker: Speaker) -> None:
        self.now = NOW
        self.directory = Directory()
        self.session = speaker.session(self.directory)
        self.seek: Seek | None = None
        self.tables: dict[str, list[Recorded]] = {}
        self.followed = ""
        self.failing = False
        self.said: list[Effect] = []
        self._inputs: deque[tuple[Callable[..., Effects], tuple[Any, ...]]] = deque()
        self.hears(self.session.connected)

    @property
    def match(self) -> Match | None:
        """The newest table."""
        records = next(reversed(self.tables.values()), [])
        state: Match | None = records[-1].state if records else None
        return state

    @property
    def closed(self) -> bool:
        return any(isinstance(effect, Close) for effect in self.said)

    def hears(self, hear: Callable[..., Effects], *what: Any) -> None:
        """Give the session one input and carry out all that comes of it."""
        self._tell(hear, *what)
        self._go_on()

    def _go_on(self) -> None:
        while self._inputs:
            hear, what = self._inputs.popleft()
            if not self.closed or hear == self.session.lost:
                for effect in hear(*what, self.now):
                    self._do(effect)

    def received(self, data: bytes) -> None:
        """Bytes come; of those that come after a `Close` the session is not told."""
        self.hears(self.session.received, data)

    def partner_comes(self) -> None:
        """Somebody sits down with whoever looks or waits at a table."""
        match, seek = self.match, self.seek
        if seek is not None:
            self.seek = None
            stream = self._name()
            me = Newcomer(seek.identity, seek.name, seek.terms, seek.seat)
            self._decide(stream, CreateMatch(seek.game, seek.options, (me, PARTNER)))
            self._tell(self.session.paired, stream)
        elif match is not None and match.status is Status.OPEN:
            self.partner_does(TakeSeat(PARTNER))
            self.partner_does(SetReady(PARTNER.identity))
        self._go_on()

    def partner_moves(self, choice: int) -> None:
        """The partner plays one of the moves there are, when on turn."""
        match = self.match
        if match is not None and match.position is not None and match.turn is not None:
            moves = list(itertools.islice(match.position.moves(), choice + 1))
            self.partner_does(PlayMove(PARTNER.identity, moves[-1]))

    def partner_does(self, command: Any) -> None:
        """The partner asks for something at the newest table."""
        if self.tables:
            self._decide(next(reversed(self.tables)), command)
            self._go_on()

    def _tell(self, hear: Callable[..., Effects], *what: Any) -> None:
        self._inputs.append((hear, what))

    def _name(self) -> str:
        return f"match-{len(self.tables) + 1}"

    def _do(self, effect: Effect) -> None:
        session = self.session
        match effect:
            case Write() | Close():
                self.said.append(effect)
            case Find(seek):
                self.seek = seek
                self._tell(session.waiting)
            case StopFinding():
                self.seek = None
            case Open(command):
                stream = self._name()
                self.directory.reserve(command.room, stream)
                self._tell(session.opened_match, stream)
                self._decide(stream, command)
            case Submit(stream, command):
                self._decide(stream, command)
            case Follow(stream, after):
                self.followed = stream
                if records := self.tables[stream][after:]:
                    self._tell(session.followed, records)
            case Unfollow():
                self.followed = ""
            case Say(topic, identity, name, text):
                self._tell(session.heard, ChatLine(topic, identity, name, text, self.now))
            case Listen() | Wake() | Note():
                pass

    def _decide(self, stream: str, command: Any) -> None:
        """Record what a command leads to, and tell the session if it follows or was refused."""
        table = self.tables.setdefault(stream, [])
        state = table[-1].state if table else None
        try:
            if self.failing:
                raise Refused(Refusal.UNAVAILABLE, "no space left")
            events = MATCHES.decide(state, command, self.now)
        except Refused as no:
            if getattr(command, "by", "") != PARTNER.identity:
                self._tell(self.session.refused, command, no)
            return
        records = []
        for version, event in enumerate(events, len(table) + 1):
            state = MATCHES.evolve(state, event)
            records.append(Recorded(stream, version, event, state))
        table += records
        if records:
            self.directory.learn(stream, records, MATCHES.project)
        if records and self.followed == stream:
            self._tell(self.session.followed, records)


def strange(speaker: Speaker) -> Stage:
    """Connected, and nothing said yet."""
    return Stage(speaker)


def waiting(speaker: Speaker) -> Stage:
    """Looking for an opponent, or alone at a table."""
    stage = strange(speaker)
    stage.received(speaker.looks)
    assert stage.seek is not None or stage.match is not None
    return stage


def playing(speaker: Speaker) -> Stage:
    """In a game that has begun."""
    stage = waiting(speaker)
    stage.partner_comes()
    stage.received(speaker.readies)
    assert stage.match is not None
    assert stage.match.status is Status.LIVE
    assert stage.followed
    return stage


STATES: tuple[Callable[[Speaker], Stage], ...] = (strange, waiting, playing)
