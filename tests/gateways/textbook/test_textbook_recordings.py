"""Recordings of real clients: their bytes go in, ours are compared with the book server's."""

import asyncio
from pathlib import Path

import pytest

from tests.gateways.textbook.peers import SOON, Peer, table
from tests.recordings import tictactoe_ints, tictactoe_recordings

# The recorded server spoke as we do, to the byte: no difference needs explaining. (It announced
# its results and then kept the sockets open for ever; we close them.)


@pytest.mark.parametrize("recording", tictactoe_recordings(), ids=lambda path: path.stem)
async def test_the_book_servers_bytes_are_ours(recording: Path) -> None:
    async with table() as room:
        peers: dict[str, Peer] = {}
        for sent in tictactoe_ints(recording):
            if sent.client not in peers:
                peers[sent.client] = await room.peer()
            peer = peers[sent.client]
            if sent.direction == "from client":
                peer.write(sent.data)
            else:
                came = await asyncio.wait_for(peer.reader.readexactly(len(sent.data)), SOON)
                assert came == sent.data
        assert len(peers) == 2
        for peer in peers.values():
            assert await peer.rest() == ()
