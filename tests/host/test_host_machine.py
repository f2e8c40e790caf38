"""Two services on one log and one bus, and everything that happens to them at once."""

import contextlib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from parlour.host import Store, StoreError
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
    Newcomer,
    Pause,
    PlayMove,
    Resign,
    SetReady,
    TakeSeat,
    Terms,
    Tick,
    TimeControl,
)
from parlour.stores import SqliteStore
from tests.host.laws import Laws
from tests.host.lives import Asked, Ear
from tests.host.wall import turns
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


class Services(Laws):
    """What any follower has heard at any time is in the log, whoever failed or died meanwhile."""

    @initialize(
        terms=st.sampled_from(
            [Terms(ready=True, grace=4_000), Terms(ready=True, suspends=True, grace=2_000)]
        ),
        turn=TURN_LIMITS,
    )
    def opens(self, terms: Terms, turn: int) -> None:
        self.begins()
        for host, life in enumerate(self.lives):
            life.knows_all = True
            self.somebody_opens_a_table(host, TABLES[host], [terms] * (3 - host), turn)
        self.the_loop_goes_round(6)

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
