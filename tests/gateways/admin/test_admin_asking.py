"""Whoever asks may be gone before the answer; whoever waits hears it."""

import asyncio
from itertools import count
from typing import Any

import pytest

from parlour.buses import MemoryBus
from parlour.games import Refusal, Refused
from parlour.gateways.admin import STREAM, OperatorAggregate
from parlour.gateways.admin._acts import Announced
from parlour.gateways.admin._asking import ask
from parlour.host import Host
from tests.host.stores import FailingStore, HeldStore

ACT = Announced(1, text="tea at five")


def hosting(store: HeldStore | FailingStore) -> Host:
    names = map(str, count(1))
    return Host(store, MemoryBus(), [OperatorAggregate()], lambda: 1, lambda: next(names))


async def test_what_is_asked_is_in_the_log_when_it_is_answered() -> None:
    host = hosting(FailingStore())
    await ask(host, STREAM, ACT)
    assert [record.event for record in await host.history(STREAM)] == [ACT]
    await host.close()


async def test_what_cannot_be_recorded_is_refused() -> None:
    store = FailingStore()
    host = hosting(store)
    store.failing = True
    with pytest.raises(Refused) as said:
        await ask(host, STREAM, ACT)
    assert said.value.refusal is Refusal.UNAVAILABLE
    await host.close()


async def test_an_answer_to_somebody_who_has_gone_harms_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = HeldStore()
    host = hosting(store)
    store.held = True
    asking: asyncio.Task[Any] = asyncio.create_task(ask(host, STREAM, ACT))
    while not store.waiting:
        await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])

    store.release()

    assert [record.event for record in await host.history(STREAM)] == [ACT]
    assert caplog.records == []
    await host.close()
