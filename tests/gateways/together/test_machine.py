"""A whole service with players of every protocol, and everything that happens to them.

Whatever is dropped, doubled, killed or set: no seat is taken twice, a match has one result,
versions have no gaps, all who look on hear the same, and nothing that anybody was told is missing
from the log.
"""

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from parlour.games import Refused
from parlour.match import (
    CreateMatch,
    MovePlayed,
    Newcomer,
    PlayMove,
    Resign,
    SeatForfeited,
    TakeSeat,
    Terms,
)
from tests.gateways.mug.stage import turn
from tests.gateways.together.house import MUG, ROOM, Page
from tests.gateways.together.laws import DoorLaws
from tests.host.lives import Ear

GAME = f"{MUG}/tictactoe"
LINES = st.integers(0, 6)
CHOICES = st.integers(0, 60)
GUESTS = ("web:g1", "web:g2")
PAGES_MOST = 6
GRACE = Terms(grace=4_000, ready=True)


class Doors(DoorLaws):
    """What may happen to them."""

    @initialize(pairs=st.sets(st.sampled_from([(0, 1), (2, 3), (5, 6)])), users=st.booleans())
    def opens(self, pairs: set[tuple[int, int]], users: bool) -> None:
        self.begins()
        for pair in sorted(pairs):
            self.two_find_each_other(pair)
        if users:
            self.users_begin_a_match()

    # Players on plain sockets

    @rule(number=LINES)
    def somebody_connects(self, number: int) -> None:
        line = self.lines[number]
        if not line.connected:
            self.run(lambda: line.connects(self.house.dial(line.kind)))

    @rule(number=LINES)
    def somebody_connects_over_the_old_connection(self, number: int) -> None:
        line = self.lines[number]
        self.run(lambda: line.connects(self.house.dial(line.kind)))

    @rule(number=LINES, choice=CHOICES)
    def somebody_wants_something(self, number: int, choice: int) -> None:
        self.run(lambda: self.lines[number].wants(choice))

    @rule(number=LINES, choice=CHOICES)
    def somebody_plays(self, number: int, choice: int) -> None:
        self.run(lambda: self.lines[number].plays(self.legal, choice))

    @rule(choice=CHOICES)
    def everybody_plays(self, choice: int) -> None:
        for number in range(len(self.lines)):
            self.somebody_plays(number, choice)

    @rule(number=LINES)
    def somebody_says_it_twice(self, number: int) -> None:
        self.run(self.lines[number].repeats)

    @rule(number=LINES)
    def somebody_is_cut_off(self, number: int) -> None:
        self.run(self.lines[number].drops)

    @rule(pair=st.sampled_from([(0, 1), (2, 3), (5, 6)]))
    def two_find_each_other(self, pair: tuple[int, int]) -> None:
        for number in pair:
            self.somebody_connects(number)
        for number in pair if pair != (0, 1) else ():
            self.somebody_wants_something(number, 0)

    @rule(number=CHOICES, plies=st.integers(1, 12), choice=CHOICES)
    def a_game_goes_on(self, number: int, plies: int, choice: int) -> None:
        live = [one for one in self.matches() if self.on_turn(one)]
        for _ in range(plies if live else 0):
            stream = live[number % len(live)]
            identity = self.on_turn(stream)
            line = next((one for one in self.lines if one.identity == identity), None)
            if line is not None and line.connected:
                self.somebody_plays(self.lines.index(line), choice)
            elif identity.startswith("xmpp:"):
                self.a_user_plays(stream, identity, choice)
            elif identity:
                moves = self.legal(identity) or ["0,0"]
                self.asks(stream, PlayMove(identity, moves[choice % len(moves)]))

    def a_user_plays(self, stream: str, identity: str, choice: int) -> None:
        user = next(one for one in self.users.values() if one.identity == identity)
        moves = self.legal(identity) or ["0,0"]
        x, y = moves[choice % len(moves)].split(",")
        xml = turn(len(self.moves_of(stream)) + 1, int(y) + 1, int(x) + 1)
        self.run(
            lambda: self.house.stanza(user, f"<message to='{ROOM}' type='chat'>{xml}</message>")
        )

    # Users of XMPP, all in one room

    @rule(number=st.integers(0, 2), what=st.integers(0, 8), choice=st.integers(0, 8))
    def a_user_says_something(self, number: int, what: int, choice: int) -> None:
        user = list(self.users.values())[number]
        nick = f"{ROOM}/{user.name}"
        played = turn(1 + max((one[0] for one in user.turns), default=0), choice // 3 + 1, 1)
        stanza = [
            f"<presence to='{nick}'><game xmlns='{MUG}' var='{GAME}'/></presence>",
            f"<iq type='set' id='c' to='{ROOM}'><query xmlns='{MUG}#owner'><options>"
            "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>",
            f"<presence to='{ROOM}'><game xmlns='{MUG}'><item role='x'/></game></presence>",
            f"<presence to='{ROOM}'><game xmlns='{MUG}'><item role='o'/></game></presence>",
            f"<message to='{ROOM}'><start xmlns='{MUG}#user'/></message>",
            f"<message to='{ROOM}' type='chat'>{played}</message>",
            f"<presence to='{nick}' type='unavailable'/>",
            f"<message to='{ROOM}'><body>hi</body></message>",
            f"<message to='{ROOM}' type='error'/>",
        ][what]
        self.run(lambda: self.house.stanza(user, stanza))

    @rule()
    def users_begin_a_match(self) -> None:
        for number, what in ((0, 0), (0, 1), (1, 0), (0, 2), (1, 3), (0, 4), (1, 4)):
            self.a_user_says_something(number, what, 0)

    # Guests in browsers, as the host sees them

    @rule(who=st.sampled_from(GUESTS), game=st.sampled_from(["tictactoe", "go"]))
    def a_guest_opens_a_table(self, who: str, game: str) -> None:
        options = {"size": 5} if game == "go" else {}
        create = CreateMatch(game, options, (Newcomer(who, who, GRACE),))
        self.run(lambda: self.house.host.create("match", create) and None)

    @rule(who=st.sampled_from(GUESTS), what=st.integers(0, 4), choice=CHOICES)
    def a_guest_acts(self, who: str, what: int, choice: int) -> None:
        streams = list(self.house.host.directory.unfinished)
        if streams:
            stream = streams[choice % len(streams)]
            moves = self.legal(who) or ["0,0"]
            take = TakeSeat(Newcomer(who, who, GRACE))
            play = PlayMove(who, moves[choice % len(moves)])
            wish: Any = [take, play, play, play, Resign(who)][what]
            self.asks(stream, wish)

    def asks(self, stream: str, wish: Any) -> None:
        def accepted() -> None:
            self.granted.append((stream, len(self.medium.log[stream])))
            if isinstance(wish, PlayMove):
                assert self.is_played(stream, wish)

        def refused(no: Refused) -> None:
            assert str(no)

        self.run(lambda: self.house.host.submit(stream, wish, refused, accepted))

    def is_played(self, stream: str, wish: PlayMove) -> bool:
        """Whether the move is in the log, or what it cost: one that comes too late loses."""
        return any(
            isinstance(event, SeatForfeited)
            or (isinstance(event, MovePlayed) and event.move == wish.move)
            for event in self.events(stream)
        )

    # Who looks on

    @rule(number=st.integers(0, 20), back=st.integers(0, 3))
    def somebody_looks(self, number: int, back: int) -> None:
        streams = self.matches()
        if not streams:
            return
        stream = streams[number % len(streams)]
        ear = Ear(max(0, len(self.medium.log[stream]) - back))
        page = Page(stream)

        def looks() -> None:
            ear.follower = self.house.host.follow(stream, ear.after, ear.deliver)
            if len(self.pages) < PAGES_MOST:
                self.pages.append(page)
                page.follower = self.house.host.follow(stream, 0, page.deliver)

        self.ears.append(ear)
        self.run(looks)

    # What happens to everybody

    @rule(mood=st.sampled_from(["full", "slow", "held", "late"]), acts=st.integers(1, 3))
    def the_medium_has_its_moods(self, mood: str, acts: int) -> None:
        setattr(self.medium, mood, True)

    @rule()
    def the_medium_mends(self) -> None:
        self.run(self.medium.mend)

    @rule(step=st.sampled_from([1, 1_000, 6_000, 31_000, 700_000]))
    def time_passes(self, step: int) -> None:
        self.run(lambda: self.wall.passes(step))

    @rule(by=st.sampled_from([-100_000, -1_000, 1_500, 100_000]))
    def the_wall_clock_is_set(self, by: int) -> None:
        self.wall.is_set(by)

    @rule()
    def the_service_is_killed_and_started_again(self) -> None:
        self.run(self.restarts)


TestDoors = pytest.mark.slow(Doors.TestCase)
TestDoors.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
