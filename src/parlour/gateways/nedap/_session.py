"""One Go client: logs in, looks for a game, plays, and may look for the next one.

GoProtocol (Nedap University, 2016-2018). The server is the truth: what a client hears of the
game are the facts of the match, its own moves included, and nothing else.
"""

from collections.abc import Sequence
from typing import Any, assert_never

from msgspec.structs import replace

from parlour.games import Refusal, Refused
from parlour.gateways import (
    NOTHING,
    Allowance,
    Close,
    Effect,
    Effects,
    Find,
    Follow,
    Listen,
    Note,
    Say,
    Session,
    StopFinding,
    Submit,
    Unfollow,
    Wake,
    Write,
    goodbye,
)
from parlour.gateways.nedap._names import Login, Names
from parlour.gateways.nedap._options import NedapOptions
from parlour.gateways.nedap._patience import Patience
from parlour.gateways.nedap._phase import Phase
from parlour.gateways.nedap._seek import seek_for
from parlour.gateways.nedap._table import Table
from parlour.gateways.nedap._teller import called_off
from parlour.host import RETRY_AFTER, ChatLine, Recorded
from parlour.lobby import Seek
from parlour.match import ComeBack, GoAway, LeaveSeat, MovePlayed, PlayMove, Resign, Status
from parlour.wire import Malformed, WireError
from parlour.wire.nedap import (
    Cancel,
    Chat,
    ClientMessage,
    Exit,
    Go,
    Heard,
    Move,
    OldGo,
    Pass,
    Player,
    ServerCodec,
    Tableflip,
    Unknown,
    Waiting,
    Warning,
    encode,
)

WAITING_ROOM = "nedap"  # the topic of those who are not in a game
ASKED_MOST = 8  # moves of one player on their way; the other's move must find room too
HELD_MOST = 100  # lines of one player behind a GO that the lobby has not answered
LAST = (Exit, WireError)  # nothing comes after it, so it is heard however many lines are not


class NedapSession(Session):
    """A connection's way from its name through any number of games."""

    def __init__(
        self,
        address: str,
        options: NedapOptions,
        names: Names,
        says: Allowance,
        patience: Patience,
    ) -> None:
        self._address = address
        self._options = options
        self._names = names
        self._says = says
        self._patience = patience
        self._codec = ServerCodec()
        self._phase = Phase.STRANGER
        self._login: Login | None = None
        self._seek: Seek | None = None
        self._table: Table | None = None
        self._held: list[Heard] | None = None  # what came after a GO before the lobby's answer

    # What comes in

    def turned_away(self, why: str, now: int) -> Effects:
        self._phase = Phase.GONE
        return (_warn(why), *super().turned_away(why, now))

    def announced(self, text: str, now: int) -> Effects:
        return (_warn(text),)

    def received(self, data: bytes, now: int) -> Effects:
        messages = self._codec.feed(data)
        if self._held is None or len(self._held) + len(messages) <= HELD_MOST:
            return self._hear(messages, now)
        if not any(isinstance(one, LAST) for one in self._held):
            self._held += [one for one in messages if isinstance(one, LAST)][:1]
        return (_warn("wait for the answer to GO"),)

    def _hear(self, messages: list[Heard], now: int) -> Effects:
        effects: list[Effect] = []
        for message in messages:
            if self._held is not None:
                self._held.append(message)
                continue
            if self._login is not None and self._login.superseded:
                effects += self._give_way()
            if self._phase is Phase.GONE:
                break
            if type(message) is Move and self._phase is Phase.PLAYING:
                effects += self._ask(PlayMove(self._identity, f"{message.x},{message.y}"))
            else:
                effects += self._said(message, now)
        return effects

    def followed(self, records: Sequence[Recorded], now: int) -> Effects:
        table = self._table
        if table is None:
            return NOTHING
        event = records[0].event
        if type(event) is MovePlayed and len(records) == 1 and self._phase is Phase.PLAYING:
            return (Write(table.moved(event)),)
        if self._login is not None and self._login.superseded:
            return self._give_way()
        if self._phase is Phase.PLAYING:
            return self._go_on(table, records)
        return self._read(table, records, now)

    def paired(self, stream: str, now: int) -> Effects:
        return (*self._sit_down(stream), *self._hear_on(now))

    def waiting(self, now: int) -> Effects:
        return self._hear_on(now)

    def refused(self, command: Any, no: Refused, now: int) -> Effects:
        match command:
            case PlayMove() | Resign():
                if self._table is not None:
                    self._table.asked -= 1
                return (_warn(no.detail),)
            case Seek() if self._phase in (Phase.WAITING, Phase.SEATED):
                again = ": try GO again" if no.refusal.passes else ""
                stood_up = (*self._stand_up(), _warn(f"{no.detail}{again}"))
                return (*stood_up, *self._hear_on(now))
            case ComeBack() if no.refusal.passes:
                return (Wake(now + RETRY_AFTER),)
            case ComeBack() if no.refusal is Refusal.TOO_OFTEN:  # and keeps the seat
                return (_warn(no.detail),)
            case ComeBack() if self._phase is Phase.SEATED:
                return (*self._stand_up(), _warn(f"{no.detail}: try GO again"))
            case _:
                return NOTHING

    def heard(self, line: ChatLine, now: int) -> Effects:
        name = line.name if self._table is None else self._table.speaker(line)
        return (Write(encode(Chat(f"{name}: {line.text}"))),)

    def woken(self, now: int) -> Effects:
        if self._table is not None:
            return (Submit(self._table.stream, ComeBack(self._identity)),)
        if self._phase is not Phase.WAITING:
            return NOTHING
        yields_at = self._yields_at()
        if yields_at is None:  # whoever waited longer has gone
            return NOTHING
        return self._look(now, waited=True) if yields_at <= now else (Wake(yields_at),)

    def lost(self, now: int) -> Effects:
        login = self._login
        if login is None or login.superseded:
            return NOTHING
        self._names.log_out(login)
        if self._table is not None:
            return (Submit(self._table.stream, GoAway(self._identity)),)
        return self._stop_looking()

    def closing(self, now: int) -> Effects:
        return (_warn(goodbye(self._phase is Phase.PLAYING and self._options.grace > 0)),)

    # What the client says

    def _said(self, message: Heard, now: int) -> Effects:
        if isinstance(message, WireError):
            return (Note(str(message)), *self._leave())
        if self._phase is Phase.STRANGER:
            return self._introduced(message, now)
        match message:
            case Player():
                return (_warn(f"you are {self._name()} already"),)
            case OldGo(name, size, opponent):
                if name != self._name():
                    return (_warn(f"you are {self._name()}, not {name}"),)
                return self._go(Go(size, opponent), now)
            case Go():
                return self._go(message, now)
            case Move(x, y):
                return self._ask(PlayMove(self._identity, f"{x},{y}"))
            case Pass():
                return self._ask(PlayMove(self._identity, "pass"))
            case Tableflip():
                return self._ask(Resign(self._identity))
            case Chat() if not self._says.admits(self._identity, now):
                return (_warn("say it more slowly"),)
            case Chat(text):
                return (Say(self._topic(), self._identity, self._name(), text),)
            case Cancel():
                return self._cancel()
            case Exit():
                return self._leave()
            case Malformed(detail):
                return (_warn(detail),)
            case Unknown(keyword):
                return (_warn(f"keyword {keyword} unknown"),)
            case _:
                assert_never(message)

    def _introduced(self, message: ClientMessage | Malformed, now: int) -> Effects:
        match message:
            case Player(name):
                return self._log_in(name, now)
            case OldGo(name, size, opponent):
                entered = self._log_in(name, now)
                return entered if self._login is None else (
                    *entered, *self._go(Go(size, opponent), now)
                )  # fmt: skip
            case Exit():
                return self._leave()
            case Malformed(detail):
                return (_warn(f"expected PLAYER name: {detail}"),)
            case _:
                return (_warn("expected PLAYER name"),)

    def _log_in(self, name: str, now: int) -> Effects:
        try:
            login = self._login = self._names.log_in(name, self._address, now)
        except Refused as no:
            return (_warn(no.detail),)
        self._identity, self.logged_in = login.identity, True
        if not login.stream:
            self._phase = Phase.IDLE
            return (Listen(WAITING_ROOM),)
        # Away and back: whoever still holds the seat through another connection hears of it.
        return (
            Submit(login.stream, GoAway(self._identity)),
            Submit(login.stream, ComeBack(self._identity)),
            *self._sit_down(login.stream),
        )

    def _go(self, go: Go, now: int) -> Effects:
        if self._phase is Phase.SEATED and self._login is not None and self._login.stream:
            return (Write(encode(Waiting())),)  # for the game that the player has come back to
        if self._phase is not Phase.IDLE:
            where = "are in a game" if self._phase is Phase.PLAYING else "wait"
            return (_warn(f"you {where} already"),)
        assert self._login is not None
        if go.opponent == self._login.name:
            return (_warn("nobody plays against themselves"),)
        self._seek = seek_for(go, self._login, self._options)
        self._phase = Phase.WAITING
        self._patience.begin(self._identity, now)
        return (Write(encode(Waiting())), *self._look(now))

    def _look(self, now: int, waited: bool = False) -> Effects:
        """Wait for the same size, and after a while for any if the operator wants that.

        EXIT or CANCEL in the same segment is for the game that this leads to, so nothing more
        is heard before the lobby has said whether there is one.
        """
        assert self._seek is not None
        self._held = self._held or []
        yields_at = self._yields_at()
        if yields_at is None:
            return (Find(self._seek),)
        if yields_at > now:
            return (Find(self._seek), Wake(yields_at))
        return (Find(replace(self._seek, flexible=True), waited),)

    def _hear_on(self, now: int) -> Effects:
        held, self._held = self._held or [], None
        return self._hear(held, now)

    def _yields_at(self) -> int | None:
        return self._patience.yields_at(self._identity) if self._options.pair == "any" else None

    def _ask(self, command: PlayMove | Resign) -> Effects:
        table = self._table
        if table is None or self._phase is not Phase.PLAYING:
            return (_warn("you are not in a game"),)
        if table.asked >= ASKED_MOST:
            return (_warn(f"wait for an answer: {ASKED_MOST} moves are on their way"),)
        table.asked += 1
        return (Submit(table.stream, command),)

    def _cancel(self) -> Effects:
        table = self._table
        if table is not None and table.match is not None and table.match.status is Status.OPEN:
            stopped = (Submit(table.stream, LeaveSeat(self._identity)), *self._stand_up())
        elif self._phase is Phase.WAITING:
            stopped = self._stop_looking()
        else:
            return (_warn("you do not wait for a game"),)
        return (*stopped, *self._leave()) if self._options.cancel == "close" else stopped

    def _stop_looking(self) -> tuple[Effect, ...]:
        if self._phase is not Phase.WAITING:
            return ()
        self._phase = Phase.IDLE
        self._patience.end(self._identity)
        return (StopFinding(self._identity),)

    def _leave(self) -> Effects:
        """End the connection, which loses the game where there is one, and free the name."""
        effects = list(self._stop_looking())
        if self._table is not None:
            playing = self._phase is Phase.PLAYING
            leave = Resign(self._identity) if playing else LeaveSeat(self._identity)
            effects.append(Submit(self._table.stream, leave))
        if self._login is not None:
            self._names.log_out(self._login)
        self._phase = Phase.GONE
        return (*effects, Close())

    def _give_way(self) -> Effects:
        """The same player has come back over a newer connection, which has the seat now."""
        if self._phase is Phase.GONE:
            return NOTHING
        self._phase = Phase.GONE
        return (_warn(f"{self._name()} has logged in again"), Unfollow(), Close())

    def _name(self) -> str:
        assert self._login is not None
        return self._login.name

    def _topic(self) -> str:
        if self._table is None or self._phase is not Phase.PLAYING:
            return WAITING_ROOM
        return self._table.stream

    # What happens at the table

    def _sit_down(self, stream: str) -> Effects:
        self._patience.end(self._identity)
        self._phase = Phase.SEATED
        self._table = Table(stream, self._identity, self._names, self._options.ready_form)
        return (Follow(stream),)

    def _stand_up(self) -> tuple[Effect, ...]:
        self._patience.end(self._identity)
        self._phase = Phase.IDLE
        self._table = None
        if self._login is not None:
            self._login.stream = ""
        return (Unfollow(), Listen(WAITING_ROOM))

    def _read(self, table: Table, records: Sequence[Recorded], now: int) -> Effects:
        """Say nothing of a game before it can be played.

        A client that hears READY plays at once, and would wait for ever for the answer to a
        move that a suspended game refuses.
        """
        match = table.read(records)
        if match.status is Status.ABORTED:
            return (*self._stand_up(), _warn(called_off(records[-1].event)))
        if table.teller is None:
            return NOTHING
        if match.status is Status.SUSPENDED:
            notice = table.notice(now)
            return (Write(notice),) if notice else NOTHING
        if match.status.finished:
            return (Write(table.story()), *self._stand_up())
        self._phase = Phase.PLAYING
        return (Write(table.story()), Listen(table.stream))

    def _go_on(self, table: Table, records: Sequence[Recorded]) -> Effects:
        """END is the last line of a write: a real client loses what follows it."""
        told = table.went_on(records)
        written: Effects = (Write(told),) if told else NOTHING
        if not records[-1].state.status.finished:
            return written
        effects = (*written, *self._stand_up())
        if table.kicked and self._options.kick == "connection":
            return (*effects, *self._leave())
        return effects


def _warn(text: str) -> Write:
    return Write(encode(Warning(text)))
