"""What holds of services on one log and one bus, whatever has happened to them."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from parlour.buses import MemoryBus
from parlour.host import Store, holder_of
from parlour.match import Listing, Match, MatchAborted, MatchEnded, wakes_at
from parlour.stores import MemoryStore
from tests.host.lives import Asked, Ear, Life
from tests.host.stores import Medium
from tests.host.wall import Wall, turns
from tests.match.tables import MATCHES


class Laws(RuleBasedStateMachine):
    """Two services in a loop whose time stands still, and what must be true of them.

    Subclasses call `begins` first, and say in rules what happens.
    """

    def make_store(self) -> Store:
        return MemoryStore()

    def begins(self) -> None:
        """Start two services with nothing in the log."""
        self.loop = asyncio.new_event_loop()
        self.mistakes: list[dict[str, Any]] = []
        self.loop.set_exception_handler(lambda _, context: self.mistakes.append(context))
        self.wall = Wall(self.loop)
        self.put_forward = self.mood_lasts = 0
        self.acts: list[Callable[[], object]] = []
        self.at_once = 1
        self.medium = Medium(self.make_store())
        self.bus, self.numbers = MemoryBus(), itertools.count(1)
        self.streams: list[str] = []
        self.ears: list[Ear] = []
        self.asked: list[Asked] = []
        self.folds: dict[str, list[Match]] = {}
        self.lives = [self.born(), self.born()]

    def born(self) -> Life:
        return Life(self.medium, self.bus, self.wall, self.numbers)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what has been put off, all in one turn of the loop, and then `work`."""

        async def runs() -> None:
            acts, self.acts = self.acts, []
            for act in acts:
                act()
            await work

        self.loop.run_until_complete(runs())

    def does(self, act: Callable[[], object]) -> None:
        """Call `act` in the loop when people have done as much as they do at once."""
        self.acts.append(act)
        if len(self.acts) >= self.at_once:
            self.run(turns(0))
        self.mood_lasts -= 1
        if self.mood_lasts == 0:
            self.run(self.mends())

    async def mends(self) -> None:
        self.medium.mend()

    def fold(self, stream: str) -> Match | None:
        """The match as the log has it."""
        known = self.folds.setdefault(stream, [])
        for data in self.medium.log.get(stream, [])[len(known) :]:
            known.append(MATCHES.evolve(known[-1] if known else None, MATCHES.decode(data)))
        return known[-1] if known else None

    # What holds at any time

    @invariant()
    def the_log_is_what_it_was_heard_to_be(self) -> None:
        for ear in self.ears:
            for record in ear.records[ear.checked :]:
                ear.checked += 1
                assert record.version == ear.after + ear.checked
                assert record.event == MATCHES.decode(
                    self.medium.log[record.stream][record.version - 1]
                )

    @invariant()
    def nobody_is_answered_twice(self) -> None:
        assert all(asked.answers <= 1 for asked in self.asked)

    @invariant()
    def nothing_goes_wrong_unseen(self) -> None:
        assert self.mistakes == []

    # What holds when everything has come to rest

    @rule()
    def everything_comes_to_rest(self) -> None:
        async def rests() -> None:
            self.medium.mend()
            for _ in range(3):  # what failed is tried again each second
                await self.medium.quiet()
                await self.wall.passes(1_000)
            await self.medium.quiet()

        self.run(rests())
        self.the_log_is_what_it_was_heard_to_be()
        assert all(asked.answers == 1 for asked in self.asked)
        self.asked.clear()
        for ear in self.ears:
            assert ear.follower is not None
            if not ear.follower.stopped:
                self.has_heard_all(ear)
        for life in self.lives:
            self.lists_what_is_in_the_log(life)
        for name in self.streams:
            self.makes_sense(name)

    def has_heard_all(self, ear: Ear) -> None:
        assert ear.follower is not None
        stream = ear.follower.live.stream
        match = self.fold(stream)
        length = match.version if match else 0
        assert ear.after + len(ear.records) == max(length, ear.after)
        if ear.records:
            assert ear.records[-1].state == match

    def lists_what_is_in_the_log(self, life: Life) -> None:
        directory = life.host.directory
        listings = {one: listing for one in self.streams if (listing := self.listing(one))}
        # Who learns of a match when it is finished already does not list it among the newest.
        for stream, listing in (directory.unfinished | directory.finished).items():
            assert listing == listings[stream]
        unfinished = {one for one, listing in listings.items() if not listing.status.finished}
        assert set(directory.unfinished) == (
            unfinished if life.knows_all else unfinished & set(directory.unfinished)
        )
        for stream, listing in directory.unfinished.items():
            assert not listing.status.finished
            for sitter in listing.sitters:
                assert (stream, sitter.identity) in directory.seated(holder_of(sitter.identity))
            assert directory.room(listing.room.upper()) == (stream if listing.room else None)

    def listing(self, stream: str) -> Listing | None:
        listing: Listing | None = None
        for data in self.medium.log.get(stream, ()):
            listing = MATCHES.project(listing, MATCHES.decode(data))
        return listing

    def makes_sense(self, stream: str) -> None:
        match = self.fold(stream)
        if match is None:
            return
        identities = [player.identity for _, player in match.players()]
        assert len(identities) == len(set(identities))
        events = [MATCHES.decode(data) for data in self.medium.log[stream]]
        results = [one for one in events if isinstance(one, MatchEnded | MatchAborted)]
        assert len(results) == match.status.finished
        if not match.status.finished:
            wakes = wakes_at(match)
            assert wakes is None or wakes + self.put_forward > self.wall.now()

    def teardown(self) -> None:
        if not hasattr(self, "loop"):
            return
        try:
            self.everything_comes_to_rest()
        finally:
            self.run(self.ends())
            self.loop.close()

    async def ends(self) -> None:
        for life in self.lives:
            await life.dies()
        try:
            for stream, known in self.medium.log.items():
                assert await self.medium.store.read(stream) == known
        finally:
            await self.medium.store.close()
