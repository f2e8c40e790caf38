"""How a connection begins: what fails there, and what a crowd that is turned away costs."""

import asyncio
import contextlib
import os
import socket

import pytest

from parlour.games import Refusal, Refused
from parlour.gateways import Limits, NoFileLeft, Session
from parlour.gateways.nedap import NedapGateway, NedapOptions
from tests.gateways.test_gatekeeper import SOON, connected, gone
from tests.gateways.web.browsers import house
from tests.host.wall import turns
from tests.service import Service, running


def no_session(address: str) -> Session:
    """A mistake of ours, at the first moment of a connection."""
    raise ZeroDivisionError


async def test_who_cannot_be_received_is_let_go(caplog: pytest.LogCaptureFixture) -> None:
    async with running(limits=Limits(exempt=(), proxies=())) as service:
        port = await service.listen(no_session)
        for _ in range(3):
            async with connected(port) as (reader, _):
                assert await asyncio.wait_for(reader.read(), SOON) == b""
        await gone(service)

        assert not service.desk.gatekeeper.connections
    assert caplog.text.count("failed as it came") == 3


async def test_a_browser_that_cannot_be_received_is_let_go(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(limits=Limits(exempt=(), proxies=())) as doors:
        monkeypatch.setattr(doors.service.desk.files, "admit", no_session)
        async with connected(doors.port) as (reader, _):
            assert await asyncio.wait_for(reader.read(), SOON) == b""
        monkeypatch.undo()

        assert not doors.service.desk.gatekeeper.connections
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("protocol", ["nedap", "web"])
async def test_a_crowd_may_wait_longer_than_what_is_accepted_at_once(protocol: str) -> None:
    async with house() as doors:
        port = doors.port if protocol == "web" else await doors.service.listen(lambda _: Session())
        with contextlib.ExitStack() as crowd:
            for _ in range(200):  # while nothing is accepted: the loop does not go round
                crowd.enter_context(socket.create_connection(("127.0.0.1", port), SOON))


@pytest.mark.parametrize("protocol", ["nedap", "web"])
@pytest.mark.parametrize(
    "no", [NoFileLeft(), Refused(Refusal.UNAVAILABLE, "busy")], ids=["no file left", "busy"]
)
async def test_whose_file_is_needed_may_not_linger(
    monkeypatch: pytest.MonkeyPatch, no: Refused, protocol: str
) -> None:
    """Others may: what they send meanwhile would cost them the answer."""

    def refuses(sock: socket.socket | None) -> None:
        raise no

    async with house() as doors:
        service, port = doors.service, doors.port
        if protocol == "nedap":
            gateway = NedapGateway(NedapOptions(), service.host.directory)
            port = await service.listen(gateway.session)
        monkeypatch.setattr(service.desk.files, "admit", refuses)
        async with connected(port) as (reader, writer):
            assert no.detail.encode() in await asyncio.wait_for(reader.read(), SOON)
            sock = writer.get_extra_info("socket")
            os.write(sock.fileno(), b"?")
            await turns()
            reset = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    assert bool(reset) is isinstance(no, NoFileLeft)


async def answers(service: Service, port: int, count: int) -> int:
    """How many of those who come one after the other are told why they are turned away."""
    told = 0
    for _ in range(count):
        async with connected(port) as (reader, _):
            told += b"connections already" in await asyncio.wait_for(reader.read(), SOON)
    return told


@pytest.mark.parametrize("protocol", ["nedap", "web"])
async def test_of_a_flood_few_are_told_why_and_the_rest_are_dropped(protocol: str) -> None:
    async with house(limits=Limits(exempt=(), proxies=(), connections=1)) as doors:
        service, port = doors.service, doors.port
        if protocol == "nedap":
            gateway = NedapGateway(NedapOptions(), service.host.directory)
            port = await service.listen(gateway.session)
        async with connected(port):
            told = await answers(service, port, 40)

    assert 8 <= told < 20  # 8 at once, and one in each second that it takes


async def test_who_sends_nonsense_costs_one_line_a_second(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house() as doors:
        for _ in range(20):
            async with connected(doors.port) as (reader, writer):
                writer.write(b"\x16\x03\x01\r\n\r\n")
                assert b" 400 " in await asyncio.wait_for(reader.readline(), SOON)
    lines = [one for one in caplog.messages if "Invalid HTTP" in one]

    assert 1 <= len(lines) < 10
