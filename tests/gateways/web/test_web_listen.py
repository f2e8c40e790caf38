"""The door is open when `start` returns, or `start` says why it is not."""

import socket

import pytest

from parlour.cli import GAMES
from parlour.gateways.web import Metrics, WebGateway, WebOptions
from tests.gateways.web.browsers import SECRET, Alone
from tests.service import running


async def test_an_address_where_another_has_begun_to_listen_is_no_open_door() -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        async with running() as service:
            gateway = WebGateway(
                WebOptions(), service.desk, GAMES, SECRET, service.new_id, Metrics(), Alone()
            )
            await gateway.listen(*other.getsockname())
            other.listen()

            with pytest.raises(OSError, match="in use"):
                await gateway.start()
            await gateway.close()
