"""Recordings of real clients: their lines go in, what we say is compared line by line.

START_TURN's time and the words of an ERROR are not compared: the time is of another day, and the
words of errors are everybody's own (RUC course network protocol, "错误处理").
"""

import itertools
import json

import pytest

from parlour.wire.ruc import LOST, Opcode, read_error
from tests.gateways.ruc.peers import House, Peer, Said, house
from tests.recordings import ruc_lines

# Where a recording ends for us, and the ruling because of which it goes on differently.
ENDS = {
    # A time-out ends both games; here there is no turn limit, and `test_ruc_play` has one.
    "team9_server_team9_clients.txt": f'"data2":"{LOST}"'.encode(),
    "team4_server_team9_clients.txt": f'"data2":"{LOST}"'.encode(),
    # That server takes an empty path for a pass. Ruled: INVALID_REQ, nothing is relayed.
    "team4_server_team4_client_and_bot.txt": b'"data2":"","op":200007',
}


def said(line: bytes) -> Said:
    """A recorded server line in our own terms: that server wrote error names, not numbers."""
    fields = json.loads(line)
    op, data1, data2 = Opcode(fields["op"]), fields["data1"], fields["data2"]
    if op is Opcode.ERROR:
        code = read_error(data1)
        assert code is not None
        return (op.name, str(code.value), "*")
    return (op.name, data1, "*" if op is Opcode.START_TURN else data2)


async def replay(home: House, name: str) -> int:
    """Play a recording and return how many of our lines were compared."""
    peers: dict[str, Peer] = {}
    compared = 0
    lines = itertools.takewhile(lambda one: ENDS[name] not in one.data, ruc_lines(name))
    for recorded in lines:
        if recorded.client not in peers:
            peers[recorded.client] = await home.peer()
        peer = peers[recorded.client]
        if recorded.direction == "from client":
            peer.write(recorded.data)
        else:
            await peer.hears(said(recorded.data))
            compared += 1
    return compared


@pytest.mark.parametrize("name", list(ENDS))
async def test_we_say_what_the_real_server_said(name: str) -> None:
    async with house(turn_limit=0) as home:
        compared = await replay(home, name)
    assert compared == sum(
        one.direction == "to client"
        for one in itertools.takewhile(lambda one: ENDS[name] not in one.data, ruc_lines(name))
    )
    assert compared > 20
