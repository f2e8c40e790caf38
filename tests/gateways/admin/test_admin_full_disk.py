"""What operators can do while the log cannot be written: send away, and keep out."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.buses import MemoryBus
from parlour.gateways import BanKind, Bans
from parlour.gateways.admin import NAME, STREAM, AdminGateway, Drain, Hands, OperatorAggregate
from parlour.gateways.admin._acts import Announced
from parlour.host import Host, nothing
from tests.host.stores import FailingStore, HeldStore
from tests.service import NOW

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets")
SOON = 10.0
HOUR = 3_600_000  # milliseconds
CROWD = 100  # more than may wait
MARK = "recorded last"
BAN = {"do": "ban", "kind": "address", "who": "10.0.0.7"}
UNBAN = BAN | {"do": "unban"}


async def asked(data: Path, **request: Any) -> dict[str, Any]:
    """The answer to one request."""
    reader, writer = await asyncio.open_unix_connection(str(data / NAME))
    writer.write(json.dumps(request).encode() + b"\n")
    answer: dict[str, Any] = json.loads(await asyncio.wait_for(reader.readline(), SOON))
    writer.close()
    await writer.wait_closed()
    return answer


class Office:
    """The operators' door of a host whose store fails when it is told to."""

    def __init__(self, data: Path, store: FailingStore | HeldStore) -> None:
        self.data = data
        self.bans = Bans()
        self.host = Host(store, MemoryBus(), [OperatorAggregate()], lambda: NOW, lambda: "1")
        hands = Hands(self.host, self.bans, [], None, Drain(nothing), lambda level, logger: None)
        self.gateway = AdminGateway(self.host, self.bans, hands, data)

    async def __aenter__(self) -> "Office":
        await self.host.recover(0)
        await self.gateway.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.close()
        await self.host.close()

    async def asked(self, **request: Any) -> dict[str, Any]:
        """The answer to one request."""
        return await asked(self.data, **request)

    def insist(self) -> None:
        """Have a mark recorded when that can be, after all that is insisted on by now."""
        self.host.insist(STREAM, Announced(NOW, text=MARK))

    async def recorded(self) -> list[str]:
        """What was recorded when the mark is: the reasons of bans, the kinds of other acts."""
        acts: list[dict[str, Any]] = []
        async with asyncio.timeout(SOON):
            while all(act.get("text") != MARK for act in acts):
                await asyncio.sleep(0.05)
                acts = (await self.asked(do="history"))["acts"]
        return [
            act["ban"]["reason"] if "ban" in act else act["type"]
            for act in acts
            if act.get("text") != MARK
        ]

    def reasons(self) -> list[str]:
        """Those of the bans in force."""
        return [ban.reason for ban in self.bans.all()]


async def test_a_ban_holds_at_once_and_is_recorded_when_it_can_be(tmp_path: Path) -> None:
    store = FailingStore()
    async with Office(tmp_path, store) as office:
        store.failing = True
        banned = await office.asked(**BAN)
        drained = await office.asked(do="drain")
        held = office.bans.of_address("10.0.0.7", NOW)
        before = await office.asked(do="history")

        store.failing = False
        other = await office.asked(do="ban", kind="name", who="eve")
        both = [ban.kind for ban in office.bans.all()]
        async with asyncio.timeout(SOON):
            while len((after := await office.asked(do="history"))["acts"]) < 2:
                await asyncio.sleep(0.05)

    assert (banned["ok"], banned["recorded"]) == (True, False)
    assert (drained["ok"], drained["refusal"]) == (False, "unavailable")
    assert held is not None
    assert before["acts"] == []
    assert other["ok"]
    assert "recorded" not in other
    assert both == [BanKind.ADDRESS, BanKind.NAME]
    assert {act["ban"]["who"] for act in after["acts"]} == {"10.0.0.7", "eve"}
    assert not office.gateway._unrecorded


async def test_a_newer_ban_that_waits_is_lifted_with_the_recorded_one(tmp_path: Path) -> None:
    store = FailingStore()
    async with Office(tmp_path, store) as office:
        await office.asked(**BAN, reason="old")
        store.failing = True
        await office.asked(**BAN, reason="longer")
        in_vain = await office.asked(**UNBAN)
        still = office.reasons()
        office.insist()

        store.failing = False
        lifted = await office.asked(**UNBAN)
        at_once = office.reasons()
        acts, later = await office.recorded(), office.reasons()

    assert (in_vain["ok"], in_vain["refusal"]) == (False, "unavailable")
    assert still == ["longer"]
    assert lifted["ok"]
    assert (at_once, later) == ([], [])
    assert acts == ["old", "Unbanned/1"]


async def test_a_ban_that_could_not_be_lifted_is_still_recorded(tmp_path: Path) -> None:
    store = FailingStore()
    async with Office(tmp_path, store) as office:
        await office.asked(**BAN, reason="old")
        store.failing = True
        await office.asked(**BAN, reason="longer")
        await office.asked(**UNBAN)
        office.insist()

        store.failing = False
        acts = await office.recorded()

    assert acts == ["old", "longer"]


async def test_a_ban_that_was_never_recorded_is_lifted_on_a_full_disk(tmp_path: Path) -> None:
    store = FailingStore()
    async with Office(tmp_path, store) as office:
        store.failing = True
        await office.asked(**BAN, reason="a slip")
        await office.asked(**BAN | {"who": "10.0.0.8"}, reason="meant")
        lifted = await office.asked(**UNBAN)
        again = await office.asked(**UNBAN)
        at_once = office.reasons()
        office.insist()

        store.failing = False
        acts = await office.recorded()

    assert lifted == {"ok": True}
    assert (again["ok"], again["refusal"]) == (False, "unknown-stream")
    assert at_once == ["meant"]
    assert acts == ["meant"]


async def test_the_newer_of_two_bans_that_wait_stays_in_force(tmp_path: Path) -> None:
    store = FailingStore()
    async with Office(tmp_path, store) as office:
        store.failing = True
        await office.asked(**BAN, reason="for ever")
        await office.asked(**BAN, reason="an hour", lasts=HOUR)
        at_once = office.reasons()
        office.insist()

        store.failing = False
        acts, later = await office.recorded(), office.reasons()

    assert (at_once, later) == (["an hour"], ["an hour"])
    assert acts == ["an hour"]


async def test_a_recorded_ban_is_not_replaced_by_an_older_one_that_waits(tmp_path: Path) -> None:
    store = FailingStore()
    async with Office(tmp_path, store) as office:
        store.failing = True
        await office.asked(**BAN, reason="for ever")
        office.insist()

        store.failing = False
        await office.asked(**BAN, reason="an hour", lasts=HOUR)
        at_once = office.reasons()
        acts, later = await office.recorded(), office.reasons()

    assert (at_once, later) == (["an hour"], ["an hour"])
    assert acts == ["an hour"]


async def test_a_ban_does_not_wait_behind_what_others_have_asked(tmp_path: Path) -> None:
    store = HeldStore()
    async with Office(tmp_path, store) as office:
        store.held = True
        for _ in range(CROWD):
            office.host.submit(STREAM, Announced(NOW, text="tea"))
        banned = await office.asked(**BAN, reason="a flood")
        announced = await office.asked(do="announce", text="tea at five")
        held = office.reasons()
        office.insist()

        store.release()
        acts = await office.recorded()

    assert (banned["ok"], banned["recorded"]) == (True, False)
    assert (announced["ok"], announced["refusal"]) == (False, "limit")
    assert held == ["a flood"]
    assert acts[-1] == "a flood"
