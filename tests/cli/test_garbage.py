"""What ended connections leave is found and given back, though it is looked for seldom."""

import asyncio
import gc
import subprocess
import sys
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


BLOCKS = """
import ctypes
from parlour.cli._garbage import give_large_blocks_back

if {given_back}:
    give_large_blocks_back()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
libc.free(libc.malloc(1 << 18))
block = libc.malloc(1 << 18)
(heap,) = [line.split()[0] for line in open("/proc/self/maps") if line.endswith("[heap]\\n")]
begin, end = (int(one, 16) for one in heap.split("-"))
print(begin <= block < end)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of the GNU C library")
@pytest.mark.parametrize("given_back", [True, False])
def test_a_large_block_is_no_part_of_the_heap_where_others_were_freed(given_back: bool) -> None:
    program = BLOCKS.format(given_back=given_back)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.strip() == str(not given_back)
