"""One room at work: its stanzas one at a time, its facts to everybody, its policies."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from parlour.games import Refused
from parlour.gateways.mug._asking import Asking
from parlour.gateways.mug._house import House
from parlour.gateways.mug._room import Occupant, Room
from parlour.gateways.mug._room_commands import CloseRoom, EndRound
from parlour.gateways.mug._room_events import (
    AffiliationChanged,
    Closure,
    Departure,
    NickChanged,
    OccupantEntered,
    OccupantLeft,
    RoomClosed,
    RoomConfigured,
    RoundEnded,
    RoundOpened,
)
from parlour.gateways.mug._tables import seated, table
from parlour.gateways.mug._teller import SAID_LONGEST, Teller
from parlour.gateways.mug._view import View, identity_of, user_of
from parlour.host import ChatLine, Deliver, Follower, Recorded, StoreError, nothing
from parlour.match import (
    AbortCause,
    AbortMatch,
    ComeBack,
    GoAway,
    LeaveSeat,
    Match,
    SeatLeft,
    SeatTaken,
    SetReady,
    Status,
)
from parlour.wire import clean
from parlour.wire.mug import Condition, Stanza, bare

log = logging.getLogger("parlour.mug")

INBOX_MOST = 1_000  # stanzas of one room that wait for a slow store

Handle = Callable[["Keeper", Stanza], None]
WHY_CLOSED = {
    Closure.EMPTY: "nobody is here",
    Closure.UNCONFIGURED: "the room was never configured",
    Closure.CANCELLED: "the room is not wanted",
}


class Keeper:
    """A room.

    The next stanza is looked at when the facts of the one before have been told, so what `view`
    shows is never older than what the sender knew.
    """

    def __init__(
        self,
        house: House,
        stream: str,
        view: View,
        handle: Handle,
        closed: Callable[["Keeper"], None],
    ) -> None:
        self.house = house
        self.stream = stream
        self.view = view
        self.teller = Teller(view, house.outbox)
        self.empty_since = house.host.now()
        self._handle = handle
        self._closed = closed
        self.asking = Asking(house.host, self._settled)
        self._inbox: deque[Stanza] = deque()
        self._at_work = ""  # whose stanza was handled last
        self._created = True
        self._follower: Follower | None = None
        self._match: Follower | None = None
        self._unlisten: Callable[[], None] = nothing
        self._mending: asyncio.Task[None] | None = None
        self._broken = False

    @property
    def room(self) -> Room:
        """The room as it has been told."""
        return self.view.room

    # What comes in

    def begin(self) -> None:
        """Tell the facts of a room that is being created; its stanzas wait for that."""
        self._created = False
        self.asking.expect()
        self.follow(0)

    async def resume(self, version: int) -> None:
        """Go on with a room of the last run, of which `version` events are known.

        A room whose match cannot be read goes on without it.

        Raises:
            StoreError: the medium failed.
        """
        stream = self.room.match
        try:
            if stream:
                match, after = await self.house.host.state(stream)
                self.follow_match(stream, after, match)
        except Refused as no:
            log.error("%s goes on without its match: %s", self.view.address, no.detail)
            self.asking.submit(self.stream, EndRound(stream, dict(self.room.options)))
        self.teller.assume()
        self.follow(version)

    def follow(self, after: int) -> None:
        """Begin to tell the facts of the room past version `after`."""
        self._follower = self.house.host.follow(self.stream, after, self._or_anew(self._room_told))

    def receive(self, stanza: Stanza) -> None:
        """A stanza for the room; it is handled when those before it are done."""
        leaves = stanza.type == "unavailable"
        if (leaves or stanza.type == "error") and not self._concerns(stanza):
            return
        if len(self._inbox) >= INBOX_MOST and not leaves:
            self.house.outbox.refuse(stanza, Condition.RESOURCE_CONSTRAINT, "too many wait")
            return
        self._inbox.append(stanza)
        self._work()

    def _concerns(self, stanza: Stanza) -> bool:
        """Whether a leave or a bounce can be that of an occupant, and of one who has not left.

        Servers send a leave for each address that was tried, in whatever number.
        """
        sender = stanza.sender
        before = next((one for one in reversed(self._inbox) if one.sender == sender), None)
        if before is not None:
            return before.type != "unavailable"
        inside = self.room.inside(sender) is not None
        return inside or sender == self._at_work or not self._created

    def left_over(self) -> list[Stanza]:
        """What nobody has looked at: asked for when the room is gone."""
        rest, self._inbox = list(self._inbox), deque()
        return rest

    def stop(self) -> None:
        """Tell nothing any more."""
        self._drop_followers()
        if self._mending is not None:
            self._mending.cancel()

    def _drop_followers(self) -> None:
        for follower in (self._follower, self._match):
            if follower is not None:
                follower.stop()
        self._follower = self._match = None
        self._unlisten()
        self._unlisten = nothing

    # One at a time

    def _work(self) -> None:
        while self._inbox and not self._waits():
            stanza = self._inbox.popleft()
            self._at_work = stanza.sender
            try:
                self._handle(self, stanza)
            except Exception:
                log.exception("cannot handle a %s for %s", stanza.kind, self.view.address)

    def _waits(self) -> bool:
        """Whether something is on its way that the next stanza may depend on."""
        unknown = bool(self.room.match) and self.view.match is None
        return self.asking.busy or unknown or self.room.closed

    def _settled(self) -> None:
        asyncio.get_running_loop().call_soon(self._work)

    # After a mistake of ours

    def _or_anew(self, tell: Callable[[Sequence[Recorded]], None]) -> Deliver:
        """A follower that fails is told no more: the room would stand still for good."""

        def told(records: Sequence[Recorded]) -> None:
            try:
                tell(records)
            except Exception:
                log.exception("cannot tell what happened in %s", self.view.address)
                self._begin_anew()

        return told

    def _begin_anew(self) -> None:
        self._drop_followers()
        self._broken = False
        if self._mending is None:
            self.asking.expect()  # nothing is decided by what may be wrong
            self._mending = asyncio.get_running_loop().create_task(self._read_anew())

    async def _read_anew(self) -> None:
        try:
            self.view.room, version = await self.house.host.state(self.stream)
            self.view.match = None
            if self.room.closed:
                self._closed(self)
                return
            await self.resume(version)
            self._make_up()
        except (Refused, StoreError) as error:
            log.error("%s stands still: %s", self.view.address, error)
            self._broken = True
        except Exception:
            log.exception("cannot tell anew what is so in %s", self.view.address)
        finally:
            self._mending = None
            if not self._created:
                self._created = True
                self.asking.done()
            self.asking.done()

    def _make_up(self) -> None:
        """Do what may have been missed, and tell everybody what is so."""
        for _, player in self.view.players():
            user = user_of(player.identity)
            if user in self.room.occupants:
                self.come_back(user)
            elif user and player.away_since is None:
                self.asking.insist(self.room.match, GoAway(player.identity))
        for occupant in self.room.occupants.values():
            for session in occupant.sessions:
                self.teller.welcome(session, occupant)

    # What is told: the room

    def _room_told(self, records: Sequence[Recorded]) -> None:
        for record in records:
            before = self.view.room
            self.view.room = record.state
            self._room_fact(record.event, before)
        if not self._created:
            self._created = True
            self.asking.done()
        if isinstance(records[-1].event, RoundEnded):  # and no other has been opened
            self.teller.sync()
        if self.room.closed:
            self.stop()
            self._closed(self)

    def _room_fact(self, event: Any, before: Room) -> None:
        match event:
            case OccupantEntered(session=session):
                self._entered(session)
            case OccupantLeft():
                self._left(event, before)
            case NickChanged(user=user, nick=nick):
                self.teller.renamed(before.occupants[user], nick)
            case AffiliationChanged(user=user):
                self.teller.affiliated(user)
            case RoomConfigured():
                self.teller.configured(changed=before.configured)
                self.forget_starts()
            case RoundOpened(stream=stream):
                self.follow_match(stream, 0)
            case RoundEnded(won=won, drawn=drawn):
                self.follow_match("", 0)
                self.teller.round_ended(won, drawn)
            case RoomClosed(cause=cause):
                self.teller.closed(before.occupants.values(), WHY_CLOSED[cause])
            case _:
                pass

    def _entered(self, session: str) -> None:
        user = bare(session)
        self.teller.entered(session, self.room.occupants[user])
        self.come_back(user)

    def come_back(self, user: str) -> None:
        """A player who was away is there again."""
        match, seat = self.view.match, self.view.seat_of(user)
        if match is not None and seat is not None and match.player(seat).away_since is not None:
            self.asking.insist(self.room.match, ComeBack(identity_of(user)))

    def _left(self, event: OccupantLeft, before: Room) -> None:
        user = bare(event.session)
        self.teller.left(event.session, before.occupants[user], event.cause)
        if user in self.room.occupants:
            return
        if self.view.seat_of(user) is not None:
            given_up = event.cause is Departure.INVALID_TURN
            self.asking.insist(
                self.room.match,
                LeaveSeat(identity_of(user)) if given_up else GoAway(identity_of(user)),
            )
        if not self.room.occupants:
            self.empty_since = event.at
            self._empty(event.cause)

    def _empty(self, cause: Departure) -> None:
        """Nobody is inside: who was lost may come back, who left will not be waited for."""
        match = self.view.match
        waits = match is not None and match.status.started
        if cause is not Departure.UNREACHABLE and not waits:
            self.close(Closure.EMPTY)

    def close(self, cause: Closure) -> None:
        """End the room, and the match that nobody but its lost players can go on with."""
        commands: list[tuple[str, Any]] = [(self.stream, CloseRoom(cause))]
        if self.room.match and not self.view.guests():
            commands.append((self.room.match, AbortMatch(AbortCause.EMPTY)))
        self.asking.submit_together(commands)

    # What is told: the match

    def follow_match(self, stream: str, after: int, match: Match | None = None) -> None:
        """Tell the facts of that match from now on, or of none."""
        if self._match is not None:
            self._match.stop()
            self._match = None
        self._unlisten()
        self._unlisten = nothing
        self.view.match = match
        if stream:
            self._match = self.house.host.follow(stream, after, self._or_anew(self._match_told))
            self._unlisten = self.house.chat.listen(stream, self.teller.heard)

    def say(self, occupant: Occupant, text: str) -> None:
        """Let those hear it who look at the match through other protocols."""
        if self.room.match:
            said = clean(text, SAID_LONGEST)
            identity, now = identity_of(occupant.user), self.house.host.now()
            self.house.chat.say(ChatLine(self.room.match, identity, occupant.nick, said, now))

    def _match_told(self, records: Sequence[Recorded]) -> None:
        if self.view.match is None:
            asyncio.get_running_loop().call_soon(self._work)
        self.view.match = records[-1].state
        self.teller.told(records)
        self._policies(records)

    def _policies(self, records: Sequence[Recorded]) -> None:
        match = self.view.match
        if match is None:
            return
        if match.status.finished:
            self.end_round()
        elif any(isinstance(one.event, SeatTaken | SeatLeft) for one in records):
            self.forget_starts()

    def forget_starts(self) -> None:
        """After a change of roles or configuration players start again. "Game Start"."""
        match = self.view.match
        if match is None or match.status is not Status.OPEN:
            return
        for _, player in match.players():
            if player.ready and user_of(player.identity):
                self.asking.insist(self.room.match, SetReady(player.identity, ready=False))

    def end_round(self) -> None:
        """The match is over: take it away, and seat those who are still here for the next."""
        match = self.view.match
        if match is None or not match.status.finished:
            return
        outcome = match.outcome
        winner = outcome.winner if outcome is not None else None
        options = dict(self.room.options)
        if outcome is not None:
            options = self.view.play.next_options(options)
        newcomers = seated(self.room, match, self.house.options.grace)
        stream = self.house.new_match() if newcomers else ""
        won = "" if winner is None else match.seat_names[winner]
        drawn = outcome is not None and winner is None
        end = EndRound(self.room.match, options, won, drawn, stream)
        commands: list[tuple[str, Any]] = [(self.stream, end)]
        if stream:
            commands.append((stream, table(replace(self.room, options=options), newcomers)))
        self.asking.submit_together(commands)

    def tick(self, now: int) -> None:
        """Close what has been left; try again what a failing store prevented."""
        options = self.house.options
        if self._broken:
            self._begin_anew()
        if not self.room.configured:
            if now - self.room.created_at >= options.unconfigured * 1000:
                self.close(Closure.UNCONFIGURED)
        elif not self.room.occupants and now - self.empty_since >= options.empty * 1000:
            self.close(Closure.EMPTY)
        if not self.asking.busy:
            self.end_round()
