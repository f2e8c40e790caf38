"""Requests that a proxy before us might read otherwise get one answer, and the connection ends."""

import pytest

from tests.gateways.web.browsers import house
from tests.gateways.web.test_web_idle import ended
from tests.service import connected

NEXT = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
TWO_LENGTHS = (
    b"POST /api/matches HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
)


@pytest.mark.parametrize(
    "doubtful", [TWO_LENGTHS, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], ids=["two lengths", "HTTP/2"]
)
async def test_nothing_is_heard_behind_a_doubtful_request(doubtful: bytes) -> None:
    """RFC 9112, 6.1: the server must close the connection after responding to such a request."""
    async with house() as doors, connected(doors.port) as (reader, writer):
        writer.write(doubtful + NEXT)
        heard = await ended(reader)

    assert heard.count(b"HTTP/1.1 ") == 1
    assert heard.lower().count(b"\r\nconnection: close\r\n") == 1
