"""The servers' sessions of the protocols of plain sockets, driven by a script.

A script tells in turn what the client says, what its partner does, what is refused and how much
time passes. Whatever it is, the client at the other end can read what it is told.
"""

from collections.abc import Callable
from typing import Any

from parlour.games import Refusal, Refused
from parlour.gateways import Close, Note, StopFinding, Wake, Write
from parlour.host import ChatLine
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    Resign,
    Restart,
    SetReady,
    Tick,
)
from parlour.wire import Malformed, WireError, nedap, ruc, textbook
from tests.contracts.sessions import PARTNER, SPEAKERS, Speaker, Stage
from tests.fuzz.pieces import Script, is_fit_to_show

STEPS_MOST = 60
NOTE_MOST = 600
NEWLINE = 10
# What a session says at most, in bytes: to one input, where a game told anew is the most there
# is, and for each byte of its peer, where an empty line may be answered with why it is none.
ONCE_MOST = 1 << 18
ANSWER_MOST = 200
ACTS: tuple[Any, ...] = (
    Resign(PARTNER.identity),
    LeaveSeat(PARTNER.identity),
    GoAway(PARTNER.identity),
    ComeBack(PARTNER.identity),
    SetReady(PARTNER.identity),
    Tick(),
    AbortMatch(AbortCause.OPERATOR),
    ForfeitSeat(0, ForfeitCause.OPERATOR),
    ForfeitSeat(1, ForfeitCause.OPERATOR),
)
REFUSALS = tuple(Refusal)
CHATS = ("hi", "a\nVALID black 1 1", "\ud800\0", "\u202e" * 10, "x" * 9000, "")


class Played(Stage):
    """A stage that counts what is said at once, and has seen what was noted and put off."""

    def __init__(self, speaker: Speaker) -> None:
        self.noted: list[str] = []
        self.wakes: int | None = None
        self.refuses: Refusal | None = None
        self.heard = 0
        super().__init__(speaker)

    def _do(self, effect: Any) -> None:
        if isinstance(effect, Note):
            self.noted.append(effect.text)
        elif isinstance(effect, Wake):
            self.wakes = effect.at
        super()._do(effect)

    def received(self, data: bytes) -> None:
        self.heard += len(data)
        super().received(data)

    def passes(self, milliseconds: int) -> None:
        """Time goes on; who asked to be woken is."""
        self.now += milliseconds
        if self.wakes is not None and self.wakes <= self.now:
            self.wakes = None
            self.hears(self.session.woken)

    def restarts(self) -> None:
        """Another life of the service has paused the match, and it may go on again."""
        self.partner_does(Restart(self.now + 1_000))

    def _decide(self, stream: str, command: Any) -> None:
        """Record what a command leads to, unless it is refused for a reason the script gives."""
        refusal, self.refuses = self.refuses, None
        if refusal is None or getattr(command, "by", "") == PARTNER.identity:
            super()._decide(stream, command)
        else:
            self.tables.setdefault(stream, [])
            self._tell(self.session.refused, command, Refused(refusal, "because of that"))


def check_session(speaker: Speaker, data: bytes) -> None:
    """Whatever happens in whatever order, nothing raises and the client understands it all."""
    script = Script(data)
    stage = Played(speaker)
    for _ in range(STEPS_MOST):
        if not script:
            break
        before, stage.heard = len(stage.said), 0
        _step(stage, speaker, script)
        once = sum(len(one.data) for one in stage.said[before:] if isinstance(one, Write))
        assert once <= ONCE_MOST + ANSWER_MOST * stage.heard
    closes = [number for number, one in enumerate(stage.said) if isinstance(one, Close)]
    assert closes in ([], [len(stage.said) - 1])
    if closes:
        assert list(stage.session.received(data, stage.now)) == []
    READERS[speaker.name](b"".join(one.data for one in stage.said if isinstance(one, Write)))
    assert all(is_fit_to_show(text, NOTE_MOST) for text in stage.noted)
    assert closes or not stage.noted  # what is worth a line in the log ends the connection
    last = list(stage.session.lost(stage.now))
    assert not any(isinstance(one, Write | Close) for one in last)
    assert stage.seek is None or any(isinstance(one, StopFinding) for one in last)


def _step(stage: Played, speaker: Speaker, script: Script) -> None:
    match script.below(14):
        case 0:
            stage.received(script.piece())
        case 1:
            stage.received(speaker.looks)
        case 2:
            stage.received(speaker.readies)
        case 3 | 4:
            stage.received(speaker.words[script.below(len(speaker.words))])
        case 5:
            byte, count = script.number(), script.number()
            stage.received(bytes((byte,)) * (count if byte == NEWLINE else 40 * count))
        case 6:
            stage.partner_comes()
        case 7 | 8:
            stage.partner_moves(script.below(40))
        case 9:
            stage.partner_does(ACTS[script.below(len(ACTS))])
        case 10:
            stage.passes(script.number() * script.number() * 10)
        case 11:
            stage.refuses = REFUSALS[script.below(len(REFUSALS))]
        case 12:
            text = CHATS[script.below(len(CHATS))]
            line = ChatLine("match-1", PARTNER.identity, PARTNER.name, text, stage.now)
            stage.hears(stage.session.heard, line)
        case _:
            stage.restarts()


def _read_textbook(said: bytes) -> None:
    heard = textbook.ClientCodec().feed(said)
    assert not any(isinstance(one, WireError) for one in heard)
    assert len(said) % 4 == 0


def _read_nedap(said: bytes) -> None:
    heard = nedap.ClientCodec().feed(said)
    wrong = [one for one in heard if isinstance(one, WireError | Malformed | nedap.Unknown)]
    assert not wrong
    assert said[-1:] in (b"", b"\n")


def _read_ruc(said: bytes) -> None:
    heard = ruc.Codec().feed(said)
    assert all(isinstance(one, ruc.Frame) for one in heard), heard
    assert said[-1:] in (b"", b"\n")
    for frame in heard:
        if isinstance(frame, ruc.Frame) and frame.op is ruc.Opcode.MOVE:
            assert frame.data2 == ruc.LOST or isinstance(ruc.parse_path(frame.data2), tuple)


READERS: dict[str, Callable[[bytes], None]] = {
    "textbook": _read_textbook,
    "nedap": _read_nedap,
    "ruc": _read_ruc,
}
BY_NAME = {speaker.name: speaker for speaker in SPEAKERS}


def check_textbook_session(data: bytes) -> None:
    """A textbook player at the server."""
    check_session(BY_NAME["textbook"], data)


def check_nedap_session(data: bytes) -> None:
    """A Go player at the server."""
    check_session(BY_NAME["nedap"], data)


def check_ruc_session(data: bytes) -> None:
    """A Chinese checkers player at the server."""
    check_session(BY_NAME["ruc"], data)
