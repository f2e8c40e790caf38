"""The matches of one room: the one at its table is followed and told, and the next one put up."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from parlour.gateways.mug._asking import Asking, Commands
from parlour.gateways.mug._house import House
from parlour.gateways.mug._mending import Mending
from parlour.gateways.mug._room import Occupant, Room
from parlour.gateways.mug._room_commands import EndRound
from parlour.gateways.mug._tables import seated, table
from parlour.gateways.mug._teller import SAID_LONGEST, Teller
from parlour.gateways.mug._view import View, identity_of, user_of
from parlour.host import ChatLine, Follower, Listener, Recorded
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    ForfeitCause,
    ForfeitSeat,
    GoAway,
    LeaveSeat,
    Match,
    SeatLeft,
    SeatTaken,
    SetReady,
    Status,
)
from parlour.wire import clean


class Rounds:
    """What a room does with its match.

    `mending` guards what is told to a follower; `known` is called when the match is known at last.
    """

    def __init__(
        self,
        house: House,
        stream: str,
        view: View,
        teller: Teller,
        asking: Asking,
        mending: Mending,
        known: Callable[[], None],
    ) -> None:
        self._house = house
        self._stream = stream
        self._view = view
        self._teller = teller
        self._asking = asking
        self._mending = mending
        self._known = known
        self._follower: Follower | None = None
        self._listener: Listener | None = None
        self._none_missing: tuple[Match, Room] | None = None  # while both are still the same

    # Following

    def follow(self, stream: str, after: int, match: Match | None = None) -> None:
        """Tell the facts of that match from now on."""
        self.stop()
        self._view.show(match)
        told = self._mending.guarded(self._told)
        self._follower = self._house.host.follow(stream, after, told, self._mending.lost)
        self._listener = self._house.chat.listen(
            stream, self._heard, lambda: len(self._view.room.sessions)
        )

    def leave_table(self) -> None:
        """There is no match any more."""
        self.stop()
        self._view.show(None)

    def stop(self) -> None:
        """Tell nothing any more."""
        if self._follower is not None:
            self._follower.stop()
            self._follower = None
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def _heard(self, lines: Sequence[ChatLine]) -> None:
        for line in lines:
            self._teller.spoken(line)

    def _told(self, records: Sequence[Recorded]) -> None:
        if self._view.match is None:
            asyncio.get_running_loop().call_soon(self._known)
        self._view.show(records[-1].state)
        self._teller.told(records)
        if records[-1].state.status.finished:
            self.end()
            return
        changed = {type(one.event) for one in records}
        if SeatTaken in changed:
            self.miss()  # who sat down may have left while the match was not known yet
        if not changed.isdisjoint((SeatTaken, SeatLeft)):
            self.forget_starts()

    # What the room asks of it

    def say(self, occupant: Occupant, text: str) -> None:
        """Let those hear it who look at the match through other protocols."""
        match = self._view.room.match
        if match:
            said, now = clean(text, SAID_LONGEST), self._house.host.now()
            identity = identity_of(occupant.user)
            self._house.chat.say(ChatLine(match, identity, occupant.nick, said, now))

    def come_back(self, user: str) -> None:
        """A player who was away is there again."""
        match, seat = self._view.match, self._view.seat_of(user)
        if match is not None and seat is not None and match.player(seat).away_since is not None:
            self._asking.insist(self._view.room.match, ComeBack(identity_of(user)))

    def go_away(self, user: str, *, for_good: bool) -> None:
        """A player is no longer in the room, and may come back unless it is `for_good`."""
        if self._view.seat_of(user) is None:
            return
        if for_good:
            self._asking.insist(self._view.room.match, LeaveSeat(identity_of(user)))
        else:
            self._asking.submit(self._view.room.match, GoAway(identity_of(user)))

    def make_up(self, users: Iterable[str]) -> None:
        """Do what may have been missed of who came and who went; `users` are surely inside."""
        for user in users:
            self.come_back(user)
        self.miss()

    def miss(self) -> None:
        """Players who are not in the room are away. Who is in it may still be in doubt.

        Asked for again until it is recorded, but not when they have come in again meanwhile.
        """
        match, room, known = self._view.match, self._view.room, self._none_missing
        if match is None or (known is not None and known[0] is match and known[1] is room):
            return
        self._none_missing = match, room
        if match.status.finished:
            return
        for _, player in match.players():
            user = user_of(player.identity)
            if user and user not in room.occupants and player.away_since is None:
                self._none_missing = None
                self.go_away(user, for_good=False)

    def look_at_the_clock(self, now: int) -> None:
        """At a table with others a turn has its time: they may know no way to leave it."""
        match, limit = self._view.match, self._house.options.turn_limit * 1000
        if not limit or match is None or match.status is not Status.LIVE or match.clock is None:
            return
        clock, outbox = match.clock, self._house.outbox
        if clock.spent + now - clock.since < limit:  # as in nearly every room
            return
        if not outbox.up or clock.running is None:  # off line nobody of the room can make a turn
            return
        since = max(clock.since, outbox.up_since)
        if clock.spent + now - since >= limit and self._view.guests():
            # The move may be on its way to the log: then it was made in time.
            ply = None if match.position is None else match.position.ply
            forfeit = ForfeitSeat(clock.running, ForfeitCause.TIME, ply=ply)
            self._asking.submit(self._view.room.match, forfeit)

    def forget_starts(self) -> None:
        """After a change of roles or configuration players start again. "Game Start"."""
        match = self._view.match
        if match is None or match.status is not Status.OPEN:
            return
        for _, player in match.players():
            if player.ready and user_of(player.identity):
                self._asking.insist(self._view.room.match, SetReady(player.identity, ready=False))

    def end(self) -> None:
        """The match is over: take it away, and seat those who are still here for the next."""
        view, match = self._view, self._view.match
        if match is None or not match.status.finished:
            return
        outcome, room = match.outcome, view.room
        winner = outcome.winner if outcome is not None else None
        options = dict(room.options)
        if outcome is not None:
            options = view.play.next_options(options)
        newcomers = seated(room, match, self._house.options.grace)
        stream = self._house.host.name("match") if newcomers else ""
        won = "" if winner is None else match.seat_names[winner]
        drawn = outcome is not None and winner is None
        commands: list[tuple[str, Any]] = [
            (self._stream, EndRound(room.match, options, won, drawn, stream))
        ]
        if stream:
            commands.append((stream, table(replace(room, options=options), newcomers)))
        self._asking.submit_together(commands)

    def end_with_room(self) -> Commands:
        """What ends the match along with its room, unless somebody else sits at the table.

        Who sits down in the same moment is not called off: nothing is recorded then. When the room
        is closed again, within a second, they keep the table: it outlives its room.
        """
        view = self._view
        if not view.room.match or view.guests():
            return ()
        ours = tuple(player.identity for _, player in view.players())
        return ((view.room.match, AbortMatch(AbortCause.EMPTY, only_with=ours)),)
