"""The only loop: decide a command, append its events, apply them, tell everyone who follows."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from parlour.games import Refusal, Refused
from parlour.host._directory import Directory
from parlour.host._following import RETRY_AFTER, Following, Tasks
from parlour.host._ports import (
    AnyAggregate,
    Bus,
    StaleVersionError,
    Store,
    StoreError,
    Write,
)
from parlour.host._recovery import append_all, find
from parlour.host._stream import (
    PENDING_MOST,
    Deliver,
    Follower,
    Live,
    Recorded,
    Refuse,
    ignore,
    nothing,
    settled,
    unavailable,
)
from parlour.host._timekeeper import Timekeeper

log = logging.getLogger("parlour.host")


class Host:
    """Runs aggregates over one store.

    Durable before visible: an event reaches a follower only after its append was committed.
    Nothing here awaits on the way of a command, and no task is made for it.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        aggregates: Iterable[AnyAggregate],
        now: Callable[[], int],
        new_id: Callable[[], str],
    ) -> None:
        self.now = now
        self.directory = Directory()
        self._store = store
        self._new_id = new_id
        self._aggregates = {aggregate.kind: aggregate for aggregate in aggregates}
        self._streams: dict[str, Live] = {}
        self._timekeeper = Timekeeper(now, self._due)
        self._bell = bus.connect(self._heard)
        self._tasks = Tasks()
        self._following = Following(store, self._tasks)
        self._closed = False

    def create(self, kind: str, command: Any, refuse: Refuse = ignore, room: str = "") -> str:
        """Begin a stream of a new name with `command` and return the name.

        A `room` is kept for it from now on, so that whoever asks for the room while the stream
        is being created finds this one.
        """
        stream = f"{kind}-{self._new_id()}"
        live = Live(stream, self._aggregates[kind], self._left)
        live.loaded = True
        self._streams[stream] = live
        if room:
            self.directory.reserve(room, stream)

        def refused(no: Refused) -> None:
            self.directory.release(room, stream)
            self._streams.pop(stream, None)
            refuse(no)

        self.submit(stream, command, refused)
        return stream

    def submit(
        self,
        stream: str,
        command: Any,
        refuse: Refuse = ignore,
        accept: Callable[[], None] = nothing,
    ) -> None:
        """Ask for `command`. `refuse` is told when a rule says no, possibly before the return.

        `accept` is called when events of it are in the log, before any follower hears of them.
        """
        try:
            live = self._live(stream)
        except Refused as no:
            refuse(no)
            return
        if not live.busy and not live.pending:
            self._decide(live, command, refuse, accept)
        elif len(live.pending) < PENDING_MOST:
            live.pending.append(partial(self._decide, live, command, refuse, accept))
        else:
            refuse(Refused(Refusal.LIMIT, f"{PENDING_MOST} commands wait already"))

    def submit_together(
        self,
        commands: Sequence[tuple[str, Any]],
        refuse: Refuse = ignore,
        caught_up: bool = False,
    ) -> None:
        """Ask for one command to each of several streams, to be recorded all or none.

        `caught_up` says that the streams were read after the commands were asked for.
        """
        if len({stream for stream, _ in commands}) < len(commands):
            raise ValueError(f"one command for each stream, not {commands!r}")
        try:
            lives = [self._live(stream) for stream, _ in commands]
            busy = next((live for live in lives if live.busy), None)
            if busy is not None:
                busy.pending.append(partial(self.submit_together, commands, refuse, caught_up))
                return
            now = self.now()
            decided = [
                (live, live.aggregate.decide(live.state, command, now))
                for live, (_, command) in zip(lives, commands, strict=True)
            ]
        except Refused as no:
            if caught_up or not lives:
                refuse(no)
            else:
                self._read_together(lives, commands, refuse)
            return
        writes = []
        for live, events in decided:
            live.busy = True
            data = [live.aggregate.encode(event) for event in events]
            writes.append(Write(live.stream, live.version, data))
        self._store.append(writes, partial(self._appended_together, decided, commands, refuse))

    def follow(self, stream: str, after: int, deliver: Deliver) -> Follower:
        """Tell `deliver` of every event past version `after`, in order, once, until stopped.

        The first call comes after this returns. Each call has all events of one append.

        Raises:
            Refused: UNKNOWN_STREAM, when the name is of no kind that this host runs.
        """
        return self._following.follow(self._live(stream), after, deliver)

    async def state(self, stream: str) -> tuple[Any, int]:
        """The state and the version of a stream, read from the store when need be.

        Raises:
            Refused: UNKNOWN_STREAM.
            StoreError: the medium failed.
        """
        live = self._live(stream)
        if live.busy:  # being read, or perhaps being created
            loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            live.pending.append(partial(settled, loaded))
            await loaded
        if live.state is None:
            raise Refused(Refusal.UNKNOWN_STREAM, f"there is no {stream}")
        return live.state, live.version

    async def history(self, stream: str, after: int = 0) -> list[Recorded]:
        """The events of a stream past `after`, folded anew from the store.

        Raises:
            Refused: UNKNOWN_STREAM.
            StoreError: the medium failed.
        """
        live = Live(stream, self._aggregate(stream), self._left)
        return await self._following.history(live, after)

    async def recover(self, reclaim: int) -> None:
        """Take up what the last run left: fill the directory, stop every unfinished clock.

        For `reclaim` milliseconds players may come back to their seats.

        Raises:
            StoreError: the medium failed.
        """
        until = self.now() + reclaim
        writes = []
        for stream, (listing, version) in (await find(self._store, self._aggregates)).items():
            if listing.status.finished:
                self.directory.put(stream, listing)
                continue
            aggregate = self._aggregate(stream)
            events = aggregate.restarted(listing, until, self.now())
            for event in events or ():
                listing = aggregate.project(listing, event)
            self.directory.put(stream, listing)
            if events is None:
                self.submit(stream, aggregate.restart(until))
            else:
                data = [aggregate.encode(event) for event in events]
                writes.append(Write(stream, version, data))
                self._timekeeper.watch(stream, until)
        await append_all(self._store, writes)

    async def close(self) -> None:
        """Wait for what is on its way; then decide, tell and wake nothing any more."""
        self._closed = True
        self._timekeeper.close()
        self._bell.close()
        await self._store.close()
        self._tasks.cancel()

    # The way of a command

    def _decide(
        self,
        live: Live,
        command: Any,
        refuse: Refuse,
        accept: Callable[[], None],
        caught_up: bool = False,
    ) -> None:
        """Append what the command adds.

        A refusal, or nothing to add, is believed only of a state read after the command was
        asked for: another host may have changed it, and no version check would tell.
        """
        aggregate = live.aggregate
        events: Sequence[Any] = ()
        no = None
        try:
            events = aggregate.decide(live.state, command, self.now())
        except Refused as refused:
            no = refused
        if not events and not caught_up:
            live.pending.appendleft(partial(self._decide, live, command, refuse, accept, True))
            self._load(live)
            return
        if no is not None:
            refuse(no)
        if not events:
            return
        live.busy = True
        data = [aggregate.encode(event) for event in events]
        self._store.append(
            (Write(live.stream, live.version, data),),
            partial(self._appended, live, events, command, refuse, accept),
        )

    def _appended(
        self,
        live: Live,
        events: Sequence[Any],
        command: Any,
        refuse: Refuse,
        accept: Callable[[], None],
        error: StoreError | None,
    ) -> None:
        if error is None:
            accept()
            self._settle(live, events)
        elif isinstance(error, StaleVersionError):
            live.pending.appendleft(partial(self._decide, live, command, refuse, accept))
            self._load(live)
        else:
            refuse(unavailable(error))
            self._settle(live, ())

    def _appended_together(
        self,
        decided: Sequence[tuple[Live, Sequence[Any]]],
        commands: Sequence[tuple[str, Any]],
        refuse: Refuse,
        error: StoreError | None,
    ) -> None:
        if isinstance(error, StaleVersionError):
            self._read_together([live for live, _ in decided], commands, refuse)
            return
        if error is not None:
            refuse(unavailable(error))
        for live, events in decided:
            self._settle(live, events if error is None else ())

    def _read_together(
        self, lives: Sequence[Live], commands: Sequence[tuple[str, Any]], refuse: Refuse
    ) -> None:
        """Decide again when all of the streams have been read."""
        lives[0].pending.appendleft(partial(self.submit_together, commands, refuse, True))
        for live in lives:
            self._load(live)

    def _settle(self, live: Live, events: Sequence[Any]) -> None:
        """Apply what was committed, tell the followers, go on with what waited."""
        live.busy = False
        try:
            if events:
                self._publish(live, live.fold(events))
                self._bell.ring(live.stream)
        finally:  # a mistake of ours in telling must not stop the stream
            self._go_on(live)

    def _publish(self, live: Live, records: Sequence[Recorded]) -> None:
        wake = live.aggregate.wakes_at(live.state)
        if wake is not None:
            self._timekeeper.watch(live.stream, wake)
        self.directory.learn(live.stream, records, live.aggregate.project)
        self._following.publish(live, records)

    def _go_on(self, live: Live) -> None:
        while not live.busy:
            if live.rung:
                self._load(live)
            elif live.pending:
                live.pending.popleft()()
            else:
                self._left(live)
                return

    def _left(self, live: Live) -> None:
        """Keep no finished stream in memory that nobody looks at."""
        idle = not (live.busy or live.pending or live.followers)
        if idle and live.stream not in self.directory.unfinished:
            self._streams.pop(live.stream, None)

    # Reading

    def _aggregate(self, stream: str) -> AnyAggregate:
        aggregate = self._aggregates.get(stream.partition("-")[0])
        if aggregate is None:
            raise Refused(Refusal.UNKNOWN_STREAM, f"there is no {stream}")
        return aggregate

    def _live(self, stream: str) -> Live:
        live = self._streams.get(stream)
        if live is None:
            live = Live(stream, self._aggregate(stream), self._left)
            self._streams[stream] = live
            self._load(live)
        return live

    def _load(self, live: Live) -> None:
        """Read what the log has past our version."""
        live.busy = True
        live.rung = False
        if self._closed:
            return
        self._tasks.spawn(self._read(live))

    async def _read(self, live: Live) -> None:
        try:
            data = await self._store.read(live.stream, live.version)
        except StoreError as error:
            log.error("cannot read %s, will try again: %s", live.stream, error)
            asyncio.get_running_loop().call_later(RETRY_AFTER / 1000, self._load, live)
            return
        first, live.loaded, live.busy = not live.loaded, True, False
        records = live.fold([live.aggregate.decode(one) for one in data])
        if records:
            self._publish(live, records)
        if first:
            self._following.loaded(live)
        self._go_on(live)

    # Bells and alarms

    def _heard(self, stream: str) -> None:
        """Another host has appended to a stream: read it, at once or after what is on its way."""
        live = self._streams.get(stream)
        if live is None:
            return
        if live.busy:
            live.rung = True
        else:
            self._load(live)

    def _due(self, stream: str) -> None:
        if stream not in self.directory.unfinished:
            return
        live = self._streams.get(stream)
        if live is not None and live.busy:
            # What is on its way decides whether the alarm still stands.
            live.pending.append(partial(self._due, stream))
            return
        if live is not None and live.loaded:
            wake = live.aggregate.wakes_at(live.state)
            if wake is None:
                return
            if wake > self.now():
                self._timekeeper.watch(stream, wake)
                return
        again = partial(self._tick_failed, stream)
        self.submit(stream, self._aggregate(stream).tick(), again)

    def _tick_failed(self, stream: str, no: Refused) -> None:
        if no.refusal is not Refusal.UNKNOWN_STREAM:
            self._timekeeper.watch(stream, self.now() + RETRY_AFTER)
