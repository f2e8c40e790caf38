"""The gateway on a stage: stanzas go in as XML, and what each client is told comes out as XML.

A real host stands behind it; only the XMPP server is not there. `hears` compares whole stanzas,
in order: nothing more and nothing less may have been said.
"""

import asyncio
import contextlib
import itertools
import re
from collections.abc import AsyncIterator, Callable
from xml.etree import ElementTree

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.gateways.mug import MugGateway, MugOptions, RoomAggregate
from parlour.host import AnyAggregate, Chat, Host, Pairer, Store
from parlour.lobby import Lobby, Seek
from parlour.match import MatchAggregate, Terms
from parlour.stores import MemoryStore

DOMAIN = "games.example.org"
ROOM = f"garden@{DOMAIN}"
MUG = "http://jabber.org/protocol/mug"
GAME = f"{MUG}/tictactoe"
STREAM = "jabber:component:accept"
STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas"
QUIET = 12  # turns of the loop in which nothing happens: then nothing is on its way
PROBE = f"<message from='{ROOM}' type='groupchat'/>"
STANZA = re.compile(r"<(presence|message|iq)\b(?:[^>]*/>|.*?</\1>)", re.DOTALL)
NAMELESS = Terms(ready=True, reclaims=False)


def canonical(xml: str) -> str:
    """A form in which equal stanzas are equal texts."""
    wrapped = f"<stream xmlns='{STREAM}'>{xml}</stream>"
    return ElementTree.canonicalize(wrapped, strip_text=True)


class Client:
    """One full JID; while it is `gone`, its server gives a probe back."""

    def __init__(self, stage: "Stage", jid: str) -> None:
        self.stage = stage
        self.jid = jid
        self.gone = False
        self._told: list[str] = []

    def says(self, xml: str) -> None:
        """Send a stanza; `from` is added, and `to` the room where it has none."""
        to = "" if " to=" in xml.partition(">")[0] else f" to='{ROOM}'"
        stanza = re.sub(r"^<(\w+)", rf"<\1 xmlns='{STREAM}' from='{self.jid}'{to}", xml.strip())
        self.stage.gateway.received(ElementTree.fromstring(stanza))

    def takes(self, xml: str) -> None:
        """What the gateway said to this JID."""
        self._told.append(xml)
        if self.gone and xml == PROBE:
            asyncio.get_running_loop().call_soon(self.bounces, "service-unavailable")

    async def told(self) -> list[str]:
        """Everything said to this JID since the last time, without its address."""
        await self.stage.settled()
        told, self._told = self._told, []
        return told

    async def hears(self, *expected: str) -> None:
        """Exactly that was said, in that order. `from` is the room where none is given."""
        told = [canonical(one) for one in await self.told()]
        wanted = [canonical(with_room(one)) for one in expected]
        assert told == wanted, "\n".join(["told:", *told, "wanted:", *wanted])

    async def is_refused(self, condition: str, kind: str = "") -> str:
        """Only an error of that condition was said; returns it."""
        told = await self.told()
        assert len(told) == 1, told
        assert "type='error'" in told[0].partition(">")[0], told
        assert f"<{condition} " in told[0], told
        if kind:
            assert f"<error type='{kind}'" in told[0], told
        return told[0]

    # What clients of this game say

    def enters(self, nick: str, inside: str = "", var: str = GAME) -> None:
        self.says(
            f"<presence to='{ROOM}/{nick}'>"
            f"<game xmlns='{MUG}' var='{var}'>{inside}</game></presence>"
        )

    def takes_role(self, role: str) -> None:
        self.says(f"<presence><game xmlns='{MUG}'><item role='{role}'/></game></presence>")

    def starts(self) -> None:
        self.says(f"<message><start xmlns='{MUG}#user'/></message>")

    def moves(self, number: int, row: int, col: int) -> None:
        self.says(f"<message type='chat'>{turn(number, row, col)}</message>")

    def leaves(self, nick: str) -> None:
        self.says(f"<presence type='unavailable' to='{ROOM}/{nick}'/>")

    def bounces(self, condition: str, kind: str = "message", more: str = "") -> None:
        """The server gives back what was sent to this JID."""
        error = f"<error type='cancel'><{condition} xmlns='{STANZAS}'/></error>"
        self.says(f"<{kind} type='error' {more}>{error}</{kind}>")

    def accepts_defaults(self, id: str = "create1") -> None:
        self.says(
            f"<iq type='set' id='{id}'><query xmlns='{MUG}#owner'><options>"
            "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
        )

    def configures(self, room: str = "", game: str = "", id: str = "create2") -> None:
        """Submit fields, each written as name=value with a line for each."""
        self.says(
            f"<iq type='set' id='{id}'><query xmlns='{MUG}#owner'><options>"
            f"<x xmlns='jabber:x:data' type='submit'>{fields('mug#roomconfig_', room)}</x>"
            f"<options xmlns='{GAME}'><x xmlns='jabber:x:data' type='submit'>"
            f"{fields('mug/tictactoe#config_', game)}</x></options></options></query></iq>"
        )


class Stage:
    """A host with its gateway, and a clock that only the test moves."""

    def __init__(self, store: Store, options: MugOptions, run: int) -> None:
        self.now = 1_700_000_000_000
        self.store = store
        numbers = itertools.count(1)
        self.new_id: Callable[[], str] = lambda: f"{run}x{next(numbers):04d}"
        aggregates: list[AnyAggregate] = [MatchAggregate(GAMES), RoomAggregate()]
        self.host = Host(store, MemoryBus(), aggregates, lambda: self.now, self.new_id)
        self.pairer = Pairer(self.host, Lobby())
        self.clients: dict[str, Client] = {}
        self.said: list[str] = []
        self.chat = Chat()
        self.gateway = MugGateway(self.host, self.chat, options, DOMAIN, self._send, self.new_id)

    def client(self, jid: str) -> Client:
        """A client of that full JID."""
        return self.clients.setdefault(jid, Client(self, jid))

    async def settled(self) -> None:
        """Wait until nothing is on its way."""
        quiet, said = 0, len(self.said)
        while quiet < QUIET:
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self.said) == said else 0
            said = len(self.said)

    async def table(self, *users: str) -> list[Client]:
        """The garden, made by the first of `users` and entered by all; what was said is past."""
        clients = [self.client(f"{user}@example.org/home") for user in users]
        clients[0].enters(users[0])
        clients[0].accepts_defaults()
        for client, user in zip(clients[1:], users[1:], strict=True):
            await self.settled()
            client.enters(user)
        await self.forget()
        return clients

    async def match(self, *users: str) -> list[Client]:
        """A match of the first two of `users`, with the others looking on."""
        clients = await self.table(*users)
        clients[0].takes_role("x")
        clients[1].takes_role("o")
        clients[0].starts()
        clients[1].starts()
        await self.forget()
        return clients

    async def final_turn(self) -> list[Client]:
        """A match of anna, who is x, and ben: her third mark in the first row is still to come."""
        anna, ben = await self.match("anna", "ben")
        for number, (player, row, col) in enumerate(
            [(anna, 1, 1), (ben, 2, 1), (anna, 1, 2), (ben, 2, 2)], 1
        ):
            player.moves(number, row, col)
            await self.settled()
        return [anna, ben]

    async def against_stranger(
        self, client: Client, name: str = "player", role: str = "x"
    ) -> "Stranger":
        """A player of another protocol in the role that `client` offers; what was said is past."""
        client.takes_role(role)
        client.starts()  # offers the other role
        await self.settled()
        player = self.textbook(name)
        await self.forget()
        return player

    async def forget(self) -> None:
        """Whatever was said is past."""
        for client in self.clients.values():
            await client.told()

    def textbook(self, name: str = "player") -> "Stranger":
        """A player of another protocol, who looks for a table."""
        return Stranger(self, name)

    def _send(self, xml: str) -> None:
        stanzas = [one[0] for one in STANZA.finditer(xml)]
        assert "".join(stanzas) == xml, xml
        for stanza in stanzas:
            self._say(stanza)

    def _say(self, xml: str) -> None:
        self.said.append(xml)
        element = ElementTree.fromstring(f"<stream xmlns='{STREAM}'>{xml}</stream>")[0]
        to = element.attrib["to"]
        head, tail = xml.split(">", 1)
        self.client(to).takes(re.sub(r" to='[^']*'", "", head, count=1) + ">" + tail)


class Stranger:
    """A textbook player as the host knows one."""

    def __init__(self, stage: Stage, name: str) -> None:
        self.stage = stage
        self.identity = f"textbook:{name}"
        self.stream = ""
        options = {"rows": 3, "cols": 3, "strike": 3, "first": "x"}
        seek = Seek(self.identity, self.identity, name, "tictactoe", options, NAMELESS)
        stage.pairer.seek(seek, self._paired, lambda _: None, lambda: None)

    def does(self, command: object) -> None:
        self.stage.host.submit(self.stream, command)

    def _paired(self, stream: str) -> None:
        self.stream = stream


@contextlib.asynccontextmanager
async def on_stage(
    store: Store | None = None, options: MugOptions | None = None, run: int = 1
) -> AsyncIterator[Stage]:
    """A stage whose gateway is connected; after a restart `run` is another."""
    stage = Stage(store or MemoryStore(), options or MugOptions(), run)
    await stage.host.recover(120_000)
    await stage.gateway.recover()
    stage.gateway.connected()
    try:
        yield stage
    finally:
        stage.gateway.close()
        await stage.host.close()


LOST = (
    "<status>you were believed to be gone</status>"
    "<x xmlns='http://jabber.org/protocol/muc#user'><status code='333'/></x>"
)


def lost(nick: str, affiliation: str = "none") -> str:
    """What is told to somebody who was taken out because what was sent to them came back."""
    return occupant(nick, affiliation, role="none", type="unavailable").replace(
        "<game", f"{LOST}<game"
    )


def with_room(xml: str) -> str:
    """Without a `from`, it is the room's."""
    if " from=" in xml.strip().partition(">")[0]:
        return xml
    return re.sub(r"^<(\w+)", rf"<\1 from='{ROOM}'", xml.strip())


def fields(prefix: str, lines: str) -> str:
    """Form fields from lines of name=value."""
    parts = [line.strip().partition("=") for line in lines.splitlines() if line.strip()]
    return "".join(
        f"<field var='{prefix}{name}'><value>{value}</value></field>" for name, _, value in parts
    )


def turn(number: int, row: int, col: int) -> str:
    move = f"<move xmlns='{GAME}' row='{row}' col='{col}' id='{number}'/>"
    return f"<turn xmlns='{MUG}#user'>{move}</turn>"


def marks(board: str) -> str:
    """A drawn board as fields: rows from the top, columns from the left, both from 1."""
    lines = [line.split() for line in board.strip().splitlines()]
    return "".join(
        f"<field row='{row}' col='{col}'>{mark.lower()}</field>"
        for row, line in enumerate(lines, 1)
        for col, mark in enumerate(line, 1)
        if mark != "."
    )


def state(
    status: str,
    board: str = "",
    next: str = "x",
    result: str = "",
    size: tuple[int, int, int] = (3, 3, 3),
) -> str:
    """The room's presence with a status and a state."""
    turn = f"<next>{next}</next>" if next else ""
    rows, cols, strike = size
    pause = f"<pause xmlns='{MUG}'/>" if status == "paused" else ""
    return (
        f"<presence><game xmlns='{MUG}'><status>{status}</status><state xmlns='{GAME}'>"
        f"<rows>{rows}</rows><cols>{cols}</cols><strike>{strike}</strike>{turn}"
        f"<board>{marks(board)}</board>{result}</state></game>{pause}</presence>"
    )


def occupant(
    nick: str,
    affiliation: str = "none",
    role: str = "",
    jid: str = "",
    new_nick: str = "",
    type: str = "",
    more: str = "",
) -> str:
    """An occupant's presence."""
    parts = [f"affiliation='{affiliation}'"]
    parts += [f"{name}='{value}'" for name, value in (("role", role), ("jid", jid)) if value]
    parts += [f"nick='{new_nick}'"] if new_nick else []
    kind = f" type='{type}'" if type else ""
    return (
        f"<presence from='{ROOM}/{nick}'{kind}><game xmlns='{MUG}'><item {' '.join(parts)}/></game>"
        f"{more}</presence>"
    )
