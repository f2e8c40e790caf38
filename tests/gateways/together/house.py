"""A whole service in one process: a host, its policies and every gateway, over a medium."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from functools import partial
from xml.etree import ElementTree

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.gateways import Connection, Desk, Session
from parlour.gateways.mug import MugGateway, MugOptions, RoomAggregate
from parlour.gateways.nedap import NedapGateway, NedapOptions
from parlour.gateways.ruc import RucGateway, RucOptions
from parlour.gateways.textbook import TextbookGateway, TextbookOptions
from parlour.gateways.web._story import Story
from parlour.host import AnyAggregate, Chat, Follower, Host, Pairer, Recorded
from parlour.lobby import Lobby
from parlour.match import MatchAggregate
from tests.gateways.together.wires import Dial
from tests.host.stores import Door, Medium
from tests.host.wall import Wall

DOMAIN = "games.example.org"
ROOM = f"garden@{DOMAIN}"
MUG = "http://jabber.org/protocol/mug"
STREAM = "jabber:component:accept"
RECLAIM = 5_000


class User:
    """One user of XMPP; `turns` are (number, row, col) as they were told."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.jid = f"{name}@example.org/home"
        self.identity = f"xmpp:{name}@example.org"
        self.turns: list[tuple[int, int, int]] = []

    def hears(self, stanza: ElementTree.Element) -> None:
        """Take in one stanza."""
        for move in stanza.iter(f"{{{MUG}/tictactoe}}move"):
            if stanza.get("type") != "error":
                numbers = (int(move.attrib[name]) for name in ("id", "row", "col"))
                number, row, col = numbers
                self.turns.append((number, row, col))


class Page:
    """A browser that looks on: its story of a match has each event once, in order."""

    def __init__(self, stream: str) -> None:
        self.story = Story(stream)
        self.follower: Follower | None = None

    def deliver(self, records: Sequence[Recorded]) -> None:
        first = self.story.version + 1
        told = self.story.learn(records)
        assert [event.version for event in told] == list(range(first, first + len(records)))


class House:
    """One life of a service. After `dies` nothing of it is heard any more."""

    def __init__(
        self, medium: Medium, wall: Wall, numbers: "itertools.count[int]", users: dict[str, User]
    ) -> None:
        def new_id() -> str:
            return f"{next(numbers):04d}"

        self.dead = False
        self.door = Door(medium)
        aggregates: list[AnyAggregate] = [MatchAggregate(GAMES), RoomAggregate()]
        self.host = Host(self.door, MemoryBus(), aggregates, wall.now, new_id)
        self.chat = Chat()
        self.desk = Desk(self.host, Pairer(self.host, Lobby()), self.chat)
        directory = self.host.directory
        self.doors = {
            "textbook": TextbookGateway(TextbookOptions(), new_id).session,
            "nedap": NedapGateway(NedapOptions(), directory).session,
            "ruc": RucGateway(RucOptions(), directory).session,
        }
        self._users = users
        options = MugOptions(rate=1000, burst=1000)
        self.rooms = MugGateway(self.host, self.chat, options, DOMAIN, self._said, new_id)

    async def begins(self) -> None:
        """Take up what the log has, and let everybody in."""
        await self.host.recover(RECLAIM)
        await self.rooms.recover()
        self.rooms.connected()

    def dial(self, kind: str) -> Dial:
        """What connects a client of that protocol."""
        return partial(self._connect, self.doors[kind])

    def _connect(self, make: Callable[[str], Session], wire: asyncio.Transport) -> Connection:
        connection = Connection(self.desk, make)
        wire.set_protocol(connection)
        connection.connection_made(wire)
        return connection

    def stanza(self, user: User, xml: str) -> None:
        """A user of XMPP says something."""
        element = ElementTree.fromstring(f"<stream xmlns='{STREAM}'>{xml}</stream>")[0]
        element.set("from", user.jid)
        self.rooms.received(element)

    async def dies(self) -> None:
        """SIGKILL: whatever is on its way stays there."""
        self.dead = True
        self.door.cut()
        self.rooms.close()
        await self.host.close()

    def _said(self, xml: str) -> None:
        for element in ElementTree.fromstring(f"<stream>{xml}</stream>"):
            user = self._users.get(element.attrib["to"])
            if user is not None and not self.dead:
                user.hears(element)
