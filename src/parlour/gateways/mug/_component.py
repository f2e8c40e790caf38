"""Holds up one component stream to an XMPP server (XEP-0114) and moves whole stanzas over it.

slixmpp does the stream and the handshake. Stanzas go out as text on one path only: slixmpp's
`send` and `send_raw` side by side would reorder them. They come in on one path, too, and through
a parser of our own: slixmpp's gives the whole stream up for what one user wrote.
"""

import asyncio
import contextlib
import logging
import random
from functools import lru_cache
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Protocol
from xml.etree.ElementTree import Element

from msgspec import Struct
from slixmpp import JID, ComponentXMPP, InvalidJID
from slixmpp.stanza.stream_error import StreamError

from parlour.gateways import Allowance
from parlour.gateways.mug._malformed import answer_malformed
from parlour.wire.mug import Condition, Ended, Opened, StreamReader, bare, head_of

log = logging.getLogger("parlour.xmpp")

HANDSHAKE = 10.0  # seconds for connecting and being let in
FIRST_WAIT = 0.5  # seconds until the next try, doubled each time
LONGEST_WAIT = 60.0
STEADY = 30.0  # seconds a stream must have lived for the waits to start anew
GOODBYE = 1.0  # seconds for the server to answer the end of the stream
# A state for everybody in 5,000 rooms is 5 MB, and what grows with the square of a room is told bit
# by bit (LITTLE, MUCH and FULL of the gateway): more than this waits only for a dead server.
UNSENT_MOST = 1 << 25
# What makes no sense is answered as often as this; while more bytes are unsent, not at all: before
# lists have to wait, or whoever floods with it would keep them from everybody. The longest answer
# is as long again: an id and two addresses, six times as long where they are of apostrophes.
ANSWERED_A_SECOND, ANSWERED_AT_ONCE = 1, 20  # of one bare JID
ANSWERED_MOST = 1 << 15
KERNEL_MOST = 1 << 17  # bytes that the kernel may keep: it tells nobody how many these are

# Servers write the namespace of the component's stream, or leave that of their clients.
STANZAS = frozenset(
    f"{{{namespace}}}{kind}"
    for namespace in ("jabber:component:accept", "jabber:client")
    for kind in ("message", "presence", "iq")
)

PROLOG_LONGEST = 1_000  # bytes before the header of a stream
LAST_WORD = (
    "<stream:error><{} xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>"
)

# What an operator can do about the commonest stream errors (RFC 6120, section 4.9.3).
REASONS = {
    "not-authorized": "refuses the secret for {domain}",
    "conflict": "has another component connected as {domain}",
    "host-unknown": "is not set up for a component {domain}",
    "invalid-from": "was sent a stanza that does not come from {domain}",
}


class Account(Struct, frozen=True):
    """Where the XMPP server waits for the component, and as whom the component comes."""

    host: str
    port: int
    domain: str
    secret: str

    @property
    def address(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Service(Protocol):
    """What stands behind the component."""

    def connected(self) -> None:
        """The server takes stanzas, for the first time or again."""

    def disconnected(self) -> None:
        """The server is gone; what is sent now waits for it."""

    def drained(self) -> None:
        """The server has taken all that was sent."""

    def received(self, stanza: Element) -> None:
        """A message, presence or iq came; `from` and `to` are normalised."""

    def close(self) -> None:
        """Say goodbye: what is sent now is the last."""


class Component:
    """Connects, and connects again; its service hears and says stanzas."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._loop = asyncio.get_running_loop()
        self._stream = _Stream(self, account)
        self._service: Service
        self._task: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[str] = self._loop.create_future()
        self._up = asyncio.Event()
        self._expected = asyncio.Event()
        self._blocked = False
        self._garbled = False
        self._flushes = False
        self._unsent: list[bytes] = []
        self._unsent_size = 0
        self._answered = Allowance(ANSWERED_A_SECOND, ANSWERED_AT_ONCE)

    def start(self, service: Service) -> None:
        """Try to reach the server from now on."""
        self._service = service
        self._task = self._loop.create_task(self._stay_connected())

    def expect_server(self, account: Account) -> None:
        """The server is known to be there again, or elsewhere: go to it at once."""
        moved = account != self._account
        self._account = account
        self._expected.set()
        if moved and not self._ended.done():  # whoever has the old port is not our server
            self._stream.cancel_connection_attempt()
            self._stream.abort()
            self.ended("is elsewhere now")

    async def connected(self) -> None:
        """Wait until the server takes stanzas."""
        await self._up.wait()

    def send(self, stanzas: str) -> None:
        """Send whole stanzas after all that were sent before; they wait for a lost server."""
        data = stanzas.encode()
        self._unsent.append(data)
        self._unsent_size += len(data)
        if self._unsent_size > UNSENT_MOST:
            self._overflow()
        elif not self._flushes:
            self._flushes = True
            self._loop.call_soon(self._flush)

    def unsent(self) -> int:
        """How many bytes wait for the server to take what was sent before."""
        transport = self._stream.transport
        written = 0 if transport is None else transport.get_write_buffer_size()
        return self._unsent_size + written

    async def close(self) -> None:
        """Let the service say goodbye, send that, and end the stream."""
        if self._task is None:
            return
        self._service.close()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._flush()
        self._stream.cancel_connection_attempt()
        if self._up.is_set() and not self._ended.done():
            self._stream.disconnect(wait=GOODBYE)
            await asyncio.wait([self._ended], timeout=2 * GOODBYE)
        self._stream.end()

    # The way out

    def _flush(self) -> None:
        """Write what has gathered in one piece; each write of its own would cost a system call."""
        self._flushes = False
        if self._unsent and self._up.is_set() and not self._blocked:
            self._stream.send_raw(b"".join(self._unsent))
            self._unsent.clear()
            self._unsent_size = 0
            if not self._blocked:
                self._service.drained()

    def _overflow(self) -> None:
        """Forget what waits: the service says anew what still matters once the server is back."""
        if self._up.is_set():
            log.warning("%s leaves %d bytes unread", self._account.address, self._unsent_size)
            self._stream.abort()
        self._unsent.clear()
        self._unsent_size = 0

    def block(self, blocked: bool) -> None:
        """The server reads more slowly than we write, or has caught up."""
        self._blocked = blocked
        if self._unsent:
            self._flush()
        elif not blocked and self._up.is_set():
            self._service.drained()

    # The stream's fate

    async def _stay_connected(self) -> None:
        wait, said = FIRST_WAIT, ""
        while True:
            self._expected.clear()
            began = self._loop.time()
            reason = await self._connect_once()
            if self._loop.time() - began > STEADY:
                wait, said = FIRST_WAIT, ""
            elif self._garbled:  # what a server passes on must not keep everybody else away
                wait = FIRST_WAIT
            if reason != said:
                log.warning("%s %s; trying again", self._account.address, reason)
                said = reason
            # Many components that lost one server must not come back in the same instant.
            try:
                async with asyncio.timeout(wait * random.uniform(0.8, 1.2)):
                    await self._expected.wait()
                wait = FIRST_WAIT
            except TimeoutError:
                wait = min(2 * wait, LONGEST_WAIT)

    async def _connect_once(self) -> str:
        """Why the stream that was tried came to its end."""
        self._ended = self._loop.create_future()
        self._garbled = False
        self._stream.connect(self._account.host, self._account.port)
        patience = self._loop.call_later(HANDSHAKE, self._too_slow)
        try:
            return await self._ended
        finally:
            patience.cancel()

    def _too_slow(self) -> None:
        if not self._up.is_set():
            self.ended(f"does not let a component in within {HANDSHAKE:.0f} s")
            self._stream.cancel_connection_attempt()
            self._stream.abort()

    def begun(self) -> None:
        """The handshake was accepted."""
        log.info("%s is served through %s", self._account.domain, self._account.address)
        self._blocked = False
        self._up.set()
        self._flush()
        self._service.connected()

    def garbled(self) -> None:
        """The server sends what is no XML."""
        self._garbled = self._up.is_set()

    def ended(self, reason: str) -> None:
        """There is no stream, or no longer."""
        if not self._ended.done():
            self._ended.set_result(reason)
        if self._up.is_set():
            self._up.clear()
            self._service.disconnected()

    # The way in

    def received(self, stanza: Element, sound: bool) -> None:
        """Take a stanza; a mistake of ours costs only it, and not the stream."""
        try:
            self._hand_over(stanza, sound)
        except Exception:
            log.exception("a stanza of %s could not be dealt with", stanza.get("from"))

    def _hand_over(self, stanza: Element, sound: bool) -> None:
        """Hand a stanza with sound addresses and names to the service."""
        sender, to = stanza.get("from"), stanza.get("to", self._account.domain)
        if sender is None:
            return
        normal_sender, normal_to = normal(sender), normal(to)
        if normal_sender is None or normal_to is None:
            self._refuse(stanza, Condition.JID_MALFORMED)
            return
        if domain_of(normal_to) != self._account.domain:
            return  # an answer to it would come from a domain that is not ours
        if not sound:
            if not head_of(stanza).leaves:
                self._refuse(stanza, Condition.BAD_REQUEST)
                return
            del stanza[:]  # who leaves has left, whatever stands beside it
        stanza.set("from", normal_sender)
        stanza.set("to", normal_to)
        self._service.received(stanza)

    def _refuse(self, stanza: Element, condition: Condition) -> None:
        answer = answer_malformed(stanza, condition)
        if answer is None or self.unsent() > ANSWERED_MOST:
            return
        sender = stanza.get("from", "")
        if self._answered.admits(bare(normal(sender) or sender), int(self._loop.time() * 1000)):
            self.send(answer)


@lru_cache(maxsize=1024)
def normal(jid: str) -> str | None:
    """The JID prepared for comparison (RFC 6122), or None when it is none."""
    try:
        return str(JID(jid)) or None
    except InvalidJID:
        return None


def domain_of(jid: str) -> str:
    """The domain of a normalised JID."""
    return jid.partition("/")[0].rpartition("@")[2]


class _Stream(ComponentXMPP):
    """slixmpp's stream, of which only what is no stanza goes through slixmpp's handlers."""

    def __init__(self, owner: Component, account: Account) -> None:
        super().__init__(  # type: ignore[no-untyped-call]  # slixmpp gives it no types
            account.domain, account.secret, account.host, account.port
        )
        self._owner = owner
        self._stream_error = ""
        self.add_event_handler("session_start", lambda _: owner.begun())
        self.add_event_handler("connecting", self._connecting)
        self.add_event_handler("connection_failed", self._connection_failed)
        self.add_event_handler("stream_error", self._note_error)
        self.add_event_handler("disconnected", self._disconnected)

    def connection_made(self, transport: asyncio.BaseTransport, send_event: bool = True) -> None:
        socket = transport.get_extra_info("socket")
        socket.setsockopt(SOL_SOCKET, SO_SNDBUF, KERNEL_MOST)
        super().connection_made(transport, send_event)

    def pause_writing(self) -> None:
        self._owner.block(True)

    def resume_writing(self) -> None:
        self._owner.block(False)

    def end(self) -> None:
        """Stop for good; slixmpp's sending task would keep the stream alive."""
        self.abort()
        if self._run_out_filters is not None:
            self._run_out_filters.cancel()

    def init_parser(self) -> None:
        super().init_parser()
        self._reader = StreamReader()
        self._prolog = b""

    def data_received(self, data: bytes | str) -> None:
        """RFC 6120, section 11.1: no document type, since a few of its entities are gigabytes."""
        data = data.encode() if isinstance(data, str) else data
        if not self._reader.opened:
            self._prolog += data
            prolog = self._prolog.partition(b"<stream:stream")[0]
            if b"<!" in prolog or len(prolog) > PROLOG_LONGEST:
                self._give_up("began its stream with what no stream begins with", "restricted-xml")
                return
        for read in self._reader.feed(data):
            if isinstance(read, Opened):
                self.start_stream_handler(read.header)  # type: ignore[no-untyped-call]
            elif isinstance(read, Ended):
                self._no_more(read.fault)
            elif read.stanza.tag in STANZAS:
                self._owner.received(read.stanza, read.sound)
            elif read.sound:  # slixmpp's own: of stanzas it would make objects, at a price
                self._spawn_event(read.stanza)

    def _no_more(self, fault: str) -> None:
        if fault:
            self._owner.garbled()
            self._give_up(f"sent what is no XML ({fault})", "not-well-formed")
        else:
            self.disconnect_reason = "End of stream"
            self.abort()

    def _give_up(self, why: str, condition: str) -> None:
        self._stream_error = why
        self.send_raw(LAST_WORD.format(condition))
        self.abort()

    def _connecting(self, _: object) -> None:
        self._stream_error = ""

    def _connection_failed(self, error: object) -> None:
        self.cancel_connection_attempt()  # slixmpp would wait up to five minutes
        reason = getattr(error, "strerror", None) or error
        self._owner.ended(f"cannot be reached ({reason})")

    def _note_error(self, error: StreamError) -> None:
        condition, text = str(error["condition"]), str(error["text"])
        reason = REASONS.get(condition, "ended the stream with " + condition)
        self._stream_error = reason.format(domain=self.boundjid.domain)
        if text:
            self._stream_error += f" ({text})"
        self.abort()  # a server that says an error and keeps the connection would keep us waiting

    def _disconnected(self, reason: object) -> None:
        self._owner.ended(self._stream_error or f"closed the stream ({reason or 'no reason'})")
