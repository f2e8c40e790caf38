"""The least a Python server can do: a relay with no rules, no match and no log.

Its rate is what the server's is compared with, in the same run on the same machine. Connections
are paired in the order they come; a MOVE is parsed and its VALID written to both.
"""

import asyncio
import sys

import uvloop


class Relay(asyncio.Protocol):
    """One player. `waiting` has the connection that still needs an opponent."""

    __slots__ = ("_opponent", "_rest", "_transport", "_waiting")

    def __init__(self, waiting: "list[Relay]") -> None:
        self._waiting = waiting
        self._rest = b""
        self._opponent: Relay
        self._transport: asyncio.WriteTransport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]  # uvloop's does all that is asked
        if not self._waiting:
            self._waiting.append(self)
            return
        self._opponent = self._waiting.pop()
        self._opponent._opponent = self
        self._transport.write(b"READY white x 9\n")
        self._opponent._transport.write(b"READY black x 9\n")

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            keyword, _, arguments = line.partition(b" ")
            if keyword == b"MOVE":
                x, y = arguments.split(b" ")
                valid = b"VALID black %d %d\n" % (int(x), int(y))
                self._transport.write(valid)
                self._opponent._transport.write(valid)


async def serve() -> None:
    waiting: list[Relay] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Relay(waiting), "127.0.0.1", 0, backlog=4096)
    print(f"relay 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    sys.exit(uvloop.run(serve()))
