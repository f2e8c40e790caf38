"""Any commands at any times: what must hold whatever happens at a table."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from parlour.games import Refused
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    Command,
    CreateMatch,
    Fault,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    Listing,
    Match,
    Newcomer,
    PlayMove,
    Resign,
    Restart,
    SetReady,
    Status,
    TakeSeat,
    Terms,
    Tick,
    TimeControl,
    project,
    wakes_at,
)
from tests.match.tables import MATCHES, Table

PEOPLE = st.sampled_from("abcd")
TERMS = st.builds(
    Terms,
    illegal_move=st.sampled_from(Fault),
    out_of_turn=st.sampled_from(Fault),
    grace=st.sampled_from([0, 500, 30_000]),
    ready=st.booleans(),
    suspends=st.booleans(),
    reclaims=st.booleans(),
    rejoins=st.booleans(),
)
CONTROLS = st.builds(
    TimeControl,
    turn=st.sampled_from([0, 1_000]),
    total=st.sampled_from([0, 5_000]),
    increment=st.sampled_from([0, 100]),
    periods=st.integers(0, 2),
    period=st.just(300),
)
GAMES = st.sampled_from(
    [
        ("tictactoe", {}),
        ("chinese_checkers", {"players": 3}),
        ("chinese_checkers", {"player_counts": "2,3,6", "max_rounds": 3}),
    ]
)


class Evening(RuleBasedStateMachine):
    """One match, and people who do as they like."""

    @initialize(game=GAMES, control=CONTROLS, terms=st.lists(TERMS, min_size=1, max_size=3))
    def opens(
        self, game: tuple[str, dict[str, Any]], control: TimeControl, terms: list[Terms]
    ) -> None:
        self.table = Table()
        self.listing: Listing | None = None
        self.results = 0
        newcomers = tuple(Newcomer(who, who, one) for who, one in zip("abc", terms, strict=False))
        # Tic-tac-toe has no third seat, and what is refused opens no table.
        newcomers = newcomers[:2] if game[0] == "tictactoe" else newcomers
        self.does(CreateMatch(*game, newcomers=newcomers, control=control))

    def does(self, command: Command) -> None:
        before = self.table.match
        try:
            events = self.table.does(command)
        except Refused:
            return
        if before is not None and before.status.finished:
            assert events == []
        for event in events:
            self.listing = project(self.listing, event)
            self.results += type(event).__name__ in ("MatchEnded", "MatchAborted")

    @rule(who=PEOPLE, terms=TERMS)
    def sits_down(self, who: str, terms: Terms) -> None:
        self.does(TakeSeat(Newcomer(who, who, terms)))

    @rule(who=PEOPLE, holder=PEOPLE, seat=st.integers(-1, 3), terms=TERMS)
    def sits_down_instead(self, who: str, holder: str, seat: int, terms: Terms) -> None:
        self.does(TakeSeat(Newcomer(who, who, terms, seat), instead_of=holder))

    @rule(who=PEOPLE, what=st.sampled_from([LeaveSeat, SetReady, Resign, GoAway, ComeBack]))
    def wants(self, who: str, what: Any) -> None:
        self.does(what(who))

    @rule(who=PEOPLE)
    def is_ready_no_longer(self, who: str) -> None:
        self.does(SetReady(who, ready=False))

    @rule(who=PEOPLE)
    def was_a_stranger(self, who: str) -> None:
        self.does(GoAway(who, "GET / HTTP/1.1"))

    @rule()
    def everybody_is_ready(self) -> None:
        for _, player in self.table.state.players():
            self.does(SetReady(player.identity))

    @rule(but=PEOPLE)
    def the_others_come_back(self, but: str) -> None:
        for _, player in self.table.state.players():
            if player.identity != but:
                self.does(ComeBack(player.identity))

    @rule(who=PEOPLE, move=st.sampled_from(["0,0", "1,1", "9,9", "nonsense"]))
    def plays_anything(self, who: str, move: str) -> None:
        self.does(PlayMove(who, move))

    @precondition(lambda self: self.table.state.turn is not None)
    @rule(choice=st.integers(0, 200))
    def plays_well(self, choice: int) -> None:
        match = self.table.state
        assert match.position is not None
        assert match.turn is not None
        player = match.seats[match.turn]
        moves = list(match.position.moves())
        if player is not None and moves:
            self.does(PlayMove(player.identity, moves[choice % len(moves)]))

    @rule(step=st.sampled_from([1, 400, 1_000, 60_000]))
    def time_passes(self, step: int) -> None:
        self.table.now += step

    @rule()
    def is_watched(self) -> None:
        self.does(Tick())
        assert MATCHES.decide(self.table.match, Tick(), self.table.now) == []

    @rule(reclaim=st.sampled_from([0, 1_000]))
    def service_restarts(self, reclaim: int) -> None:
        self.does(Restart(self.table.now + reclaim))

    @rule(seat=st.integers(-1, 3))
    def operator_acts(self, seat: int) -> None:
        self.does(ForfeitSeat(seat, ForfeitCause.OPERATOR))

    @precondition(lambda self: len(self.table.log) > 12)
    @rule()
    def is_closed(self) -> None:
        self.does(AbortMatch(AbortCause.OPERATOR))

    @invariant()
    def counts_its_events(self) -> None:
        assert self.table.state.version == len(self.table.log)

    def teardown(self) -> None:
        """What the log says is what the match is."""
        again: Match | None = None
        for data in self.table.log:
            again = MATCHES.evolve(again, MATCHES.decode(data))
        assert again == self.table.match

    @invariant()
    def owes_nobody_time(self) -> None:
        clock = self.table.state.clock
        assert clock is None or min(clock.spent, *clock.left, *clock.periods) >= 0

    @invariant()
    def has_one_result_at_most(self) -> None:
        assert self.results == self.table.state.status.finished

    @invariant()
    def seats_nobody_twice(self) -> None:
        identities = [player.identity for _, player in self.table.state.players()]
        assert len(identities) == len(set(identities))

    @invariant()
    def is_listed_as_it_is(self) -> None:
        assert self.listing is not None
        match = self.table.state
        assert self.listing.status is match.status
        sitters = {sitter.seat: sitter.identity for sitter in self.listing.sitters}
        assert sitters == {seat: player.identity for seat, player in match.players()}
        for sitter in self.listing.sitters if match.status is Status.OPEN else ():
            player = match.player(sitter.seat)
            assert sitter.ready == player.ready
            assert sitter.away == (player.away_since is not None)

    @invariant()
    def wakes_only_when_there_is_something_to_do(self) -> None:
        at = wakes_at(self.table.state)
        if at is not None:
            assert self.table.state.status is not Status.ABORTED
            assert MATCHES.decide(self.table.match, Tick(), max(at, self.table.now)) != []
            if at > self.table.now:
                assert MATCHES.decide(self.table.match, Tick(), at - 1) == []

    @invariant()
    def goes_on_as_soon_as_it_can(self) -> None:
        match = self.table.state
        assert not (match.status is Status.OPEN and match.can_start())
        assert not (match.status is Status.SUSPENDED and match.can_resume())

    @invariant()
    def stands_still_exactly_while_suspended(self) -> None:
        match = self.table.state
        if match.status.started:
            assert match.clock is not None
            assert (match.pause is not None) == (match.status is Status.SUSPENDED)
            assert match.clock.running == (None if match.pause else match.turn)
        elif match.clock is not None:
            assert match.clock.running is None
        if match.status is Status.LIVE:
            assert match.turn is not None
            assert all(match.seats[seat] for seat in range(len(match.seats)) if match.playing(seat))

    @invariant()
    def does_not_outlive_its_players(self) -> None:
        match = self.table.state
        if match.status.started:
            assert any(match.playing(seat) for seat, _ in match.players())

    @invariant()
    def is_recovered_unread_as_it_would_be_read(self) -> None:
        assert self.listing is not None
        now, until = self.table.now, self.table.now + 1_000
        unread = MATCHES.restarted(self.listing, until, now)
        if unread is not None:
            assert unread == MATCHES.decide(self.table.match, Restart(until), now)


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=80, stateful_step_count=30)
