"""When memory is looked for and given back: at times, and in sizes, of our choosing."""

import asyncio
import ctypes
import gc
import sys
import time

# Events and states are values, which make no cycles; connections that have ended do. Every move
# allocates dozens of values, and Python's own thresholds would walk all live matches for them.
YOUNG_AFTER = 50_000  # allocations, about a second of a busy server
PAUSE = 60.0  # seconds between two searches through everything
SHARE = 200  # at most one part of the time goes into it, when there is very much in memory

M_MMAP_THRESHOLD = -3  # of the GNU C library's malloc.h
LARGE = 1 << 17  # bytes, that library's own threshold until the first such block is freed


def collect_seldom() -> None:
    """Search through what is new now and then, and through everything only when asked."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_AFTER, 20, 1_000_000)


async def collect_in_pauses() -> None:
    """Search through everything once a minute, until cancelled.

    What ended connections leave would otherwise be kept until as much again has gathered.
    """
    took = 0.0
    while True:
        await asyncio.sleep(max(PAUSE, took * SHARE))
        begun = time.monotonic()
        gc.collect()
        took = time.monotonic() - begun


def give_large_blocks_back() -> None:
    """Let the system have large blocks as soon as they are freed; elsewhere than on Linux nothing.

    Each TLS connection has a buffer of 256 KiB. Once the C library has seen such a block freed it
    takes the next ones from its heap, in whose gaps they stay: memory then follows the largest
    number of connections that ever was.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none, and needs none
        if mallopt is not None:
            mallopt(M_MMAP_THRESHOLD, LARGE)
