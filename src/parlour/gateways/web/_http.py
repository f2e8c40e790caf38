"""HTTP connections that cannot be kept open by saying nothing, or only half of something."""

import asyncio
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

import h11
from msgspec.json import encode
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol

from parlour.games import Refused
from parlour.gateways import Desk, NoFileLeft, Unread
from parlour.gateways.web._answers import STATUS
from parlour.gateways.web._bodies import Problem
from parlour.gateways.web._frames import UNREAD_HIGH
from parlour.gateways.web._place import Place

log = logging.getLogger("parlour.web")

REQUEST_WITHIN = 10.0  # seconds from the first moment to the last byte of a request
TURNED_AWAY = 0.5  # seconds in which who is turned away may read why
UNFINISHED = (h11.IDLE, h11.SEND_BODY)


class _Complaints(logging.LoggerAdapter[logging.Logger]):
    """uvicorn's log: what it says of peers' mistakes is said as often as `may` allows."""

    def __init__(self, logger: logging.Logger, may: Callable[[], bool]) -> None:
        super().__init__(logger)
        self.level = logger.level
        self._may = may

    def warning(self, msg: object, *arguments: object, **keywords: Any) -> None:
        if self._may():
            super().warning(msg, *arguments, **keywords)


class _Flow(FlowControl):
    """Reads on only for the rest of a request.

    uvicorn reads on whenever an application waits for anything: what comes behind a whole request
    can be heard only after its answer, and would gather in memory.
    """

    def __init__(self, transport: asyncio.Transport, conn: h11.Connection) -> None:
        super().__init__(transport)
        self._conn = conn

    def resume_reading(self) -> None:
        if self._conn.their_state in UNFINISHED:
            super().resume_reading()


class HttpProtocol(H11Protocol):
    """uvicorn's HTTP; it alone waits for a request, and for its body, as long as the peer likes."""

    def __init__(self, *arguments: Any, desk: Desk, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._desk = desk
        self._plain_logger = self.logger
        self.logger = cast(logging.Logger, _Complaints(self.logger, self._may_complain))
        self._place: Place
        self._app = cast(ASGIApp, self.app)
        self.app = cast(Any, self._serve)
        self._turned_away = self._found = False
        self._upgraded = self._half_closed = False
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: Unread

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = _Flow(transport, self.conn)
        self._unread = Unread(self._desk.limits.stalled, transport.abort)
        try:
            transport.set_write_buffer_limits(high=UNREAD_HIGH)
            self._place = Place(self._desk, transport)
            self._place.take()
        except Refused as no:
            self._turn_away(no)
        except Exception:  # the event loop would keep the socket
            log.exception("a connection failed as it came; it is closed")
            self._turned_away = True
            transport.abort()
        else:
            self._watch()

    def _may_complain(self) -> bool:
        """Whether the log may have one more line about what this peer sends."""
        address = self.client[0] if self.client else ""
        return self._desk.gatekeeper.may_say(address, self._desk.host.now())

    def data_received(self, data: bytes) -> None:
        if self._turned_away or self.transport.is_closing():
            return
        if self.conn.their_state is h11.MUST_CLOSE:  # behind a last request nothing is asked
            return
        super().data_received(data)
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """End the connection of who sends no HTTP, and say so where an answer is still due.

        uvicorn's answers always, also in the middle of an answer or behind it.
        """
        cycle, silent = self.cycle, False
        if cycle is not None and not cycle.response_complete:  # its request will never be whole
            cycle.disconnected = True
            cycle.message_event.set()
            silent = cycle.scope["method"] == "HEAD"
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and not silent:
            super().send_400_response(msg)
        else:
            self.transport.close()

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn's keeps nothing
        """Whether to stay: who says no more, as `nc -N` does, hears what was asked answered.

        TLS ends both ways at once, and half a request will never be whole.
        """
        secure = self.transport.get_extra_info("ssl_object") is not None
        self._half_closed = not secure and self._is_answering()
        if not self._half_closed:
            self._end()
        return self._half_closed

    def _is_answering(self) -> bool:
        """Whether a whole request has no whole answer yet."""
        if self._turned_away or self._is_unfinished() or self.transport.is_closing():
            return False
        return self.cycle is not None and not self.cycle.response_complete

    def _turn_away(self, no: Refused) -> None:
        """Answer whatever is asked before it is asked, and hear nothing."""
        self._turned_away = True
        if not self._desk.gatekeeper.tells(self._place.address, self._desk.host.now()):
            self.transport.abort()
            return
        body = encode(Problem(no.refusal, no.detail))
        status = HTTPStatus(STATUS.get(no.refusal, HTTPStatus.FORBIDDEN))
        head = (
            f"HTTP/1.1 {status} {status.phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        if isinstance(no, NoFileLeft):
            self.transport.close()
        else:
            self.transport.write_eof()
        self._unread.ends(TURNED_AWAY)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and note whether there is what it asks for."""

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._found |= message["status"] < HTTPStatus.BAD_REQUEST
            await send(message)

        await self._app(scope, receive, noted)

    def on_response_complete(self) -> None:
        self._unwatch()  # the next request has its own time
        super().on_response_complete()
        if not self._upgraded:
            self.flow.resume_reading()  # half of the next request may have waited for its turn
        self._watch()
        if self._half_closed and not self._is_answering():
            self.transport.close()
            self._watch()

    def timeout_keep_alive_handler(self) -> None:
        if not self.transport.is_closing():
            super().timeout_keep_alive_handler()
            self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        stalls = self._unread.stalls
        self._unread.gone()
        super().handle_websocket_upgrade(event)
        if stalls:  # the WebSocket hears from its transport only what comes after this
            cast(asyncio.Protocol, self.transport.get_protocol()).pause_writing()
        self._let_go()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.piles_up()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.is_read()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        self._unread.gone()
        if not self._turned_away:
            self._place.leave(self._found)
        super().connection_lost(exc)
        self._let_go()

    def _let_go(self) -> None:
        """Hold nothing that holds this: ended connections would gather until they are searched."""
        self.app = cast(Any, self._app)
        self.logger = self._plain_logger
        self.cycle = cast(Any, None)

    def shutdown(self) -> None:
        """The service stops: who has sent half a request will not be answered."""
        if self._is_unfinished():
            self.transport.abort()
        else:
            super().shutdown()

    def cut_off(self) -> None:
        """The service has stopped: what is not answered by now will not be."""
        if self.cycle is not None:
            self.cycle.disconnected = True
        self.transport.abort()

    def _is_unfinished(self) -> bool:
        return not self._upgraded and self.conn.their_state in UNFINISHED

    def _watch(self) -> None:
        """Wait for the rest of a request, or for who reads the end, so long and no longer."""
        if self.transport.is_closing() and not self._upgraded:
            self._end()
        elif not self._is_unfinished():
            self._unwatch()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_WITHIN, self.transport.abort)

    def _end(self) -> None:
        self._unwatch()
        self._unread.ends()

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
