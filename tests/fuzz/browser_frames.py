"""The frames of a WebSocket: whatever a browser sends, what comes back is whole frames."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from parlour.buses import MemoryBus
from parlour.gateways import Desk
from parlour.gateways.web._frames import FRAMES, FrameProtocol, text_frame
from parlour.host import Chat, Host, Pairer
from parlour.lobby import Lobby
from parlour.stores import MemoryStore
from tests.fuzz.pieces import cut
from tests.gateways.mug.test_mug_anything import Listener
from tests.gateways.wire import Wire
from tests.host.wall import Wall, turns

GREETING = (
    b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
SAID_MOST = 1 << 20


class BrowserWire(Wire):
    """A socket to which uvicorn writes even when it is closed, as an event loop allows."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.ended or not self.closed:
            super().write(data)


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Say again what was said, as the gateway does: past uvicorn."""
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] != "websocket.disconnect":
        said = message.get("text") or message.get("bytes") or ""
        data = said.encode() if isinstance(said, str) else said
        scope["extensions"][FRAMES].write_frame(text_frame(data.hex().encode()))


def check_frames(data: bytes) -> None:
    """Nothing raises, nothing is logged as a mistake, and every frame that comes back is whole."""
    loop = asyncio.new_event_loop()
    mistakes: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: mistakes.append(context))
    Wall(loop)
    listener = Listener()
    logging.getLogger().addHandler(listener)
    try:
        wire = loop.run_until_complete(_talk(data))
    finally:
        logging.getLogger().removeHandler(listener)
        loop.close()
    assert mistakes == []
    assert listener.heard == []
    head, _, said = wire.data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101")
    assert len(said) <= SAID_MOST
    for number, frame in enumerate(frames := list(_frames(said))):
        assert frame.opcode in (Opcode.TEXT, Opcode.PING, Opcode.PONG, Opcode.CLOSE)
        assert frame.opcode is not Opcode.CLOSE or number == len(frames) - 1


async def _talk(data: bytes) -> Wire:
    loop = asyncio.get_running_loop()
    host = Host(MemoryStore(), MemoryBus(), [], lambda: 1_000_000, lambda: "1")
    config = uvicorn.Config(
        echo, ws_max_size=1 << 14, ws_per_message_deflate=False, log_config=None, lifespan="off"
    )
    config.load()
    desk = Desk(host, Pairer(host, Lobby()), Chat())
    state = ServerState()
    protocol = FrameProtocol(config=config, server_state=state, app_state={}, _loop=loop, desk=desk)
    wire = BrowserWire()
    wire.set_protocol(protocol)
    protocol.connection_made(wire)
    protocol.data_received(GREETING)
    await turns(5)
    for piece in cut(data):
        if not wire.closed:
            protocol.data_received(piece)
            await turns(2)
    await turns()
    wire.close()
    await turns(5)
    for task in state.tasks:
        task.cancel()
    await asyncio.gather(*state.tasks, return_exceptions=True)
    await host.close()
    return wire


def _frames(said: bytes) -> Iterator[Frame]:
    """What a browser reads, which no server masks."""
    reader = StreamReader()
    reader.feed_data(said)
    reader.feed_eof()
    while reader.buffer != b"":
        parser = Frame.parse(reader.read_exact, mask=False)
        try:
            next(parser)
        except StopIteration as done:
            yield done.value
        except EOFError as error:
            raise ProtocolError("half a frame") from error
