"""One room at work: what is asked of it, and its own facts as they become so."""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from parlour.games import Refused
from parlour.gateways.mug._asking import Asking
from parlour.gateways.mug._house import House
from parlour.gateways.mug._inbox import Inbox
from parlour.gateways.mug._leaves import Leaves
from parlour.gateways.mug._mending import Mending
from parlour.gateways.mug._outbox import Payload
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
from parlour.gateways.mug._rounds import Rounds
from parlour.gateways.mug._teller import Teller
from parlour.gateways.mug._view import View
from parlour.host import Follower, Recorded, StoreError
from parlour.wire.mug import Node, Stanza, bare

log = logging.getLogger("parlour.mug")

Handle = Callable[["Keeper", Stanza], None]
RETURN = 60_000  # ms that the stream is up before an empty or locked room goes
WHY_CLOSED = {
    Closure.EMPTY: "nobody is here",
    Closure.UNCONFIGURED: "the room was never configured",
    Closure.CANCELLED: "the room is not wanted",
    Closure.OPERATOR: "the operator has closed the room",
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
        tell_all_anew: Callable[["Keeper"], None],
        doubts: Callable[["Keeper", str], bool],
    ) -> None:
        """`tell_all_anew` sees to it that `tell_anew` is called for everybody inside in time.

        `doubts` tells whether a full JID may be gone.
        """
        self.house = house
        self.stream = stream
        self.view = view
        self.teller = Teller(view, house.outbox)
        self.creator = view.room.owner  # whose rooms are counted, whoever owns it later
        self._closed = closed
        self._tell_all_anew = tell_all_anew
        self._doubts = doubts
        self.asking = Asking(house.host, self._settled)
        self.leaves = Leaves(stream, self.asking, house)
        self._mending = Mending(view, self.asking, self._drop_followers, self._read_anew)
        self._inbox = Inbox(house.outbox, self._waits, partial(handle, self))
        self.rounds = Rounds(
            house,
            stream,
            view,
            self.teller,
            self.asking,
            self._mending,
            self._inbox.work,
        )
        self._created = True
        self._follower: Follower | None = None

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

    async def take_up(self, version: int) -> None:
        """Go on with a room of the last run, of which `version` events are known.

        A room whose match cannot be read goes on without it.

        Raises:
            StoreError: the medium failed.
        """
        try:
            await self._resume(version)
        except StoreError:
            raise
        except Exception:
            self._mending.stand_still()

    async def _resume(self, version: int) -> None:
        self.house.listing.show(self.view.address, self.room)
        stream = self.room.match
        try:
            if stream:
                match, after = await self.house.host.state(stream)
                self.rounds.follow(stream, after, match)
        except Refused as no:
            log.error("%s goes on without its match: %s", self.view.address, no.detail)
            self.asking.insist(self.stream, EndRound(stream, dict(self.room.options)))
        self.teller.assume()
        self.follow(version)
        self._close_abandoned()  # the last run had no time for it

    def follow(self, after: int) -> None:
        """Begin to tell the facts of the room past version `after`."""
        told = self._mending.guarded(self._room_told)
        self._follower = self.house.host.follow(self.stream, after, told, self._mending.lost)

    def receive(self, stanza: Stanza) -> None:
        """A stanza for the room; it is handled when those before it are done."""
        doubtful = stanza.leaves or stanza.type == "error"
        if not doubtful or self._concerns(stanza.sender):
            self._inbox.put(stanza)

    def _concerns(self, sender: str) -> bool:
        """Whether a leave or a bounce can be that of an occupant, and of one who has not left.

        Servers send a leave for each address that was tried, in whatever number.
        """
        stays = self._inbox.stays(sender)
        if stays is None:
            return self.room.inside(sender) is not None or not self._created
        return stays

    def left_over(self) -> list[Stanza]:
        """What nobody has looked at: asked for when the room is gone."""
        return self._inbox.take_all()

    def say_goodbye(self) -> None:
        """The service stops: that is the last that is told."""
        self.stop()
        self.teller.stopping()

    def stop(self) -> None:
        """Tell nothing any more."""
        self._drop_followers()
        self._mending.stop()

    def _drop_followers(self) -> None:
        if self._follower is not None:
            self._follower.stop()
            self._follower = None
        self.rounds.stop()

    def _waits(self) -> bool:
        """Whether something is on its way that the next stanza may depend on."""
        unknown = bool(self.room.match) and self.view.match is None
        return self.asking.busy or unknown or self.room.closed or self._mending.in_vain

    def _settled(self) -> None:
        if self._inbox.waiting:
            asyncio.get_running_loop().call_soon(self._inbox.work)

    def come_back(self, session: str) -> None:
        """A full JID that was in doubt is there."""
        occupant = self.room.inside(session)
        if occupant is not None:
            self.rounds.come_back(occupant.user)

    def put_out(self, session: str, why: str) -> None:
        """Let a full JID go, and tell it why."""
        self.say((session,), why)
        self.leaves.ask(session, stands=True)

    def say(self, sessions: Collection[str], text: str) -> None:
        """Say something as the room itself."""
        payload = Payload(Node("body", children=(text,)))
        self.house.outbox.tell("message", self.view.address, sessions, payload, type="chat")

    # After a mistake of ours

    async def _read_anew(self, told: Room) -> None:
        """Find out what is so, do what may have been missed, and tell everybody inside.

        Raises:
            Refused, StoreError: the room cannot be read.
        """
        try:
            self.view.room, version = await self.house.host.state(self.stream)
            self.view.show(None)
            if self.room.closed:
                self._closed_untold(told)
                return
            await self._resume(version)
            self.rounds.make_up(self._surely_here())
            self.teller.make_up(told)
            self._tell_all_anew(self)
        finally:
            self._is_created()

    def _surely_here(self) -> list[str]:
        """The bare JIDs of those inside of whom one full JID at least is not in doubt."""
        return [
            user
            for user, occupant in self.room.occupants.items()
            if not all(self._doubts(self, session) for session in occupant.sessions)
        ]

    def _closed_untold(self, told: Room) -> None:
        try:
            self.teller.closed(told.occupants.values(), "the room is closed")
        finally:
            self._closed(self)

    def tell_anew(self, session: str, occupant: Occupant) -> None:
        """Tell somebody who is inside what is so; a mistake of ours costs nobody else anything."""
        try:
            self.teller.welcome(session, occupant)
        except Exception:
            log.exception("cannot tell %s what is so in %s", session, self.view.address)

    # What is told: the room

    def _room_told(self, records: Sequence[Recorded]) -> None:
        for record in records:
            before = self.view.room
            self.view.room = record.state
            self._room_fact(record.event, before)
        self._is_created()
        self._affiliated([one.event for one in records])
        if isinstance(records[-1].event, RoundEnded):  # and no other has been opened
            self.teller.sync()
        if self.room.closed:
            self.stop()
            self._closed(self)

    def _affiliated(self, events: Sequence[Any]) -> None:
        """Of many, each would be told to each at once: 7 MB and more in a room of 200."""
        users = [one.user for one in events if isinstance(one, AffiliationChanged)]
        if len(users) == 1:
            self.teller.affiliated(users[0])
        elif users:
            self._tell_all_anew(self)

    def _is_created(self) -> None:
        if not self._created:
            self._created = True
            self.asking.done()

    def _room_fact(self, event: Any, before: Room) -> None:
        match event:
            case OccupantEntered(session=session):
                self._entered(session)
            case OccupantLeft():
                self._left(event, before)
            case NickChanged(user=user, nick=nick):
                self.teller.renamed(before.occupants[user], nick)
                self._put_banned_out(user)
            case RoomConfigured():
                self.house.listing.show(self.view.address, self.room)
                self.teller.configured(changed=before.configured)
                self.rounds.forget_starts()
            case RoundOpened(stream=stream):
                self.rounds.follow(stream, 0)
            case RoundEnded(won=won, drawn=drawn):
                self.rounds.leave_table()
                self.teller.round_ended(won, drawn)
                self._close_abandoned()
            case RoomClosed(cause=cause):
                self.teller.closed(before.occupants.values(), WHY_CLOSED[cause])
            case _:
                pass

    def _entered(self, session: str) -> None:
        user = bare(session)
        self.teller.entered(session, self.room.occupants[user])
        self.rounds.come_back(user)
        self._put_banned_out(user)

    def _put_banned_out(self, user: str) -> None:
        """Who was banned while their entry, or their new name, was on its way to the log."""
        occupant = self.room.occupants.get(user)
        if occupant is None:
            return
        for session in occupant.sessions:
            if why := self.house.banned(session, occupant.nick):
                self.put_out(session, why)

    def _left(self, event: OccupantLeft, before: Room) -> None:
        user = bare(event.session)
        self.teller.left(event.session, before.occupants[user], event.cause)
        if user in self.room.occupants:
            return
        self.rounds.go_away(user, for_good=event.cause is Departure.INVALID_TURN)
        if not self.room.occupants:
            self._close_abandoned()

    def _close_abandoned(self) -> None:
        """Who was lost may come back, who left will not be waited for.

        With the last of its players a match ends by itself; the room goes when that is told.
        """
        if self.room.abandoned and not self._match_goes_on():
            self.close(Closure.EMPTY)

    def _match_goes_on(self) -> bool:
        match = self.view.match
        if match is None:
            return bool(self.room.match)  # nothing is known of it yet
        return match.status.started

    def close(self, cause: Closure) -> None:
        """End the room, and the match that nobody but its lost players can go on with."""
        close = (self.stream, CloseRoom(cause, self.room.match))
        self.asking.submit_together((close, *self.rounds.end_with_room()))

    def tick(self, now: int) -> None:
        """Close what has been left; try again what a failing store prevented."""
        self._mending.tick()
        if not self.asking.busy:
            self.rounds.end()
            self.rounds.miss()
            self.rounds.look_at_the_clock(now)
            self.leaves.again()
        if not self.asking.busy:  # nobody would ask for any of that in a room that is gone
            self._close_abandoned()
        if not self.asking.busy:
            self._close_unused(now)

    def _close_unused(self, now: int) -> None:
        room, options, outbox = self.room, self.house.options, self.house.outbox
        # While the stream is down nobody can come back or configure, nor at once when it is up.
        if not outbox.up:
            return
        reachable = now - outbox.up_since >= RETURN
        if not room.configured:
            reachable |= room.created_at >= outbox.up_since
            if reachable and now - room.created_at >= options.unconfigured * 1000:
                self.close(Closure.UNCONFIGURED)
        elif not room.occupants and reachable and now - room.empty_since >= options.empty * 1000:
            self.close(Closure.EMPTY)
