"""When the interpreter looks for garbage cycles: at times of our choosing."""

import asyncio
import gc
import time

# Events and states are values, which make no cycles; connections that have ended do. Every move
# allocates dozens of values, and Python's own thresholds would walk all live matches for them.
YOUNG_AFTER = 50_000  # allocations, about a second of a busy server
PAUSE = 60.0  # seconds between two searches through everything
SHARE = 200  # at most one part of the time goes into it, when there is very much in memory


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
