"""What the log says when a service starts: the directory, and what was left unfinished."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from parlour.host._ports import AnyAggregate, Store, StoreError, Write
from parlour.match import Listing

WRITES_TOGETHER = 1000


class Found(NamedTuple):
    """One stream in the log, with the number of its events."""

    listing: Listing
    version: int


async def find(store: Store, aggregates: Mapping[str, AnyAggregate]) -> dict[str, Found]:
    """Every stream of the log, without folding a single position.

    Streams of a kind that nobody runs (any more) are left alone.

    Raises:
        StoreError: the medium failed.
    """
    listings: dict[str, Listing] = {}
    versions: dict[str, int] = {}
    async for batch in store.read_all():
        for _, stream, version, data in batch:
            aggregate = aggregates.get(stream.partition("-")[0])
            if aggregate is None:
                continue
            versions[stream] = version
            if aggregate.listed(data):
                event = aggregate.decode(data)
                listings[stream] = aggregate.project(listings.get(stream), event)
    return {stream: Found(listing, versions[stream]) for stream, listing in listings.items()}


async def append_all(store: Store, writes: Sequence[Write]) -> None:
    """Append many writes to different streams and wait until they are durable.

    Raises:
        StoreError: some or all were not written.
    """
    loop = asyncio.get_running_loop()
    for first in range(0, len(writes), WRITES_TOGETHER):
        written: asyncio.Future[StoreError | None] = loop.create_future()
        store.append(writes[first : first + WRITES_TOGETHER], written.set_result)
        error = await written
        if error is not None:
            raise error
