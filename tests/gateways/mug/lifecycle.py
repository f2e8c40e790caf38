"""Rooms on a stage where several things happen before the loop turns, and what holds at rest."""

import asyncio
import itertools
import logging
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from hypothesis.stateful import RuleBasedStateMachine, invariant

from parlour.games import Refused
from parlour.gateways import Bans
from parlour.gateways.mug import MugGateway, MugOptions
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._room import Occupant
from parlour.gateways.mug._room_events import Departure, OccupantLeft
from parlour.gateways.mug._teller import Teller
from parlour.gateways.mug._view import user_of
from parlour.stores import MemoryStore
from tests.gateways.mug.stage import DOMAIN, GAME, MUG, Stage, Stranger
from tests.gateways.mug.test_mug_anything import Believer, Listener
from tests.host.stores import Door, Medium
from tests.host.wall import Wall, turns

ROOMS = ("garden", "pond")
QUICK = MugOptions(rate=1000, burst=1000)
NEW = "nobody@example.org/new"
REST = -1  # instead of so many turns of the loop: until nothing is on its way
Entered = Callable[[Teller, str, Occupant], None]


class Picture(Believer):
    """What a client makes of all that it was told since it came in."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ""

    def hears(self, presence: ElementTree.Element) -> None:
        super().hears(presence)
        game = presence.find(f"{{{MUG}}}game")
        if "/" not in presence.attrib["from"] and presence.get("type") is None and game is not None:
            state = game.find(f"{{{GAME}}}state")
            # How the last round ended is told once; who comes later finds the next one.
            parts = () if state is None else [one for one in state if one.tag not in ENDS]
            self.state = "".join(ElementTree.tostring(one, "unicode") for one in parts)


ENDS = (f"{{{GAME}}}won", f"{{{GAME}}}draw")


class RoomLaws(RuleBasedStateMachine):
    """What must be true of rooms, their matches and what those inside were told.

    Subclasses say in rules what happens.
    """

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.mistakes: list[dict[str, Any]] = []
        self.loop.set_exception_handler(lambda _, context: self.mistakes.append(context))
        self.errors = Listener()
        logging.getLogger().addHandler(self.errors)
        self.wall = Wall(self.loop)
        self.medium = Medium(MemoryStore())
        self.runs = itertools.count(1)
        self.stranger: Stranger | None = None
        self.strangers = itertools.count(1)
        self.acts: list[tuple[Callable[[], Any], int]] = []
        self.closings: list[asyncio.Task[bool]] = []
        self.pictures: dict[tuple[str, str], Picture] = {}
        self.entered: Entered = Teller.entered
        Teller.entered = self.forgets(self.entered)  # type: ignore[method-assign, assignment]
        self.loop.run_until_complete(self.begins())

    def forgets(self, entered: Entered) -> Entered:
        """Who comes in knows nothing of what was told before."""

        def forgotten(teller: Teller, session: str, occupant: Occupant) -> None:
            self.looks()
            self.pictures.pop((session, teller._view.address), None)
            entered(teller, session, occupant)

        return forgotten

    async def begins(self) -> None:
        self.door = Door(self.medium)
        self.bans = Bans()
        self.stage = Stage(self.door, QUICK, next(self.runs))
        stage = self.stage
        stage.now = self.wall.now()
        stage.gateway = MugGateway(
            stage.host, stage.chat, QUICK, DOMAIN, stage._send, stage.new_id, self.bans
        )
        await stage.host.recover(120_000)
        await stage.gateway.recover()
        stage.gateway.connected()

    async def dies(self) -> None:
        self.door.cut()
        for task in self.closings:
            task.cancel()
        self.closings.clear()
        self.stage.gateway.disconnected()
        self.stage.gateway.close()
        await self.stage.host.close()
        self.stranger = None

    def teardown(self) -> None:
        try:
            self.does(self.medium.mend, REST)
            self.all_is_as_it_should_be()
        finally:
            Teller.entered = self.entered  # type: ignore[method-assign, assignment]
            logging.getLogger().removeHandler(self.errors)
            self.loop.run_until_complete(self.dies())
            self.medium.lose()
            self.loop.run_until_complete(turns())
            self.loop.close()

    # How it happens

    def does(self, act: Callable[[], Any], then: int) -> None:
        """Do it, with what waits to be done, when the loop is to rest after it."""
        self.acts.append((act, then))
        if then == REST:
            acts, self.acts = self.acts, []
            self.loop.run_until_complete(self.happens(acts))

    async def happens(self, acts: list[tuple[Callable[[], Any], int]]) -> None:
        for act, then in acts:
            waits = act()
            if waits is not None:
                await waits
            if then > 0:
                await turns(then)
        for _ in range(4):  # a closing waits for a moment, and each insistence for a second
            await self.medium.quiet()
            await self.passes(1_000)
        await self.medium.quiet()
        await turns()

    async def passes(self, milliseconds: int) -> None:
        self.stage.now += milliseconds
        await self.wall.passes(milliseconds)

    def says(self, session: str, xml: str) -> None:
        if self.stage.gateway._house.outbox.up:
            self.stage.client(session).says(xml)

    def keeper(self, room: str) -> Keeper | None:
        return self.stage.gateway._keepers.get(room)

    # What holds when everything is at rest

    @invariant()
    def nothing_goes_wrong_unseen(self) -> None:
        assert self.mistakes == []
        assert self.errors.mistakes == []

    @invariant()
    def all_is_as_it_should_be(self) -> None:
        if self.acts or self.medium.held or self.medium.late or self.medium.full:
            return
        keepers = list(self.stage.gateway._keepers.values())
        for keeper in keepers:
            assert not keeper.asking.busy
            assert not keeper._inbox.waiting
            assert keeper._mending._task is None
            self.is_known(keeper)
            self.has_a_reason(keeper)
            self.seats_are_those_inside(keeper)
            if self.stage.gateway._house.outbox.up:
                self.is_seen_by_all(keeper)
        self.matches_have_rooms(keepers)
        assert {one.stream for one in keepers} == set(self.stage.host.directory.others)
        for closing in self.closings:
            assert closing.done()
            no = closing.exception()
            assert no is None or (isinstance(no, Refused) and no.refusal.passes)
        self.closings.clear()

    def is_known(self, keeper: Keeper) -> None:
        room, _ = self.loop.run_until_complete(self.stage.host.state(keeper.stream))
        assert keeper.room == room
        if room.match:
            match, _ = self.loop.run_until_complete(self.stage.host.state(room.match))
            assert keeper.view.match == match
            assert not match.status.finished
        else:
            assert keeper.view.match is None

    def has_a_reason(self, keeper: Keeper) -> None:
        match = keeper.view.match
        if keeper.room.occupants or (match is not None and match.status.started):
            return
        data = self.medium.log[keeper.stream]
        events = [self.stage.host._aggregates["room"].decode(one) for one in data]
        last = [one for one in events if isinstance(one, OccupantLeft)][-1]
        assert last.cause is Departure.UNREACHABLE

    def seats_are_those_inside(self, keeper: Keeper) -> None:
        for _, player in keeper.view.players():
            user = user_of(player.identity)
            assert not user or user in keeper.room.occupants or player.away_since is not None

    def matches_have_rooms(self, keepers: list[Keeper]) -> None:
        for stream, listing in self.stage.host.directory.unfinished.items():
            if listing.room in ROOMS:
                homes = [one for one in keepers if one.room.match == stream]
                guests = [one for one in listing.sitters if not user_of(one.identity)]
                assert len(homes) == 1 or (not homes and guests)

    def is_seen_by_all(self, keeper: Keeper) -> None:
        self.looks()
        address = keeper.view.address
        for occupant in keeper.room.occupants.values():
            keeper.teller.welcome(NEW, occupant)
            self.looks()
            fresh = self.pictures.pop((NEW, address))
            for session in occupant.sessions:
                seen = self.pictures[session, address]
                assert seen.inside == fresh.inside, (session, seen.inside, fresh.inside)
                assert (seen.status, seen.state) == (fresh.status, fresh.state), session

    def looks(self) -> None:
        """Take in what was told."""
        for xml in self.stage.said:
            element = ElementTree.fromstring(xml)
            if element.tag == "presence":
                room = element.attrib["from"].partition("/")[0]
                self.pictures.setdefault((element.attrib["to"], room), Picture()).hears(element)
        self.stage.said.clear()
