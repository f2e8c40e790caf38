"""The only loop: decide a command, append its events, apply them, tell everyone who follows."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from parlour.games import Refusal, Refused
from parlour.host._directory import Directory
from parlour.host._following import Following
from parlour.host._insistence import Insistence
from parlour.host._loader import Loader, Tasks
from parlour.host._outage import Outage
from parlour.host._ports import AnyAggregate, Bus, StaleVersionError, Store, StoreError
from parlour.host._recovery import Recovery
from parlour.host._stream import (
    PENDING_MOST,
    Deliver,
    Follower,
    Live,
    Recorded,
    Refuse,
    ignore,
    nothing,
)
from parlour.host._timekeeper import Timekeeper

Accept = Callable[[], None]
Command = Any


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
        self._outage = Outage()
        self._tasks = Tasks()
        self._loader = Loader(store, self._tasks, self._loaded)
        self._following = Following(store, self._tasks)
        self._insistence = Insistence(self.submit)
        self._closed = False

    def create(self, kind: str, command: Command, refuse: Refuse = ignore, room: str = "") -> str:
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
        command: Command,
        refuse: Refuse = ignore,
        accept: Accept = nothing,
    ) -> None:
        """Ask for `command`. `refuse` is told when a rule says no, possibly before the return.

        `accept` is called when what the command asks for is in the log, before any follower
        hears of it.
        """
        live = self._streams.get(stream)
        if live is None:
            try:
                live = self._live(stream)
            except Refused as no:
                refuse(no)
                return
        if not (live.busy or live.pending or self._closed):
            self._decide(live, command, refuse, accept)
        elif len(live.pending) < PENDING_MOST:
            live.pending.append(partial(self._decide, live, command, refuse, accept))
        else:
            refuse(Refused(Refusal.LIMIT, f"{PENDING_MOST} commands wait already"))

    def submit_together(
        self,
        commands: Sequence[tuple[str, Command]],
        refuse: Refuse = ignore,
        accept: Accept = nothing,
    ) -> None:
        """Ask for one command to each of several streams, to be recorded all or none.

        Followers hear in the order of `commands`, after `accept` was called.
        """
        if len({stream for stream, _ in commands}) < len(commands):
            raise ValueError(f"one command for each stream, not {commands!r}")
        try:
            lives = [self._live(stream) for stream, _ in commands]
        except Refused as no:
            refuse(no)
            return
        decide = partial(self._decide_together, lives, commands, refuse, accept)
        waits = next((live for live in lives if live.busy or live.pending or self._closed), None)
        if waits is None:
            decide()
        else:
            waits.pending.append(decide)

    def insist(self, stream: str, command: Command) -> None:
        """Ask for a command until the store can record it or a rule says no.

        For what must be heard although nobody is left to ask again: that a player has gone.
        """
        self._insistence.ask(stream, command)

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
            loaded = asyncio.Event()
            live.pending.append(loaded.set)
            await loaded.wait()
        if live.state is None or live.unreadable:
            raise live.unknown()
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
        now = self.now()
        recovery = Recovery(self._store, self.directory, self._timekeeper)
        await recovery.run(self._aggregates, self.submit, now + reclaim, now)

    async def close(self) -> None:
        """Wait for what is on its way; then decide, tell and wake nothing any more."""
        self._closed = True
        self._loader.close()
        await self._store.close()
        self._insistence.close()
        self._timekeeper.close()
        self._bell.close()
        self._tasks.cancel()

    # The way of a command

    def _decide(
        self,
        live: Live,
        command: Command,
        refuse: Refuse,
        accept: Accept,
        caught_up: bool = False,
    ) -> None:
        """Append what the command adds.

        A refusal, or nothing to add, is believed only of a state read after the command was
        asked for: another host may have changed it, and no version check would tell.
        """
        try:
            if live.unreadable:
                raise live.unknown()
            events = live.aggregate.decide(live.state, command, self.now())
        except Refused as no:
            if caught_up or live.unreadable:
                refuse(no)
                return
            events = ()
        if events:
            records, write = live.begin(events)
            self._store.append(
                (write,), partial(self._appended, live, records, command, refuse, accept)
            )
        elif caught_up:
            accept()
        else:
            live.pending.appendleft(partial(self._decide, live, command, refuse, accept, True))
            self._loader.load(live)

    def _appended(
        self,
        live: Live,
        records: Sequence[Recorded],
        command: Command,
        refuse: Refuse,
        accept: Accept,
        error: StoreError | None,
    ) -> None:
        if error is None:
            self._outage.end()
            accept()
            self._settle(live, records)
        elif isinstance(error, StaleVersionError):
            live.pending.appendleft(partial(self._decide, live, command, refuse, accept))
            self._loader.load(live)
        else:
            refuse(self._outage.refusal(error))
            self._settle(live, ())

    def _decide_together(
        self,
        lives: Sequence[Live],
        commands: Sequence[tuple[str, Command]],
        refuse: Refuse,
        accept: Accept,
        caught_up: bool = False,
    ) -> None:
        """Append what the commands add, when none of the streams is busy."""
        again = partial(self._decide_together, lives, commands, refuse, accept, caught_up)
        busy = next((live for live in lives if live.busy), None)
        if busy is not None:
            busy.pending.appendleft(again)
            return
        now = self.now()
        try:
            decided = [
                (live, live.aggregate.decide(live.state, command, now))
                for live, (_, command) in zip(lives, commands, strict=True)
            ]
        except Refused as no:
            if caught_up:
                refuse(no)
            else:
                self._read_together(lives, commands, refuse, accept)
            return
        foreseen, writes = [], []
        for live, events in decided:
            records, write = live.begin(events)
            foreseen.append((live, records))
            writes.append(write)
        self._store.append(
            writes, partial(self._appended_together, foreseen, commands, refuse, accept)
        )

    def _appended_together(
        self,
        foreseen: Sequence[tuple[Live, Sequence[Recorded]]],
        commands: Sequence[tuple[str, Command]],
        refuse: Refuse,
        accept: Accept,
        error: StoreError | None,
    ) -> None:
        if isinstance(error, StaleVersionError):
            self._read_together([live for live, _ in foreseen], commands, refuse, accept)
            return
        if error is None:
            self._outage.end()
            accept()
        else:
            refuse(self._outage.refusal(error))
        for live, records in foreseen:
            self._settle(live, records if error is None else ())

    def _read_together(
        self,
        lives: Sequence[Live],
        commands: Sequence[tuple[str, Command]],
        refuse: Refuse,
        accept: Accept,
    ) -> None:
        """Decide again when all of the streams have been read."""
        again = partial(self._decide_together, lives, commands, refuse, accept, True)
        lives[0].pending.appendleft(again)
        for live in lives:
            self._loader.load(live)

    def _settle(self, live: Live, records: Sequence[Recorded]) -> None:
        """Take in what was committed, tell the followers, go on with what waited."""
        live.busy = False
        try:
            if records:
                live.advance(records)
                self._publish(live, records)
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
        while not live.busy and not self._closed:
            if live.rung:
                self._loader.load(live)
            elif live.pending:
                live.pending.popleft()()
            else:
                self._left(live)
                return

    def _left(self, live: Live) -> None:
        """Keep no finished stream in memory that nobody looks at."""
        if live.followers or live.busy or live.pending:
            return
        if live.stream not in self.directory.unfinished:
            self._streams.pop(live.stream, None)
            self._timekeeper.forget(live.stream)

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
            self._loader.load(live)
        return live

    def _loaded(self, live: Live, records: Sequence[Recorded]) -> None:
        """A stream has been read as far as it goes."""
        first, live.loaded = not live.loaded, True
        if live.unreadable:
            self.directory.forget(live.stream)
        elif records:
            self._publish(live, records)
        if first:
            self._following.loaded(live)
        self._go_on(live)

    # Bells and alarms

    def _heard(self, stream: str) -> None:
        """Another host has appended to a stream: read it, at once or after what is on its way.

        Also where nobody looks at it: the directory is one of the whole log.
        """
        live = self._streams.get(stream)
        if live is None:
            if stream.partition("-")[0] in self._aggregates:
                self._live(stream)
        elif live.busy:
            live.rung = True
        else:
            self._loader.load(live)

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
        self.insist(stream, self._aggregate(stream).tick())
