"""The service stops in time and without a word of error, whatever somebody still waits for."""

import asyncio
import contextlib
import logging
import time
from pathlib import Path

import pytest

from parlour.stores import SqliteStore
from tests.durability.test_held_commit import held
from tests.gateways.web.browsers import SOON, House, house
from tests.gateways.web.deaf import deaf, only_connection
from tests.gateways.web.test_web_half_closed import table
from tests.service import connected

WITHIN = 2.0  # seconds: what the service gives its doors
LONG = b"GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
SCRIPT = b"GET /main.js HTTP/1.1\r\nHost: a\r\n\r\n"

pytestmark = pytest.mark.slow


async def stopped(doors: House) -> float:
    """The seconds that the door takes to close; nothing that it did goes on."""
    server = doors.gateway._server._server
    assert server is not None
    assert server.server_state.tasks
    begin = time.monotonic()
    await doors.gateway.close()
    took = time.monotonic() - begin
    assert not server.server_state.tasks
    assert not server.server_state.connections
    return took


@pytest.mark.parametrize("said", [LONG, SCRIPT])
async def test_who_reads_nothing_does_not_keep_the_service(
    said: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "index.html").touch()
    (tmp_path / "main.js").write_text("export {};\n" * 100_000)
    async with house(client=tmp_path) as doors, deaf(doors, said * 200):
        took = await stopped(doors)

    assert took < WITHIN
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_what_waits_for_the_disk_does_not_keep_the_service(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(store=SqliteStore(tmp_path / "log.sqlite3")) as doors:
        async with doors.guest() as alice:
            asked = table(alice)
        with held(tmp_path):
            async with connected(doors.port) as (reader, writer):
                writer.write(asked)
                connection = await only_connection(doors)
                async with asyncio.timeout(SOON):
                    while not connection.tasks:
                        await asyncio.sleep(0)

                took = await stopped(doors)

                with contextlib.suppress(ConnectionError):
                    assert await reader.read() == b""

    assert took < WITHIN
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
