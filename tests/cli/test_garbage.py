"""What ended connections leave is found, though the interpreter itself is told to look seldom."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from parlour.cli import _garbage


class Cycle:
    """Something that only the search for cycles can find."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def thresholds() -> Iterator[None]:
    """As they are in the tests, afterwards."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("thresholds")
async def test_old_cycles_are_found_in_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_garbage, "PAUSE", 0.01)
    _garbage.collect_seldom()
    kept = Cycle()
    gone = asyncio.Event()
    weakref.finalize(kept, gone.set)
    gc.collect(1)  # it is among the old ones now
    del kept
    collecting = asyncio.create_task(_garbage.collect_in_pauses())
    async with asyncio.timeout(20):
        await gone.wait()
    collecting.cancel()
