"""Somebody who asks over HTTP and reads no answer."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

from tests.gateways.web.browsers import SOON, House


async def only_connection(doors: House) -> Any:
    """The server's end of the one connection there is."""
    async with asyncio.timeout(SOON):
        while not (found := doors.connections()):
            await asyncio.sleep(0)
    (one,) = found
    return one


@contextlib.asynccontextmanager
async def deaf(doors: House, said: bytes) -> AsyncIterator[None]:
    """The only client, as soon as the server waits for it to read."""
    loop = asyncio.get_running_loop()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.setblocking(False)
        await loop.sock_connect(client, ("127.0.0.1", doors.port))
        await loop.sock_sendall(client, said)
        connection = await only_connection(doors)
        async with asyncio.timeout(SOON):
            while not connection.flow.write_paused:
                await asyncio.sleep(0)
        yield
