"""Runs any pure session on a socket."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from parlour.games import Refused
from parlour.gateways._addresses import customer_of
from parlour.gateways._desk import Desk
from parlour.gateways._files import NoFileLeft
from parlour.gateways._pace import PACED_BITE, Pace
from parlour.gateways._peer import is_gone, keep_alive, peer_of
from parlour.gateways._session import (
    Close,
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
from parlour.gateways._unread import Unread
from parlour.host import LEFT, ChatLine, Follower, Listener
from parlour.match import GoAway, LeaveSeat, Resign

log = logging.getLogger("parlour.tcp")

UNREAD_HIGH = 1 << 16  # bytes left unread from which on a peer counts as one that does not read
# What is heard of a peer at once: some 500 short lines, a few milliseconds of everybody's time.
BITE = 4096
LAST_WORDS = (GoAway, LeaveSeat, Resign)  # the match must hear that a player has gone


class Connection(asyncio.Protocol):
    """Carries a session's effects out; the session never learns of sockets.

    `peer` and `address` are the other end with and without its port, `since` and `heard` the
    moments at which it came and last said something.
    """

    __slots__ = (
        "_admitted", "_backlog", "_busy", "_customer", "_desk", "_ended", "_follower",
        "_inputs", "_listener", "_now", "_pace", "_seeks", "_session", "_stopped", "_timer",
        "_transport", "_unread", "_unsent", "address", "heard", "make", "peer", "since",
    )  # fmt: skip

    def __init__(self, desk: Desk, make: Callable[[str], Session]) -> None:
        self._desk = desk
        self._now = desk.host.now
        self.make = make
        self.since = self.heard = self._now()
        self._session = Session()  # until it is let in
        self.peer = self.address = self._customer = ""
        self._admitted = False
        self._pace: Pace | None = None  # none for addresses that are exempt from limits
        self._seeks = ""
        self._transport: asyncio.Transport
        self._follower: Follower | None = None
        self._listener: Listener | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread = Unread(desk.limits.stalled, self._give_up)
        self._ended = False
        self._stopped = False
        self._busy = False
        self._backlog = bytearray()
        self._unsent: list[bytes] = []
        self._inputs: list[tuple[Callable[..., Effects], tuple[Any, ...]]] = []

    # What the event loop tells us

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports do all that asyncio.Transport says without being one.
        self._transport = stream = cast(asyncio.Transport, transport)
        try:
            self._arrive(stream)
        except Exception:  # the event loop would keep the socket, and the count of its address
            log.exception("a connection failed as it came; it is closed")
            self._end_at_once()

    def _arrive(self, stream: asyncio.Transport) -> None:
        secure = stream.get_extra_info("ssl_object") is not None
        no = self._refusal(stream, secure)
        if no is not None and not self._desk.gatekeeper.tells(self.address, self._now()):
            self._end_at_once()
            return
        stream.set_write_buffer_limits(high=UNREAD_HIGH)
        self._session = self.make(self.address)
        self._desk.let_in(self)
        if no is not None:
            self._stopped = True
            self._tell(self._session.turned_away, no.detail)
            if isinstance(no, NoFileLeft):
                stream.close()
            return
        sock = stream.get_extra_info("socket")
        # Nobody is to be paired with the dead; a handshake says that somebody is there.
        if sock is not None and not secure and is_gone(sock):
            self._end_at_once()
            return
        if sock is not None:
            keep_alive(sock)
        if not self._desk.gatekeeper.is_exempt(self.address):
            self._pace, self._customer = self._desk.pace, customer_of(self.address)
        self._tell(self._session.connected)

    def _refusal(self, stream: asyncio.Transport, secure: bool) -> Refused | None:
        """Why it does not get a place; a secure one got its own before the handshake."""
        self.address, self.peer = peer_of(stream.get_extra_info("peername"))
        try:
            if secure:  # a ban may have come since
                self._admitted = True
                self._desk.bans.check_address(self.address, self._now())
            else:
                self._desk.files.admit(stream.get_extra_info("socket"))
                self._desk.gatekeeper.admit(self.address, self._now())
                self._admitted = True
        except Refused as no:
            return no
        return None

    def _end_at_once(self) -> None:
        self._ended = self._stopped = True
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._ended:
            return
        self.heard = self._now()
        pace = self._pace
        if not self._backlog and (
            len(data) <= BITE if pace is None else pace.takes(self._customer, data)
        ):
            self._tell(self._session.received, data)
            return
        if not self._backlog:
            self._take_turn()
        self._backlog += data
        self._transport.pause_reading()

    def _bite(self) -> None:
        """Hear the next piece of much that came at once."""
        size = BITE if self._pace is None else PACED_BITE
        data = bytes(self._backlog[:size])
        del self._backlog[:size]
        if self._pace is not None:
            self._pace.charge(self._customer, data)
        if self._ended:
            self._backlog.clear()
            return
        self._tell(self._session.received, data)
        if not self._unread.stalls:
            self._hear_on()

    def _hear_on(self) -> None:
        if self._backlog:
            self._take_turn()
        elif not self._transport.is_closing():
            self._transport.resume_reading()

    def _take_turn(self) -> None:
        if self._pace is None:
            self._desk.turns.add(self._bite)
        else:
            self._pace.add(self._customer, self._bite)

    def eof_received(self) -> bool:
        """It says no more, so it has gone for everybody; what it was told it may read yet."""
        self._lose()
        self._finish(self._desk.limits.stalled)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._desk.forget(self)
        self._unread.gone()
        self._ended = True
        if self._admitted:
            self._desk.gatekeeper.left(self.address, self._session.logged_in, self._now())
        if self._pace is not None:
            self._pace.discard(self._customer, self._bite)
        if self._timer is not None:
            self._timer.cancel()
        self._lose()
        self._unfollow()
        self._listen(None)

    def _lose(self) -> None:
        """Tell the session once that its peer has gone."""
        if not self._stopped:
            self._stopped = True
            self._tell(self._session.lost)

    def pause_writing(self) -> None:
        """The peer does not read: hear no more of it, and drop it when that lasts."""
        self._transport.pause_reading()
        self._unread.piles_up()

    def resume_writing(self) -> None:
        if self._unread.stalls:
            self._unread.is_read()
            self._hear_on()

    def _give_up(self) -> None:
        if self._unread.stalls:
            self.drop("does not read")
        else:  # it was told that it ends
            self._transport.abort()

    def drop(self, why: str) -> None:
        """End it without a word."""
        log.info("%s dropped: %s", self.peer, why)
        self._transport.abort()

    def close(self) -> None:
        """The service stops: let the session say so, and end.

        That the connection goes then is no player's doing, so the match does not hear of it.
        """
        self._stopped = True
        if not self._ended:
            self._tell(self._session.closing)
            self._ended = True
        self.flush()
        self._unread.ends()
        self._transport.close()

    # What the operator asks and says

    @property
    def identity(self) -> str:
        """Who is there; empty before a login."""
        return self._session.identity

    def send_away(self, why: str) -> None:
        """End the connection, and say why where the protocol can."""
        if not self._ended:
            self._stopped = True  # what its loss leads to is told at once
            self._tell(self._session.sent_away, why)

    def announce(self, text: str) -> bool:
        """Say something; False where the protocol has no words for it, or no more."""
        if self._ended or type(self._session).announced is Session.announced:
            return False
        self._tell(self._session.announced, text)
        return True

    def _tell(self, hear: Callable[..., Effects], *what: Any) -> None:
        """Give the session one input, and what that leads to at once, and carry it all out.

        A mistake of ours costs this connection and nobody else anything.
        """
        if self._busy:  # an effect is being carried out: its answer comes after it
            self._inputs.append((hear, what))
            return
        self._busy = True
        try:
            self._hear(hear, what)
            while self._inputs:
                self._hear(*self._inputs.pop(0))
        except Exception:
            log.exception("a session failed; its connection is closed")
            self._ended = True
            self._transport.abort()
        finally:
            self._busy = False

    def _hear(self, hear: Callable[..., Effects], what: tuple[Any, ...]) -> None:
        """Nothing is said after the end; what concerns others is seen to all the same."""
        if not self._ended or hear == self._session.lost:
            self._run(hear(*what, self._now()))
        elif hear == self._session.paired:
            self._paired_too_late(*what)
        elif hear == self._not_done:
            self._insist(*what)

    # What the session wants

    def _run(self, effects: Effects) -> None:
        for effect in effects:
            if type(effect) is Write:
                if not self._unsent:
                    self._desk.flush_soon(self)
                self._unsent.append(effect.data)
            elif type(effect) is Submit:
                self._submit(effect)
            elif type(effect) is Close:
                self._finish(effect.linger / 1000)
            else:
                self._act(effect)

    def flush(self) -> None:
        """Write what has gathered, at once: some clients lose what comes in a second write."""
        out, transport = self._unsent, self._transport
        if not out or transport.is_closing():
            return
        transport.write(out[0] if len(out) == 1 else b"".join(out))
        out.clear()
        if self._unread.stalls:
            most = self._desk.limits.unread
            if transport.get_write_buffer_size() > most:
                self.drop(f"left {most} bytes unread")

    def _submit(self, effect: Submit) -> None:
        refuse = partial(self._tell, self._not_done, effect)
        self._desk.host.submit(effect.stream, effect.command, refuse)

    def _not_done(self, effect: Submit, no: Refused, now: int) -> Effects:
        return self._session.refused(effect.command, no, now)

    def _insist(self, effect: Submit, no: Refused) -> None:
        """Refused when nobody is left to ask again."""
        if isinstance(effect.command, LAST_WORDS):
            self._desk.host.insist(effect.stream, effect.command)

    def _act(self, effect: Any) -> None:
        desk, session, tell = self._desk, self._session, self._tell
        match effect:
            case Find(seek, waited):
                self._seeks = seek.identity
                refuse = partial(tell, session.refused, seek)
                paired, waits = partial(tell, session.paired), partial(tell, session.waiting)
                desk.pairer.seek(seek, paired, refuse, waits, waited)
            case StopFinding(identity):
                desk.pairer.cancel(identity)
            case Open(command):
                refuse = partial(tell, session.refused, command)
                stream = desk.host.create("match", command, refuse, command.room)
                tell(session.opened_match, stream)
            case Follow(stream, after):
                self._unfollow()
                told, lost = partial(tell, session.followed), partial(self.drop, "follows in vain")
                self._follower = desk.host.follow(stream, after, told, lost)
            case Unfollow():
                self._unfollow()
            case Listen(topic):
                self._listen(topic)
            case Say(topic, identity, name, text):
                readers = desk.chat.say(ChatLine(topic, identity, name, text, desk.host.now()))
                if self._pace is not None:
                    self._pace.pay(self._customer, readers)
            case Wake(at):
                self._wake(at)
            case Note(text):
                log.info("%s: %s", self.peer, text)

    def _unfollow(self) -> None:
        if self._follower is not None:
            self._follower.stop()
            self._follower = None

    def _listen(self, topic: str | None) -> None:
        if self._listener is not None:
            self._listener.stop()
            self._listener = None
        if topic is not None:
            self._listener = self._desk.chat.listen(topic, self._heard)

    def _heard(self, lines: Sequence[ChatLine]) -> None:
        for line in lines:
            self._tell(self._session.heard, line)

    def _wake(self, at: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
        delay = max(at - self._desk.host.now(), 0) / 1000
        self._timer = asyncio.get_running_loop().call_later(delay, self._tell, self._session.woken)

    def _finish(self, linger: float) -> None:
        """Half-close, so that the peer reads the end; close in `linger` s, so that nothing leaks.

        TLS has no half-close: its goodbye goes out behind what was written, and is answered.
        """
        if self._ended:
            return
        self._ended = True
        self.flush()
        self._unread.ends(linger)
        with contextlib.suppress(OSError):  # the peer may be gone and we not told yet
            if not self._transport.can_write_eof():
                self._transport.close()
            elif not self._transport.is_closing():
                self._transport.write_eof()

    def _paired_too_late(self, stream: str) -> None:
        """Found in the moment of leaving: the opponent is asked to wait for somebody else."""
        self._desk.host.insist(stream, GoAway(self._seeks, LEFT))
