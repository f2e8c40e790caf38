"""The only loop: decide a command, append its events, apply them, tell everyone who follows."""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from parlour.games import Refusal, Refused
from parlour.host._ask import MISTAKEN, Accept, Ask, Refuse, asked, ignore, nothing
from parlour.host._directory import Directory
from parlour.host._following import Following
from parlour.host._insistence import Insistence
from parlour.host._loader import RETRY_AFTER, Loader, Tasks
from parlour.host._outage import Outage
from parlour.host._ports import AnyAggregate, Bus, StaleVersionError, Store, StoreError, Write
from parlour.host._recovery import Recovery
from parlour.host._stream import LOOK, Deliver, Follower, Live, Recorded
from parlour.host._timekeeper import Timekeeper

log = logging.getLogger("parlour.host")

Command = Any
Foreseen = tuple[Live, Sequence[Recorded]]

# One player has at most a few commands on the way to a match; this many is a flood.
PENDING_MOST = 64


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
        refused: Refuse = ignore,
    ) -> None:
        self.now = now
        self._hears_no = refused  # of every command
        self.directory = Directory()
        self._store = store
        self._new_id = new_id
        self._aggregates = {aggregate.kind: aggregate for aggregate in aggregates}
        self._streams: dict[str, Live] = {}
        self._timekeeper = Timekeeper(now, self._due)
        self._bell = bus.connect(self._heard)
        self._writing, self._reading = Outage("written"), Outage("read")
        self._tasks = Tasks()
        self._loader = Loader(store, self._tasks, self._loaded, self._unread)
        self._following = Following(store, self._tasks, self._reading)
        self._insistence = Insistence(self.submit)
        self._closed = False

    def name(self, kind: str) -> str:
        """The name of a stream that the next command to it begins; nothing is read for that."""
        stream = f"{kind}-{self._new_id()}"
        live = self._streams[stream] = Live(stream, self._aggregates[kind], self._left)
        live.loaded = True
        return stream

    def create(
        self,
        kind: str,
        command: Command,
        refuse: Refuse = ignore,
        room: str = "",
        accept: Accept = nothing,
    ) -> str:
        """Begin a stream of a new name with `command`, asked for as by `submit`; return the name.

        A `room` is kept for it from now on: who asks meanwhile for the room finds this one.
        """
        stream = self.name(kind)
        if room:
            self.directory.reserve(room, stream)

        def refused(no: Refused) -> None:
            self.directory.release(room, stream)
            self._streams.pop(stream, None)
            refuse(no)

        self.submit(stream, command, refused, accept)
        return stream

    def submit(
        self, stream: str, command: Command, refuse: Refuse = ignore, accept: Accept = nothing
    ) -> None:
        """Ask for `command`. `refuse` is told when a rule says no, possibly before the return.

        `accept` is called when what the command led to is in the log, before any follower hears
        of it.
        """
        try:
            live = self._streams.get(stream) or self._live(stream)
        except Refused as no:
            refuse(no)
            return
        ask = Ask([(live, command)], refuse, accept)
        if not (live.busy or live.pending or self._closed):
            self._decide(ask)
        else:
            self._wait(live, ask)

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
            parts = [(self._live(stream), command) for stream, command in commands]
        except Refused as no:
            refuse(no)
            return
        ask = Ask(parts, refuse, accept)
        if len(parts) > 1:
            for live, _ in parts:
                live.claims += 1
        waits = next((live for live, _ in parts if live.busy or live.pending or self._closed), None)
        if waits is None:
            self._decide(ask)
        else:
            self._wait(waits, ask)

    def insist(
        self, stream: str, command: Command, still: Callable[[], bool] = lambda: True
    ) -> None:
        """Ask for a command until the store can record it, a rule says no, or it is not `still` so.

        For what must be heard although nobody is left to ask again: that a player has gone.
        """
        self._insistence.ask(stream, command, still)

    def follow(
        self, stream: str, after: int, deliver: Deliver, lost: Callable[[], None] = nothing
    ) -> Follower:
        """Tell `deliver` of every event past version `after`, in order, once, until stopped.

        Each call, the first after this returns, has all events of one append; none follows `lost`,
        which is called when that cannot go on: a mistake of ours, or nothing to be read any more.

        Raises:
            Refused: UNKNOWN_STREAM, when the name is of no kind that this host runs.
        """
        return self._following.follow(self._live(stream), after, deliver, lost)

    async def state(self, stream: str) -> tuple[Any, int]:
        """The state and the version of a stream, read from the store when need be.

        Raises:
            Refused: UNKNOWN_STREAM.
            StoreError: the medium failed.
        """
        live = self._live(stream)
        if live.busy:  # being read, or perhaps being created
            look = partial(Ask, [(live, LOOK)], caught_up=True)
            no = await asked(lambda refuse, accept: live.pending.append(look(refuse, accept)))
            if no is not None:
                raise no if no.refusal is not Refusal.UNAVAILABLE else StoreError(no.detail)
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
        for stream in await recovery.run(self._aggregates, self.submit, now + reclaim, now):
            self._loader.give_up(self._live(stream))
            self.directory.forget(stream)

    async def close(self) -> None:
        """Wait for what is on its way; then decide, tell and wake nothing any more."""
        self._closed = True
        self._loader.close()
        self._tasks.cancel()  # what is being read is of use to nobody
        await self._store.close()
        self._insistence.close()
        self._timekeeper.close()
        self._bell.close()

    # The way of a command

    def _wait(self, live: Live, ask: Ask) -> None:
        """Keep what is asked of a busy stream; nobody can keep others out by asking."""
        mine = sum(one.by == ask.by for one in live.pending)
        if mine >= PENDING_MOST:
            self._refuse(ask, Refused(Refusal.LIMIT, f"{mine} of your commands wait already"))
        else:
            live.pending.append(ask)

    def _decide(self, ask: Ask) -> None:
        """Append what is asked for, when none of its streams is busy.

        A refusal, or nothing to add, is believed only of a state read after it was asked for:
        another host may have changed it, and no version check would tell.
        """
        for live, _ in ask.parts:
            if live.busy:
                live.pending.appendleft(ask)
                return
        foreseen: list[Foreseen] = []
        writes: list[Write] = []
        try:
            now = self.now()
            for live, command in ask.parts:
                records, write = live.decide(command, now)
                if records:
                    foreseen.append((live, records))
                    writes.append(write)
        except Refused as no:
            self._refused(ask, no)
        except Exception:
            log.exception("a command failed: %s", ask.what())
            self._refuse(ask, Refused(Refusal.MISTAKE, MISTAKEN))
        else:
            if writes:
                for live, _ in foreseen:
                    live.busy = True
                self._store.append(writes, partial(self._appended, ask, foreseen))
            elif ask.caught_up:
                self._release(ask)
                ask.accept()
            else:
                self._read_for(ask)

    def _refused(self, ask: Ask, no: Refused) -> None:
        if ask.caught_up or any(live.unreadable for live, _ in ask.parts):
            self._refuse(ask, no)
        else:
            self._read_for(ask)

    def _appended(self, ask: Ask, foreseen: Sequence[Foreseen], error: StoreError | None) -> None:
        if error is None:
            self._writing.end()
            if len(ask.parts) > 1:
                self._release(ask)
            ask.accept()
            for live, records in foreseen:
                self._settle(live, records)
        elif isinstance(error, StaleVersionError):
            for live, _ in foreseen:
                live.busy = False
            self._read_for(ask)
        else:
            self._refuse(ask, self._writing.refusal(error))
            for live, _ in foreseen:
                self._settle(live, ())

    def _read_for(self, ask: Ask) -> None:
        """Decide again when all of the streams have been read."""
        ask.caught_up = True
        ask.parts[0][0].pending.appendleft(ask)
        for live, _ in ask.parts:
            self._loader.load(live)

    def _refuse(self, ask: Ask, no: Refused) -> None:
        self._release(ask)
        self._hears_no(no)
        ask.refuse(no)

    def _release(self, ask: Ask) -> None:
        if len(ask.parts) > 1:
            for live, _ in ask.parts:
                live.claims -= 1
                self._left(live)

    def _settle(self, live: Live, records: Sequence[Recorded]) -> None:
        """Take in what was committed, tell the followers, go on with what waited."""
        live.busy = False
        if records:
            live.advance(records)
            self._publish(live, records)
            self._bell.ring(live.stream)
        self._go_on(live)

    def _publish(self, live: Live, records: Sequence[Recorded]) -> None:
        self.directory.learn(live.stream, records, live.aggregate.project)
        self._following.publish(live, records)

    def _go_on(self, live: Live) -> None:
        while not live.busy and not self._closed:
            if live.rung:
                self._loader.load(live)
            elif live.pending:
                self._decide(live.pending.popleft())
            else:
                self._rest(live)
                return

    def _rest(self, live: Live) -> None:
        """Nothing is on its way: set the alarm for what time alone will do."""
        wake = None if live.state is None else live.aggregate.wakes_at(live.state)
        if wake is not None:
            # What a store that fails could not record is not asked of it again at once.
            soonest = self.now() + RETRY_AFTER if self._writing.lasts else wake
            self._timekeeper.watch(live.stream, max(wake, soonest))
        self._left(live)

    def _left(self, live: Live) -> None:
        """Keep no finished stream in memory that nobody looks at; nor read one in vain again."""
        if live.followers or live.busy or live.pending or live.claims or live.unreadable:
            return
        stream = live.stream
        if stream not in self.directory.unfinished and self._streams.get(stream) is live:
            del self._streams[stream]
            self._timekeeper.forget(stream)

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
        self._reading.end()
        first, live.loaded = not live.loaded, True
        if live.unreadable:
            self.directory.forget(live.stream)
            self._following.lose(live)
        elif records:
            self._publish(live, records)
        if first:
            self._following.loaded(live)
        self._go_on(live)

    def _unread(self, live: Live, error: StoreError) -> None:
        """The medium failed; it is being tried again, and nobody need wait for that."""
        no = self._reading.refusal(error)
        waiting = tuple(live.pending)
        live.pending.clear()
        for ask in waiting:  # who is refused may ask again at once
            self._refuse(ask, no)

    # Bells and alarms

    def _heard(self, stream: str) -> None:
        """Another host has appended to a stream: read it, at once or after what is on its way.

        Also where nobody looks at it: the directory is one of the whole log.
        """
        live = self._streams.get(stream)
        if live is None:
            if stream.partition("-")[0] in self._aggregates:
                self._live(stream)
        elif not live.unreadable:
            self._loader.load(live)

    def _due(self, stream: str) -> None:
        live = self._streams.get(stream)
        if stream not in self.directory.unfinished or (live is not None and live.busy):
            return  # what is on its way sets the alarm anew if it still stands
        if live is not None:
            wake = live.aggregate.wakes_at(live.state)
            if wake is None:
                return
            if wake > self.now():
                self._timekeeper.watch(stream, wake)
                return
        self.submit(stream, self._aggregate(stream).tick())
