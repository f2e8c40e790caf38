"""Rooms from the first entry to the end, whatever happens in them and in whatever order.

Several stanzas may come before the loop turns, and while the disk is slow everything else meets
what is on its way. When all is at rest no match is without its room, no room without a reason,
nobody waits for nothing, and whoever is inside knows what somebody would be told who came in now.
"""

from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from parlour.gateways import Ban, BanKind
from parlour.gateways.mug._view import user_of
from parlour.match import GoAway, LeaveSeat, PlayMove, Resign
from tests.gateways.mug.lifecycle import REST, RoomLaws
from tests.gateways.mug.stage import DOMAIN, GAME, MUG, STANZAS, Stranger, turn

USERS = ("anna", "ben", "carl")
SESSIONS = tuple(f"{user}@example.org/{where}" for user in USERS for where in ("home", "phone"))
OWNER = f"{MUG}#owner"

THEN = st.sampled_from([REST, REST, REST, 0, 0, 1, 2, 5])  # turns of the loop until the next
WHO = st.sampled_from([*SESSIONS[::2], *SESSIONS])
ROOM = st.sampled_from(["garden", "garden", "garden", "pond"])
ROLES = st.sampled_from(["x", "o"])
ROWS = [
    f"<options xmlns='{GAME}'><x xmlns='jabber:x:data' type='submit'>"
    f"<field var='mug/tictactoe#config_rows'><value>{rows}</value></field></x></options>"
    for rows in (4, 3)
]
FIELDS = ["", "membersonly=1", "membersonly=0", "public=0", "lenient=1"]
CONFIGS = st.sampled_from([*ROWS, *FIELDS])
WHAT = st.integers(0, 7)
PAIRS = st.permutations(SESSIONS[::2]).map(lambda them: (them[0], them[1]))


class Rooms(RoomLaws):
    """What may happen to them."""

    # Who comes and goes

    @initialize(room=ROOM, count=st.integers(0, 7))
    def opens(self, room: str, count: int) -> None:
        self.a_match_begins(room, (SESSIONS[0], SESSIONS[2]), count, REST)

    @rule(room=ROOM, pair=PAIRS, count=st.sampled_from([4, 5, 6, 7, 7, 7, 7]), then=THEN)
    def a_match_begins(self, room: str, pair: tuple[str, str], count: int, then: int) -> None:
        """Or nearly so, and as far as they may."""
        one, other = pair
        steps: list[Callable[[int], None]] = [
            lambda then: self.somebody_comes_in(one, room, then),
            lambda then: self.configures(one, room, "", then),
            lambda then: self.somebody_comes_in(other, room, then),
            lambda then: self.takes(one, room, "x", then),
            lambda then: self.takes(other, room, "o", then),
            lambda then: self.starts(one, room, then),
            lambda then: self.starts(other, room, then),
        ]
        for step in steps[:count]:
            step(then)

    def comes_in(self, who: str, room: str, nick: str, then: int) -> None:
        game = f"<game xmlns='{MUG}' var='{GAME}'/>"
        xml = f"<presence to='{room}@{DOMAIN}/{nick}'>{game}</presence>"
        self.does(lambda: self.says(who, xml), then)

    @rule(who=WHO, room=ROOM, then=THEN)
    def somebody_comes_in(self, who: str, room: str, then: int) -> None:
        self.comes_in(who, room, who.partition("@")[0], then)

    @rule(who=WHO, room=ROOM, nick=st.sampled_from(["anna", "zoe", "player"]), then=THEN)
    def somebody_takes_a_name(self, who: str, room: str, nick: str, then: int) -> None:
        self.comes_in(who, room, nick, then)

    @rule(who=WHO, room=ROOM, then=THEN)
    def somebody_leaves(self, who: str, room: str, then: int) -> None:
        xml = f"<presence type='unavailable' to='{room}@{DOMAIN}/me'/>"
        self.does(lambda: self.says(who, xml), then)

    @rule(room=ROOM, then=THEN)
    def all_leave(self, room: str, then: int) -> None:
        for who in SESSIONS:
            self.somebody_leaves(who, room, 0)
        self.does(lambda: None, then)

    @rule(who=WHO, room=ROOM, then=THEN)
    def somebody_cannot_be_reached(self, who: str, room: str, then: int) -> None:
        error = f"<error type='cancel'><gone xmlns='{STANZAS}'/></error>"
        xml = f"<message type='error' to='{room}@{DOMAIN}'>{error}</message>"
        self.does(lambda: self.says(who, xml), then)

    @rule(who=WHO, then=THEN)
    def somebody_is_put_out(self, who: str, then: int) -> None:
        self.does(lambda: self.stage.gateway.operator.send_away(who, "out"), then)

    @rule(user=st.sampled_from(USERS), until=st.sampled_from([1, 5_000]), then=THEN)
    def somebody_is_banned(self, user: str, until: int, then: int) -> None:
        def bans() -> None:
            ban = Ban(BanKind.JID, f"{user}@example.org", self.stage.now + until)
            self.bans.put([ban])
            for session in SESSIONS:
                if session.startswith(user):
                    self.stage.gateway.operator.send_away(session, "banned")

        self.does(bans, then)

    # What they do

    @rule(who=WHO, room=ROOM, role=ROLES, then=THEN)
    def takes(self, who: str, room: str, role: str, then: int) -> None:
        game = f"<game xmlns='{MUG}'><item role='{role}'/></game>"
        self.does(lambda: self.says(who, f"<presence to='{room}@{DOMAIN}'>{game}</presence>"), then)

    @rule(who=WHO, room=ROOM, then=THEN)
    def gives_up(self, who: str, room: str, then: int) -> None:
        self.takes(who, room, "none", then)

    @rule(who=WHO, room=ROOM, then=THEN)
    def starts(self, who: str, room: str, then: int) -> None:
        xml = f"<message to='{room}@{DOMAIN}'><start xmlns='{MUG}#user'/></message>"
        self.does(lambda: self.says(who, xml), then)

    @rule(room=ROOM, then=THEN)
    def all_start(self, room: str, then: int) -> None:
        for who in SESSIONS[::2]:
            self.starts(who, room, 0)
        self.does(lambda: None, then)

    @rule(room=ROOM, choice=st.integers(0, 8), then=THEN)
    def somebody_moves(self, room: str, choice: int, then: int) -> None:
        self.does(lambda: self.moves(room, choice), then)

    @rule(room=ROOM, count=st.integers(1, 7), then=THEN)
    def a_game_goes_on(self, room: str, count: int, then: int) -> None:
        for _ in range(count - 1):
            self.does(lambda: self.moves(room, 0), REST if then == REST else 5)
        self.does(lambda: self.moves(room, 0), then)

    @rule(room=ROOM, pair=PAIRS, turns=st.integers(0, 8), what=WHAT, then=THEN)
    def something_meets_the_last_move(
        self, room: str, pair: tuple[str, str], turns: int, what: int, then: int
    ) -> None:
        """Of a match that is played to its end, where nothing is in the way."""
        self.a_match_begins(room, pair, 7, REST)
        for _ in range(6):
            self.does(lambda: self.moves(room, 0), REST)
        self.does(lambda: self.moves(room, 0), turns)
        self.happens_too(pair[0], room, what, then)

    @rule(
        room=ROOM, who=WHO, role=ROLES, count=st.integers(0, 8), what=WHAT, first=st.booleans(),
        then=THEN,
    )  # fmt: skip
    def something_meets_a_stranger(
        self, room: str, who: str, role: str, count: int, what: int, first: bool, then: int
    ) -> None:
        """Who is about to sit down, or has just done so."""
        self.somebody_comes_in(who, room, 0)
        self.configures(who, room, "", REST)
        self.takes(who, room, role, REST)
        self.starts(who, room, REST)
        if first:
            self.a_stranger_comes(count)
            self.happens_too(who, room, what, then)
        else:
            self.happens_too(who, room, what, count)
            self.a_stranger_comes(then)

    def happens_too(self, who: str, room: str, what: int, then: int) -> None:
        """One of what may happen at any time."""
        [
            lambda: self.the_operator_closes_a_room(room, then),
            lambda: self.all_leave(room, then),
            lambda: self.somebody_is_put_out(who, then),
            lambda: self.configures(who, room, ROWS[0], then),
            lambda: self.gives_up(who, room, then),
            lambda: self.the_stream_is_lost_or_back(True, then),
            lambda: self.somebody_cannot_be_reached(who, room, then),
            lambda: self.somebody_errs(who, room, then),
        ][what]()

    def moves(self, room: str, choice: int) -> None:
        keeper = self.keeper(room)
        match = keeper.view.match if keeper is not None else None
        if match is None or match.position is None or match.position.turn is None:
            return
        player = match.seats[match.position.turn]
        if player is None or not (user := user_of(player.identity)):
            return
        moves = list(match.position.moves())
        x, y = moves[choice % len(moves)].split(",")
        move = turn(match.position.ply + 1, int(y) + 1, int(x) + 1)
        self.says(f"{user}/home", f"<message to='{room}@{DOMAIN}' type='chat'>{move}</message>")

    @rule(who=WHO, room=ROOM, then=THEN)
    def somebody_errs(self, who: str, room: str, then: int) -> None:
        xml = f"<message to='{room}@{DOMAIN}' type='chat'>{turn(1, 9, 9)}</message>"
        self.does(lambda: self.says(who, xml), then)

    @rule(who=WHO, room=ROOM, config=CONFIGS, then=THEN)
    def configures(self, who: str, room: str, config: str, then: int) -> None:
        name, _, value = config.partition("=") if not config.startswith("<") else ("", "", "")
        field = f"<field var='mug#roomconfig_{name}'><value>{value}</value></field>" if name else ""
        form = f"<x xmlns='jabber:x:data' type='submit'>{field}</x>"
        form += config if config.startswith("<") else ""
        self.asks(who, room, form, then)

    @rule(who=WHO, room=ROOM, then=THEN)
    def cancels(self, who: str, room: str, then: int) -> None:
        self.asks(who, room, "<x xmlns='jabber:x:data' type='cancel'/>", then)

    def asks(self, who: str, room: str, form: str, then: int) -> None:
        query = f"<query xmlns='{OWNER}'><options>{form}</options></query>"
        xml = f"<iq type='set' id='c' to='{room}@{DOMAIN}'>{query}</iq>"
        self.does(lambda: self.says(who, xml), then)

    # A player of another protocol

    @rule(then=THEN)
    def a_stranger_comes(self, then: int) -> None:
        def comes() -> None:
            if self.stranger is not None:
                self.stage.pairer.cancel(self.stranger.identity)
                self.strange(GoAway)
            self.stranger = Stranger(self.stage, f"player{next(self.strangers)}")

        self.does(comes, then)

    @rule(who=st.sampled_from(SESSIONS[::2]), room=ROOM, role=ROLES, then=THEN)
    def a_role_is_offered(self, who: str, room: str, role: str, then: int) -> None:
        self.takes(who, room, role, then)
        self.starts(who, room, then)
        self.a_stranger_comes(then)

    @rule(how=st.sampled_from([GoAway, LeaveSeat, Resign]), then=THEN)
    def a_stranger_goes(self, how: Any, then: int) -> None:
        self.does(lambda: self.strange(how), then)

    @rule(choice=st.integers(0, 8), then=THEN)
    def a_stranger_moves(self, choice: int, then: int) -> None:
        def move(identity: str) -> PlayMove:
            return PlayMove(identity, f"{choice % 3},{choice // 3}")

        self.does(lambda: self.strange(move), then)

    def strange(self, command: Callable[[str], Any]) -> None:
        if self.stranger is not None and self.stranger.stream:
            self.stranger.does(command(self.stranger.identity))

    # What happens to all of them

    @rule(room=ROOM, then=THEN)
    def the_operator_closes_a_room(self, room: str, then: int) -> None:
        def closes() -> None:
            close = self.stage.gateway.operator.close_room(room, "enough")
            self.closings.append(self.loop.create_task(close))

        self.does(closes, then)

    @rule(seconds=st.sampled_from([1, 20, 61, 121, 301, 601, 700]), then=THEN)
    def time_passes(self, seconds: int, then: int) -> None:
        async def passes() -> None:
            await self.passes(seconds * 1000)
            await self.passes(1_000)

        self.does(passes, then)

    @rule(up=st.booleans(), then=THEN)
    def the_stream_is_lost_or_back(self, up: bool, then: int) -> None:
        self.does(lambda: self.stage.gateway.disconnected(), then)
        if up:
            self.does(lambda: self.stage.gateway.connected(), then)

    @rule(then=THEN)
    def the_stream_is_back(self, then: int) -> None:
        def back() -> None:
            if not self.stage.gateway._house.outbox.up:
                self.stage.gateway.connected()

        self.does(back, then)

    @rule(who=WHO, alive=st.booleans(), then=THEN)
    def somebody_answers(self, who: str, alive: bool, then: int) -> None:
        def answers() -> None:
            for name, asked in list(self.stage.gateway._pulse._asked.items()):
                if asked[1] == who:
                    kind = "result" if alive else "error"
                    to = asked[0].view.address
                    self.says(who, f"<iq type='{kind}' id='{name}' to='{to}'/>")
                    if not alive:  # the probe comes back
                        error = f"<error type='cancel'><gone xmlns='{STANZAS}'/></error>"
                        self.says(who, f"<message type='error' to='{to}'>{error}</message>")

        self.does(answers, then)

    @rule(alive=st.booleans(), then=THEN)
    def all_answer(self, alive: bool, then: int) -> None:
        for who in SESSIONS:
            self.somebody_answers(who, alive, 0)
        self.does(lambda: None, then)

    @rule(then=THEN)
    def the_service_is_killed_and_started_again(self, then: int) -> None:
        async def restarts() -> None:
            down = not self.stage.gateway._house.outbox.up
            untold = down or self.medium.late or self.medium.on_way
            await self.dies()
            self.looks()
            if untold:  # and nobody knows any more what it was
                self.pictures.clear()
            self.medium.lose()
            await self.medium.quiet()
            await self.begins()

        self.does(restarts, then)


class SlowRooms(Rooms):
    """The same on a disk that is slow at times, or full."""

    @rule(mood=st.sampled_from(["held", "late", "full"]))
    def the_disk_is_slow(self, mood: str) -> None:
        self.does(lambda: setattr(self.medium, mood, True), REST)

    @rule(then=THEN)
    def the_disk_is_quick_again(self, then: int) -> None:
        self.does(self.medium.mend, then)

    @rule(count=st.integers(1, 3), then=THEN)
    def some_is_written(self, count: int, then: int) -> None:
        def writes() -> None:
            waiting = self.medium._waiting
            some = waiting[:count]
            del waiting[:count]
            for go_on in some:
                go_on()

        self.does(writes, then)


# The same ones each time; with other numbers it is a search.
ENOUGH = settings(max_examples=80, stateful_step_count=25, deadline=None, derandomize=True)
TestRooms = Rooms.TestCase
TestRooms.settings = ENOUGH
TestSlowRooms = SlowRooms.TestCase
TestSlowRooms.settings = ENOUGH
