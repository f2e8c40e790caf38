"""One table after the other tells what was said there."""

import asyncio

import pytest

from parlour.gateways.web._crier import Crier


async def test_a_table_that_fails_costs_no_other_table_a_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    crier = Crier()
    told: asyncio.Queue[str] = asyncio.Queue()

    def fails() -> int:
        raise RuntimeError("a mistake of ours")

    def tells() -> int:
        told.put_nowait("what was said")
        return 1

    crier.add(fails)
    crier.add(tells)

    async with asyncio.timeout(5):
        assert await told.get() == "what was said"
    (record,) = caplog.records
    assert record.message == "a table was not told what was said there"
    assert record.exc_info is not None
