"""Records what an operator does to a log while no server runs."""

import asyncio
import os
import time
from pathlib import Path

from parlour.gateways.admin import STREAM, Act, OperatorAggregate, user
from parlour.host import StoreError, Write
from parlour.stores import SqliteStore


def record(path: Path, act: Act) -> None:
    """Add an act to those in the log at `path`, which nobody else may be writing to.

    Raises:
        StoreError: the medium failed.
    """
    asyncio.run(_record(path, OperatorAggregate().encode(act)))


async def _record(path: Path, data: bytes) -> None:
    store = SqliteStore(path)
    try:
        version = len(await store.read(STREAM))
        done: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
        store.append([Write(STREAM, version, [data])], done.set_result)
        error = await done
        if error is not None:
            raise error
    finally:
        await store.close()


def here_and_now() -> tuple[int, int, str]:
    """Milliseconds since the Unix epoch, and the number and name of this process's user."""
    uid = os.getuid() if hasattr(os, "getuid") else -1
    return (time.time_ns() // 1_000_000, *user(uid))
