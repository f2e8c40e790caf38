"""Multi-User Gaming without a server: stanzas in, stanzas out, rooms and matches in between."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from xml.etree.ElementTree import Element

import msgspec

from parlour.games import Refused
from parlour.gateways import Bans
from parlour.gateways.mug._each_room import each_room
from parlour.gateways.mug._house import House
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._messages import message
from parlour.gateways.mug._operator import Operator
from parlour.gateways.mug._options import MugOptions
from parlour.gateways.mug._outbox import Outbox
from parlour.gateways.mug._plays import PLAYS, Play
from parlour.gateways.mug._presences import presence
from parlour.gateways.mug._pulse import Pulse
from parlour.gateways.mug._queries import room_query, service_query
from parlour.gateways.mug._refusals import CONDITIONS
from parlour.gateways.mug._room import Room
from parlour.gateways.mug._room_commands import CreateRoom
from parlour.gateways.mug._view import View
from parlour.host import Chat, Host, StoreError
from parlour.wire.mug import (
    DISCO_INFO,
    DISCO_ITEMS,
    MUG,
    Condition,
    Dialect,
    Node,
    Oversized,
    Stanza,
    bare,
    head_of,
    read_stanza,
    split_address,
    unescape_node,
)

log = logging.getLogger("parlour.mug")

TICK = 1.0  # seconds in which every room is looked at
PARTS = 10  # in so many parts: with thousands of rooms, all at once would be a stall
LONGEST_NAME = 64  # characters, as for rooms of other protocols
REQUESTS = ("get", "set")


class MugGateway:
    """The rooms of one domain.

    `received` takes stanzas whose addresses are normalised; everything goes out by `send`, as
    text, in order.
    """

    def __init__(
        self,
        host: Host,
        chat: Chat,
        options: MugOptions,
        domain: str,
        send: Callable[[str], None],
        new_id: Callable[[], str],
        bans: Bans | None = None,
    ) -> None:
        self._house = House(host, chat, options, domain, Outbox(send), new_id, bans or Bans())
        self._keepers: dict[str, Keeper] = {}
        self._owned: dict[str, int] = {}
        self._orphans: set[str] = set()
        self._pulse = Pulse(self._house)
        self.operator = Operator(self._keepers, self._house.heard)
        self._timer: asyncio.TimerHandle | None = None
        self._due_at = 0.0  # when the next part is due, on the loop's clock
        self._part = 0
        self._due: tuple[str, ...] = ()  # the names of all rooms when the second began

    def paced_by(self, unsent: Callable[[], int]) -> None:
        """Say no more at once than is taken; `unsent` tells how many bytes still wait."""
        self._house.outbox.unsent = unsent

    async def recover(self) -> None:
        """Take up the rooms of the last run, before the stream is up for the first time.

        Raises:
            StoreError: the medium failed.
        """
        plays = {play.game.name: play for play in PLAYS.values()}
        for stream in tuple(self._house.host.directory.others):
            try:
                await self._take_up(stream, plays)
            except StoreError:
                raise
            except Refused as no:
                log.error("a room is left alone: %s", no.detail)
            except Exception:
                log.exception("%s is left alone", stream)

    async def _take_up(self, stream: str, plays: Mapping[str, Play]) -> None:
        room, version = await self._house.host.state(stream)
        play = plays.get(room.game)
        if play is None:
            log.error("%s is left alone: nobody plays %s here", room.name, room.game)
            return
        keeper = self._keep(room.name, stream, play, room)
        for session in room.foreign:
            self._house.outbox.learn(session, Dialect.WEBSITE)
        await keeper.take_up(version)

    # The stream

    def connected(self) -> None:
        """The stream is up, for the first time or again."""
        self._house.outbox.up = True
        self._house.outbox.up_since = self._house.host.now()
        if self._timer is None:
            self._due_at = asyncio.get_running_loop().time() + TICK / PARTS
            self._wait()
        self._pulse.doubt(self._keepers.values())

    def disconnected(self) -> None:
        """The stream is gone; rooms and matches stay."""
        self._house.outbox.up = False

    def drained(self) -> None:
        """All that was said has been taken."""
        if self._house.outbox.up:
            self._pulse.ask()

    def close(self) -> None:
        """Say that the service stops; who is in a room stays there until asked again."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        each_room(self._keepers.values(), "say that the service stops", Keeper.say_goodbye)
        self._house.outbox.up = False

    def tick(self) -> None:
        """Look at the time: what is done about once a second, all at once."""
        self._look(self._keepers)
        self._feel()

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_at(self._due_at, self._ring)

    def _ring(self) -> None:
        """What is due is made up for, or seconds would be longer in a busy loop; of more than one
        second the rest is forgotten."""
        now, part = asyncio.get_running_loop().time(), TICK / PARTS
        due = min(1 + int((now - self._due_at) / part), PARTS)
        self._due_at += due * part
        if due == PARTS:
            self._due_at = now + part
        self._wait()
        for _ in range(due):
            self._look_on()

    def _look_on(self) -> None:
        if not self._part:
            self._due = tuple(self._keepers)
        begin, end = (len(self._due) * part // PARTS for part in (self._part, self._part + 1))
        self._look(self._due[begin:end])
        self._part = (self._part + 1) % PARTS
        if not self._part:
            self._feel()

    def _look(self, names: Iterable[str]) -> None:
        now = self._house.host.now()
        keepers = [self._keepers[name] for name in names if name in self._keepers]
        each_room(keepers, "look at the time", lambda keeper: keeper.tick(now))

    def _feel(self) -> None:
        if self._house.outbox.up:
            self._pulse.tick(self._keepers.values(), self._house.host.now())

    # What comes in

    def received(self, element: Element) -> None:
        """A stanza. Whatever it is, it is answered or ignored as defined."""
        now = self._house.host.now()
        try:
            stanza = read_stanza(element)
        except Oversized as error:
            stanza = head_of(element)
            if not stanza.leaves:  # who leaves has left, whatever stands beside it
                if self._house.may_speak(stanza):
                    self._house.outbox.refuse(stanza, Condition.POLICY_VIOLATION, str(error))
                return
        if not _asks_what_there_is(stanza):
            self._house.outbox.learn(stanza.sender, stanza.dialect)
        if stanza.kind == "iq" and not stanza.answered:
            self._pulse.answered(stanza, now)
        elif stanza.type == "error":
            self._to_room(stanza)
        else:
            self._said(stanza)

    def _said(self, stanza: Stanza) -> None:
        self._pulse.sign(stanza, self._house.host.now())
        if not stanza.leaves and not self._house.may_speak(stanza):
            return
        if stanza.kind == "presence" and not stanza.type and (why := self._banned(stanza)):
            self._house.outbox.refuse(stanza, Condition.FORBIDDEN, why)
        elif stanza.kind == "iq" and not _sound(stanza):
            self._house.outbox.refuse(stanza, Condition.BAD_REQUEST)
        elif split_address(stanza.to)[0]:
            self._to_room(stanza)
        elif stanza.kind == "iq":
            service_query(self._house, stanza)
        elif stanza.kind == "message" and stanza.type != "headline":
            self._house.outbox.refuse(stanza, Condition.FEATURE_NOT_IMPLEMENTED)

    def _banned(self, stanza: Stanza) -> str:
        return self._house.banned(stanza.sender, split_address(stanza.to)[2])

    def _to_room(self, stanza: Stanza) -> None:
        name = split_address(stanza.to)[0]
        keeper = self._keepers.get(name)
        if keeper is not None:
            keeper.receive(stanza)
        elif stanza.kind == "presence":
            if not stanza.type:
                self._create(name, stanza)
        elif stanza.type != "headline":
            self._house.outbox.refuse(stanza, Condition.ITEM_NOT_FOUND, "there is no such room")

    def _handle(self, keeper: Keeper, stanza: Stanza) -> None:
        """A stanza whose turn has come."""
        if stanza.type == "error":
            self._pulse.bounced(keeper, stanza)
        elif stanza.kind == "presence":
            presence(keeper, stanza)
        elif stanza.kind == "message":
            message(keeper, stanza)
        else:
            room_query(keeper, stanza)

    # Rooms

    def _create(self, name: str, stanza: Stanza) -> None:
        """ "Creating a Room"."""
        nick = split_address(stanza.to)[2]
        game = stanza.child("game", MUG)
        play = PLAYS.get(game.attributes.get("var", "")) if game is not None else None
        no = self._forbidden(name, stanza, game, play)
        if no is not None or play is None:
            condition, why = no or (Condition.BAD_REQUEST, "")
            self._house.outbox.refuse(stanza, condition, why)
            return
        options = msgspec.to_builtins(play.game.options())
        dialect = self._house.outbox.dialect(stanza.sender)
        command = CreateRoom(name, play.game.name, options, stanza.sender, nick, dialect)
        refused = partial(self._not_created, name, stanza)
        stream = self._house.host.create("room", command, refused)
        self._house.host.directory.hold(unescape_node(name), stream)
        owner = bare(stanza.sender)
        room = Room(name, play.game.name, owner, self._house.host.now(), options)
        self._keep(name, stream, play, room).begin()

    def _forbidden(
        self, name: str, stanza: Stanza, game: Node | None, play: Play | None
    ) -> tuple[Condition, str] | None:
        """Why a room is not made, if it is not."""
        options = self._house.options
        owner = bare(stanza.sender)
        if game is None or not game.attributes.get("var"):
            return Condition.BAD_REQUEST, "say which game the room is for"
        if not split_address(stanza.to)[2]:
            return Condition.JID_MALFORMED, "come in under a nickname"
        if len(unescape_node(name)) > LONGEST_NAME:
            return Condition.NOT_ACCEPTABLE, f"the name has more than {LONGEST_NAME} characters"
        if play is None:
            return Condition.FEATURE_NOT_IMPLEMENTED, "that game is not played here"
        if options.creators and split_address(owner)[1] not in options.creators:
            return Condition.NOT_ALLOWED, "you cannot make rooms here"
        if self._elsewhere(name):
            return Condition.NOT_ALLOWED, "there is a room or table of that name"
        if self._owned.get(owner, 0) >= options.rooms_most:
            return Condition.RESOURCE_CONSTRAINT, f"you have {options.rooms_most} rooms"
        if len(self._keepers) >= options.all_rooms_most:
            return Condition.RESOURCE_CONSTRAINT, "there are as many rooms as can be"
        return None

    def _elsewhere(self, name: str) -> bool:
        """Whether a table of another protocol has the name, or a room of ours that looks the same.

        Of a closed room a guest may still sit at the last table: that keeps nobody out.
        """
        directory, shown = self._house.host.directory, unescape_node(name)
        self._orphans.intersection_update(directory.unfinished)
        stream = directory.room(shown)
        return directory.holder(shown) is not None or (
            stream is not None and stream not in self._orphans
        )

    def _keep(self, name: str, stream: str, play: Play, room: Room) -> Keeper:
        view = View(f"{name}@{self._house.domain}", play, room)
        pulse, closed = self._pulse, self._closed
        keeper = Keeper(
            self._house, stream, view, self._handle, closed, pulse.tell_anew, pulse.doubts
        )
        self._keepers[name] = keeper
        self._owned[keeper.creator] = self._owned.get(keeper.creator, 0) + 1
        return keeper

    def _not_created(self, name: str, stanza: Stanza, no: Refused) -> None:
        self._house.outbox.refuse(stanza, CONDITIONS[no.refusal], no.detail)
        # The refusal may come before the room is kept at all.
        asyncio.get_running_loop().call_soon(self._forget, name)

    def _forget(self, name: str) -> None:
        keeper = self._keepers.get(name)
        if keeper is not None:
            self._house.host.directory.release(unescape_node(name), keeper.stream)
            keeper.stop()
            self._closed(keeper)

    def _closed(self, keeper: Keeper) -> None:
        """The name is free; whoever asked too late asks for a new room."""
        room = keeper.room
        if self._keepers.get(room.name) is not keeper:
            return
        del self._keepers[room.name]
        self._house.listing.hide(keeper.view.address)
        self._orphans.add(room.match)
        owned = self._owned.get(keeper.creator, 1) - 1
        if owned:
            self._owned[keeper.creator] = owned
        else:
            self._owned.pop(keeper.creator, None)
        for stanza in keeper.left_over():
            try:
                self._to_room(stanza)
            except Exception:
                log.exception("cannot handle a %s for %s", stanza.kind, stanza.to)


def _asks_what_there_is(stanza: Stanza) -> bool:
    """In the standard names, that is: libraries do so by themselves, whatever the client writes."""
    if stanza.kind != "iq" or stanza.dialect is not Dialect.JABBER:
        return False
    return any(stanza.child("query", one) is not None for one in (DISCO_INFO, DISCO_ITEMS))


def _sound(stanza: Stanza) -> bool:
    """Whether it is a request at all (RFC 6120, section 8.2.3)."""
    return stanza.type in REQUESTS and len(stanza.children) == 1 and bool(stanza.id)
