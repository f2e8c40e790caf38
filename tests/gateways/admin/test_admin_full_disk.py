"""What operators can do while the log cannot be written: send away, and keep out."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.buses import MemoryBus
from parlour.gateways import BanKind, Bans
from parlour.gateways.admin import NAME, AdminGateway, Drain, Hands, OperatorAggregate
from parlour.host import Host, nothing
from tests.host.stores import FailingStore
from tests.service import NOW

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets")
SOON = 10.0
BAN = {"do": "ban", "kind": "address", "who": "10.0.0.7"}


async def asked(data: Path, **request: Any) -> dict[str, Any]:
    """The answer to one request."""
    reader, writer = await asyncio.open_unix_connection(str(data / NAME))
    writer.write(json.dumps(request).encode() + b"\n")
    answer: dict[str, Any] = json.loads(await asyncio.wait_for(reader.readline(), SOON))
    writer.close()
    await writer.wait_closed()
    return answer


async def test_a_ban_holds_at_once_and_is_recorded_when_it_can_be(tmp_path: Path) -> None:
    store, bans = FailingStore(), Bans()
    host = Host(store, MemoryBus(), [OperatorAggregate()], lambda: NOW, lambda: "1")
    await host.recover(0)
    hands = Hands(host, bans, [], None, Drain(nothing), lambda level, logger: None)
    gateway = AdminGateway(host, bans, hands, tmp_path)
    await gateway.start()
    try:
        store.failing = True
        banned = await asked(tmp_path, **BAN)
        drained = await asked(tmp_path, do="drain")
        held = bans.of_address("10.0.0.7", NOW)
        before = await asked(tmp_path, do="history")

        store.failing = False
        other = await asked(tmp_path, do="ban", kind="name", who="eve")
        both = [ban.kind for ban in bans.all()]
        async with asyncio.timeout(SOON):
            while len((after := await asked(tmp_path, do="history"))["acts"]) < 2:
                await asyncio.sleep(0.05)
    finally:
        await gateway.close()
        await host.close()

    assert (banned["ok"], banned["recorded"]) == (True, False)
    assert (drained["ok"], drained["refusal"]) == (False, "unavailable")
    assert held is not None
    assert before["acts"] == []
    assert other["ok"]
    assert "recorded" not in other
    assert both == [BanKind.ADDRESS, BanKind.NAME]
    assert {act["ban"]["who"] for act in after["acts"]} == {"10.0.0.7", "eve"}
    assert not gateway._unrecorded
