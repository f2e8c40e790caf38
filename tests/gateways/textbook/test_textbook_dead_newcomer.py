"""Who was gone before being let in is nobody's opponent."""

import socket
import struct

import pytest

from tests.gateways.textbook.peers import table

RST = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.parametrize("reset", [True, False], ids=["reset", "closed"])
async def test_a_newcomer_is_not_paired_with_one_gone_before_it_was_let_in(reset: bool) -> None:
    async with table() as room:
        with socket.create_connection(("127.0.0.1", room.port)) as gone:
            if reset:
                gone.setsockopt(*RST)
        newcomer = await room.peer()
        assert await newcomer.ints(1) == (1,)
