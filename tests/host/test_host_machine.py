"""Two services on one log and one bus, and everything that happens to them at once."""

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Coroutine
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from parlour.buses import MemoryBus
from parlour.host import Store, StoreError, holder_of
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    Command,
    CreateMatch,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    Listing,
    Match,
    MatchAborted,
    MatchEnded,
    Newcomer,
    Pause,
    PlayMove,
    Resign,
    SetReady,
    TakeSeat,
    Terms,
    Tick,
    TimeControl,
    wakes_at,
)
from parlour.stores import MemoryStore, SqliteStore
from tests.host.lives import Asked, Ear, Life
from tests.host.stores import Medium
from tests.host.wall import Wall, turns
from tests.match.tables import MATCHES
from tests.match.test_machine import TERMS

STREAMS_MOST = 4
RECLAIM = 5_000
NAMES = ("web:a", "web:b", "web:c")
PEOPLE = st.sampled_from(NAMES)
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("chinese_checkers", {"players": 3}),
    ("tictactoe", {}),
    ("halma", {}),  # which nobody here plays
]
MOODS = st.sampled_from(["full", "silent", "slow", "held", "late"])
TURN_LIMITS = st.sampled_from([0, 2_000, 60_000])
HOSTS = st.integers(0, 1)
STREAMS = st.integers(0, STREAMS_MOST - 1)
WISHES = st.one_of(
    st.builds(lambda who, terms: TakeSeat(Newcomer(who, who, terms)), PEOPLE, TERMS),
    st.builds(
        lambda kind, who: kind(who),
        st.sampled_from([SetReady, GoAway, ComeBack]),
        PEOPLE,
    ),
    st.builds(PlayMove, PEOPLE, st.sampled_from(["0,0", "1,1", "9,9", "nonsense"])),
    st.sampled_from([Tick(), CreateMatch("tictactoe")]),
)
ENDS = st.one_of(
    st.builds(lambda kind, who: kind(who), st.sampled_from([LeaveSeat, Resign]), PEOPLE),
    st.builds(ForfeitSeat, st.integers(-1, 2), st.just(ForfeitCause.OPERATOR)),
    st.just(AbortMatch(AbortCause.OPERATOR)),
)


class Services(RuleBasedStateMachine):
    """What any follower has heard at any time is in the log, whoever failed or died meanwhile."""

    def make_store(self) -> Store:
        return MemoryStore()

    @initialize(
        terms=st.sampled_from(
            [Terms(ready=True, grace=4_000), Terms(ready=True, suspends=True, grace=2_000)]
        ),
        turn=TURN_LIMITS,
    )
    def opens(self, terms: Terms, turn: int) -> None:
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
        for host, life in enumerate(self.lives):
            life.knows_all = True
            self.somebody_opens_a_table(host, TABLES[host], [terms] * (3 - host), turn)
        self.the_loop_goes_round(6)

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

    def named(self, number: int) -> str:
        return self.streams[number % len(self.streams)]

    # What people do

    @precondition(lambda self: len(self.streams) < STREAMS_MOST)
    @rule(
        host=HOSTS,
        game=st.sampled_from(TABLES),
        terms=st.lists(TERMS, max_size=3),
        turn=TURN_LIMITS,
    )
    def somebody_opens_a_table(
        self, host: int, game: tuple[str, dict[str, Any]], terms: list[Terms], turn: int
    ) -> None:
        newcomers = tuple(Newcomer(who, who, one) for who, one in zip(NAMES, terms, strict=False))
        control = TimeControl(turn=turn)
        create = CreateMatch(*game, newcomers, f"room {len(self.streams)}", control=control)
        at = self.lives[host].host
        self.does(lambda: self.streams.append(at.create("match", create, room=create.room)))
        self.run(turns(0))  # others may ask for its name at once

    @rule(host=HOSTS, stream=STREAMS, wishes=st.lists(WISHES, min_size=1, max_size=4))
    def people_want(self, host: int, stream: int, wishes: list[Command]) -> None:
        def ask() -> None:
            for wish in wishes:
                asked = Asked()
                self.asked.append(asked)
                at.submit(name, wish, asked.refused, asked.accepted)

        at, name = self.lives[host].host, self.named(stream)
        self.does(ask)

    @rule(host=HOSTS, stream=STREAMS, wish=ENDS)
    def somebody_has_enough(self, host: int, stream: int, wish: Command) -> None:
        self.people_want(host, stream, [wish])

    @rule(stream=STREAMS, wish=WISHES)
    def two_services_are_asked_for_the_same(self, stream: int, wish: Command) -> None:
        for host in (0, 1):
            self.people_want(host, stream, [wish])

    @rule(stream=STREAMS)
    def everybody_comes_and_is_ready(self, stream: int) -> None:
        match = self.fold(self.named(stream))
        for _, player in match.players() if match else ():
            self.people_want(0, stream, [ComeBack(player.identity), SetReady(player.identity)])

    @rule(host=HOSTS, plies=st.integers(1, 20), choice=st.integers(0, 60))
    def they_play_a_long_game(self, host: int, plies: int, choice: int) -> None:
        self.they_play_on(host, 0, plies, choice)

    @rule(host=HOSTS, stream=STREAMS, plies=st.integers(1, 3), choice=st.integers(0, 60))
    def they_play_on(self, host: int, stream: int, plies: int, choice: int) -> None:
        name = self.named(stream)
        match = self.fold(name)
        position, seats = (match.position, match.seats) if match else (None, ())
        while plies and position is not None and position.turn is not None:
            player, moves = seats[position.turn], list(position.moves())
            move = moves[choice % len(moves)]
            if player is not None:
                self.people_want((host + plies) % 2, stream, [PlayMove(player.identity, move)])
            position = position.play(move)
            plies -= 1

    @rule(host=HOSTS, streams=st.permutations(range(STREAMS_MOST)), who=PEOPLE, wish=WISHES)
    def two_things_are_wanted_together(
        self, host: int, streams: list[int], who: str, wish: Command
    ) -> None:
        one, other = self.named(streams[0]), self.named(streams[1])
        if one != other:
            together = [(one, wish), (other, GoAway(who))]
            at = self.lives[host].host
            self.does(lambda: at.submit_together(together))

    @rule(host=HOSTS, stream=STREAMS, who=PEOPLE)
    def somebody_is_cut_off(self, host: int, stream: int, who: str) -> None:
        at, name = self.lives[host].host, self.named(stream)
        self.does(lambda: at.insist(name, GoAway(who)))

    @rule(host=HOSTS, stream=STREAMS, back=st.sampled_from([-2, 0, 1, 3, 17, 99]))
    def somebody_looks(self, host: int, stream: int, back: int) -> None:
        name = self.named(stream)
        after = max(len(self.medium.log.get(name, ())) - back, 0)
        ear = Ear(after)

        at = self.lives[host].host

        def follows() -> None:
            ear.follower = at.follow(name, after, ear.deliver)

        self.does(follows)
        self.ears.append(ear)

    @precondition(lambda self: self.ears)
    @rule(number=st.integers(0, 99))
    def somebody_looks_away(self, number: int) -> None:
        ear = self.ears[number % len(self.ears)]
        self.does(ear.stop)

    # What happens to them

    @rule(at_once=st.integers(1, 5))
    def people_hurry(self, at_once: int) -> None:
        self.at_once = at_once

    @rule(count=st.integers(1, 6))
    def the_loop_goes_round(self, count: int) -> None:
        self.run(turns(count))

    @rule(mood=MOODS, acts=st.integers(1, 8))
    def the_medium_has_its_moods(self, mood: str, acts: int) -> None:
        setattr(self.medium, mood, True)
        self.mood_lasts = acts

    @rule(step=st.sampled_from([1, 500, 1_000, 6_000, 30_000]))
    def time_passes(self, step: int) -> None:
        self.run(self.wall.passes(step))

    @rule(by=st.sampled_from([-100_000, -1_000, 1_500, 100_000]))
    def the_wall_clock_is_set(self, by: int) -> None:
        self.wall.is_set(by)
        self.put_forward += max(by, 0)

    @rule(fails=st.booleans())
    def all_services_are_killed_and_started_again(self, fails: bool) -> None:
        self.run(self.restarts(fails))
        self.ears.clear()
        self.asked.clear()

    async def restarts(self, fails: bool) -> None:
        for life in self.lives:
            await life.dies()
        self.medium.lose()
        await self.medium.quiet()
        self.the_log_is_what_it_was_heard_to_be()
        unfinished = {one for one in self.streams if self.is_unfinished(one)}
        if fails:
            await self.fails_to_start()
        life = self.born()
        await life.host.recover(RECLAIM)
        life.knows_all = True
        assert set(life.host.directory.unfinished) | self.given_up(unfinished) == unfinished
        for stream in life.host.directory.unfinished:
            match = self.fold(stream)
            assert match is not None
            assert match.pause is Pause.RESTART
        self.lives = [life, self.born()]

    async def fails_to_start(self) -> None:
        life = self.born()
        self.medium.silent = True
        with pytest.raises(StoreError):
            await life.host.recover(RECLAIM)
        await life.dies()
        self.medium.lose()

    def is_unfinished(self, stream: str) -> bool:
        match = self.fold(stream)
        return match is not None and not match.status.finished

    def given_up(self, streams: set[str]) -> set[str]:
        """Those of `streams` that the restart itself has finished."""
        return {one for one in streams if not self.is_unfinished(one)}

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


class ServicesOnAFile(Services):
    """The same over a real file, where a writer thread commits."""

    def make_store(self) -> Store:
        self.folder = TemporaryDirectory()
        return SqliteStore(Path(self.folder.name) / "log.sqlite3")

    def teardown(self) -> None:
        with contextlib.ExitStack() as after:
            if hasattr(self, "folder"):
                after.enter_context(self.folder)
            super().teardown()


TestServices = pytest.mark.slow(Services.TestCase)
TestServices.settings = settings(max_examples=300, stateful_step_count=50)
TestServicesOnAFile = pytest.mark.slow(ServicesOnAFile.TestCase)
TestServicesOnAFile.settings = settings(max_examples=50, stateful_step_count=30)
