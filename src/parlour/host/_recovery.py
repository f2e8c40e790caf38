"""What the log says when a service starts: the directory, and what was left unfinished."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

from parlour.games import Refusal, Refused
from parlour.host._ask import asked
from parlour.host._directory import Directory
from parlour.host._ports import AnyAggregate, Store, StoreError, Write
from parlour.host._timekeeper import Timekeeper

log = logging.getLogger("parlour.host")

WRITES_TOGETHER = 1000

Submit = Callable[[str, Any, Callable[[Refused], None], Callable[[], None]], None]


class Found(NamedTuple):
    """One stream in the log, with the number of its events."""

    listing: Any
    version: int


async def find(store: Store, aggregates: Mapping[str, AnyAggregate]) -> dict[str, Found]:
    """Every stream of the log, without folding a single position.

    Streams of a kind that nobody runs (any more) are left alone, and so are those with an event
    that cannot be understood, which is logged.

    Raises:
        StoreError: the medium failed.
    """
    listings: dict[str, Any] = {}
    versions: dict[str, int] = {}
    unreadable: set[str] = set()
    async for batch in store.read_all():
        for _, stream, version, data in batch:
            aggregate = aggregates.get(stream.partition("-")[0])
            if aggregate is None or stream in unreadable:
                continue
            versions[stream] = version
            if not aggregate.listed(data):
                continue
            try:
                event = aggregate.decode(data)
                listings[stream] = aggregate.project(listings.get(stream), event)
            except Exception as error:  # whatever stands there, the others must be served
                log.error("event %d of %s cannot be read: %s: %r", version, stream, error, data)
                unreadable.add(stream)
                listings.pop(stream, None)
    return {stream: Found(listing, versions[stream]) for stream, listing in listings.items()}


class Recovery:
    """Takes up what the last run left."""

    def __init__(self, store: Store, directory: Directory, timekeeper: Timekeeper) -> None:
        self._store = store
        self._directory = directory
        self._timekeeper = timekeeper

    async def run(
        self, aggregates: Mapping[str, AnyAggregate], submit: Submit, until: int, now: int
    ) -> list[str]:
        """Fill the directory, and record a restart in every unfinished stream, until it is durable.

        Returns those for which a mistake of ours let none be decided.

        Raises:
            StoreError: the medium failed.
        """
        writes = []
        to_read = []
        for stream, (listing, version) in (await find(self._store, aggregates)).items():
            if listing.finished:
                self._directory.put(stream, listing)
                continue
            aggregate = aggregates[stream.partition("-")[0]]
            try:
                events = aggregate.restarted(listing, until, now)
                data = [aggregate.encode(event) for event in events or ()]
                listing = reduce(aggregate.project, events or (), listing)
            except Exception:  # a mistake of ours that the whole stream may show to be none
                log.exception("the listing of %s does not say how it is restarted", stream)
                events, data = None, []
            self._directory.put(stream, listing)
            if events is None:
                to_read.append((stream, aggregate.restart(until)))
            elif data:
                writes.append(Write(stream, version, data))
                self._timekeeper.watch(stream, until)
        await self._append(writes)
        return await _mistaken(
            {stream: asked(partial(submit, stream, command)) for stream, command in to_read}
        )

    async def _append(self, writes: Sequence[Write]) -> None:
        loop = asyncio.get_running_loop()
        for first in range(0, len(writes), WRITES_TOGETHER):
            written: asyncio.Future[StoreError | None] = loop.create_future()
            self._store.append(writes[first : first + WRITES_TOGETHER], written.set_result)
            error = await written
            if error is not None:
                raise error


async def _mistaken(answers: Mapping[str, asyncio.Future[Refused | None]]) -> list[str]:
    """The streams that were refused for a mistake of ours."""
    mistaken = []
    for stream, answer in answers.items():
        no = await answer
        # What cannot be read is left alone, but a medium that fails now must not be hidden.
        if no is not None and no.refusal is Refusal.UNAVAILABLE:
            raise StoreError(no.detail)
        if no is not None and no.refusal is Refusal.MISTAKE:
            mistaken.append(stream)
    return mistaken
