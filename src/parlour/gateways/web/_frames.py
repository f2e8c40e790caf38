"""A WebSocket that takes ready-made frames: a message to a thousand is framed once."""

import asyncio
import logging
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

log = logging.getLogger("parlour.web")

UNREAD_MOST = 4 << 20  # the whole state of the longest game, four times
UNREAD_HIGH = 1 << 16
STALLED_FOR = 10.0  # seconds that a browser may leave more than UNREAD_HIGH unread
FRAMES = "parlour.frames"  # the ASGI extension under which an application finds this object


def text_frame(payload: bytes) -> bytes:
    """A whole unmasked text message (RFC 6455, 5.2), as servers send it."""
    length = len(payload)
    if length < 126:
        return bytes((0x81, length)) + payload
    if length < 1 << 16:
        return b"\x81\x7e" + length.to_bytes(2) + payload
    return b"\x81\x7f" + length.to_bytes(8) + payload


class FrameProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket; who does not read is dropped, not waited for."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=UNREAD_HIGH)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            extensions: Any = self.scope["extensions"]
            extensions[FRAMES] = self

    def write_frame(self, frame: bytes) -> None:
        """Send a frame, unless the connection is ending."""
        transport = self.transport
        if not self.handshake_complete or self.close_sent or transport.is_closing():
            return
        transport.write(frame)
        if transport.get_write_buffer_size() > UNREAD_MOST:
            self.drop(f"left {UNREAD_MOST} bytes unread")

    def drop(self, why: str) -> None:
        """End the connection at once."""
        log.info("%s dropped: %s", self.client, why)
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stall = self.loop.call_later(STALLED_FOR, self.drop, "does not read")

    def resume_writing(self) -> None:
        super().resume_writing()
        self._recovered()

    def connection_lost(self, exc: Exception | None) -> None:
        self._recovered()
        super().connection_lost(exc)

    def _recovered(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None
