"""A WebSocket that takes ready-made frames: a message to a thousand is framed once."""

import asyncio
import logging
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from parlour.gateways import Allowance, Desk, Unread, customer_of, peer_of
from parlour.gateways.web._place import Place

log = logging.getLogger("parlour.web")

UNREAD_HIGH = 1 << 16
BITE = 2048  # bytes that are heard at once: some 300 empty frames, a few milliseconds
RATE, BURST = 100, 400  # frames of any kind that one connection may send: a second, and at once
PIECES_MOST = 64  # fragments of one message
LINGER = 1.0  # seconds in which a sender of too much may read why it is sent away
REASON_MOST = 123  # bytes of the reason in a closing frame (RFC 6455, 5.5)
FRAMES = "parlour.frames"  # the ASGI extension under which an application finds this object


def text_frame(payload: bytes) -> bytes:
    """A whole unmasked text message (RFC 6455, 5.2), as servers send it."""
    length = len(payload)
    if length < 126:
        return bytes((0x81, length)) + payload
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2) + payload
    return b"\x81\x7f" + length.to_bytes(8) + payload


def is_text(data: bytes) -> bool:
    """Whether it is UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class FrameProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which nobody can keep busy.

    Who does not read is dropped, not waited for. Who sends a lot is heard a bite at a time, and who
    sends more frames than anybody needs is sent away: uvicorn counts only whole messages, and
    answers pings for as long as they come.
    """

    def __init__(self, *arguments: Any, desk: Desk, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._desk = desk
        self._turns = desk.turns
        self.place: Place
        self.accepted = False  # by the application: there is a WebSocket where one was asked for
        self._came = Allowance(RATE, BURST)
        self._backlog = b""
        self._sent_away = False
        self._customer = ""  # of nobody who is exempt
        self._unread = Unread(desk.limits.stalled, self._give_up)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=UNREAD_HIGH)
        self.place = Place(self._desk, transport)  # which the HTTP half has taken

    # What comes

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:  # the request that uvicorn's HTTP half hands over
            super().data_received(data)
            if not self.handshake_initiated:
                self.transport.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                self.transport.close()
                self._unread.ends()
            return
        self._backlog += data
        short = len(self._backlog) == len(data) <= BITE
        if short and self.handshake_complete and self._has_share():
            self._bite()
            return
        self.transport.pause_reading()
        self._hear_on()

    def _has_share(self) -> bool:
        """Whether others need not come first: hundreds of one address may speak in one instant."""
        return not self._customer or self._desk.shares.takes(self._customer)

    def _bite(self) -> None:
        """Hear the next piece of what came."""
        data, self._backlog = self._backlog[:BITE], self._backlog[BITE:]
        if data and not self.transport.is_closing():
            super().data_received(data)
        self._hear_on()

    def _hear_on(self) -> None:
        """Go on when the browser reads what it is told, and the last messages are dealt with."""
        if self.transport.is_closing() or not self.handshake_complete:
            return
        if self._sent_away or self._unread.stalls or self.read_paused:
            self.transport.pause_reading()  # which uvicorn may just have resumed
            return
        if self._backlog:
            self.transport.pause_reading()
            self._turns.add(self._bite)
        else:
            self.transport.resume_reading()

    async def receive(self) -> Any:
        message = await super().receive()
        self._hear_on()
        return message

    async def send(self, message: Any) -> None:
        if self.close_sent:  # we have said goodbye for a reason that the application cannot know
            return
        self.accepted |= message["type"] == "websocket.accept"
        await super().send(message)
        self._hear_on()

    def handle_ping(self) -> None:
        if self._is_fair():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._is_fair():
            super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        if self._is_fair():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if self._is_fair():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if not self._is_fair():
            return
        if len(self.frames) >= PIECES_MOST:
            self._send_away(CloseCode.POLICY_VIOLATION, "too many fragments")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not is_text(b"".join(self.frames)):
            self._send_away(CloseCode.INVALID_DATA, "not UTF-8")
        else:
            super().send_receive_event_to_app()

    def _is_fair(self) -> bool:
        """Whether the frame that came is one of no more than anybody needs."""
        if self.transport.is_closing() or self._sent_away:
            return False
        if self._came.admits("", int(self.loop.time() * 1000)):
            return True
        self._send_away(CloseCode.POLICY_VIOLATION, "too many frames")
        return False

    def _send_away(self, code: CloseCode, why: str) -> None:
        """Say why, hear no more, and end the connection when that could be read."""
        log.info("%s sent away: %s", self.client, why)
        self._sent_away = self.close_sent = True
        self._backlog, self.frames = b"", []
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": why})
        if not self.conn.eof_sent:  # otherwise the browser has said goodbye already
            self.conn.fail(code, why)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.pause_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(LINGER, self.transport.abort)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.close_sent:  # refused: uvicorn makes no scope, and asks no application
            self._unread.ends()
            return
        extensions: Any = self.scope["extensions"]
        extensions[FRAMES] = self
        if not self._desk.gatekeeper.is_exempt(self.address):
            self._customer = customer_of(self.address)

    def write_frame(self, frame: bytes) -> None:
        """Send a frame, unless the connection is ending."""
        transport = self.transport
        if not self.handshake_complete or self.close_sent or transport.is_closing():
            return
        transport.write(frame)
        most = self._desk.limits.unread_pages
        if transport.get_write_buffer_size() > most:
            self.drop(f"left {most} bytes unread")

    @property
    def peer(self) -> str:
        """The other end of the socket, as in `10.0.0.7:51234`."""
        return peer_of(self.transport.get_extra_info("peername"))[1]

    @property
    def address(self) -> str:
        """Where the browser is, as the request said; empty when nobody knows."""
        client = self.scope["client"]
        return str(client[0]) if client else ""

    def send_away(self, why: str) -> None:
        """End the connection with a reason."""
        if not self._sent_away and not self.transport.is_closing():
            reason = why.encode()[:REASON_MOST].decode(errors="ignore")
            self._send_away(CloseCode.POLICY_VIOLATION, reason)

    def drop(self, why: str) -> None:
        """End the connection at once."""
        log.info("%s dropped: %s", self.client, why)
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()
        self._unread.piles_up()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.is_read()
        self._hear_on()

    def _give_up(self) -> None:
        if self._unread.stalls:
            self.drop("does not read")
        else:  # it ends
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._lose()

    def eof_received(self) -> None:
        self._lose()

    def _lose(self) -> None:
        """The browser has gone; uvicorn tells the application so only when all is read."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.ABNORMAL_CLOSURE})
        self._unread.ends()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unread.gone()
        self.place.leave(self.accepted)
        super().connection_lost(exc)
        self.conn.parser.close()  # it holds the connection, and that holds it

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.scope["extensions"] = {}  # which hold this
        self._unread.ends()  # which is too little to be waited for by `pause_writing`
