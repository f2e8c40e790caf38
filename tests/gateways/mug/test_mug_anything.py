"""Whatever three clients say in whatever order, the laws of XMPP hold and nothing breaks."""

import asyncio
import logging
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.gateways.mug import MugOptions
from parlour.gateways.mug._view import user_of
from parlour.match import GoAway, PlayMove
from parlour.stores import MemoryStore
from tests.gateways.mug.stage import (
    DOMAIN,
    GAME,
    MUG,
    ROOM,
    Client,
    Stage,
    Stranger,
    on_stage,
    turn,
)

USERS = ("anna", "ben", "carl")
OWNER = f"{MUG}#owner"
NICKS = st.sampled_from([*USERS, "ANNA", "", "\u200b", "1&apos; x=&apos;2", "x" * 70])
GAMES = st.sampled_from([f" var='{GAME}'", "", f" var='{MUG}/chess'"])
ROLES = st.sampled_from(["x", "o", "none", "all", "z"])
TYPES = st.sampled_from(["", "chat", "groupchat", "headline", "error", "unavailable", "subscribe"])
NUMBERS = st.integers(0, 5)
CONFIG = st.sampled_from(
    [
        "<x xmlns='jabber:x:data' type='submit'/>",
        "<x xmlns='jabber:x:data' type='cancel'/>",
        "<x xmlns='jabber:x:data' type='submit'><field var='mug#roomconfig_membersonly'>"
        "<value>1</value></field></x>",
        "<x xmlns='jabber:x:data' type='submit'><field var='mug#roomconfig_maxusers'>"
        "<value>3</value></field></x>",
        f"<options xmlns='{GAME}'><x xmlns='jabber:x:data' type='submit'>"
        "<field var='mug/tictactoe#config_rows'><value>4</value></field></x></options>",
    ]
)
PAYLOADS = st.one_of(
    st.builds(lambda var: f"<game xmlns='{MUG}'{var}/>", GAMES),
    st.builds(lambda role: f"<game xmlns='{MUG}'><item role='{role}'/></game>", ROLES),
    st.builds(turn, NUMBERS, NUMBERS, NUMBERS),
    st.builds(lambda form: f"<query xmlns='{OWNER}'><options>{form}</options></query>", CONFIG),
    st.sampled_from(
        [
            "",
            f"<start xmlns='{MUG}#user'/>",
            "<body>hello</body>",
            "<ping xmlns='urn:xmpp:ping'/>",
            "<query xmlns='http://jabber.org/protocol/disco#info'/>",
            "<query xmlns='http://website.org/protocol/disco#items'/>",
            f"<query xmlns='{OWNER}'/>",
            "<error type='cancel'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>",
        ]
    ),
)
ADDRESSES = st.one_of(
    st.just(ROOM), st.just(DOMAIN), NICKS.map(lambda nick: f"{ROOM}/{nick}".rstrip("/"))
)
# A textbook player looks for a table, plays the first free cell, or is gone.
STRANGE = st.sampled_from(["comes", "plays", "goes"])
# The operator puts somebody out; the stream is lost and everybody asked; an asked one is not there.
FATE = st.sampled_from(["kicked", "asked", "unreachable"])
IQ_TYPES = st.sampled_from(["get", "set", "result", "error"])
SAID = st.one_of(
    st.tuples(st.just("presence"), TYPES, ADDRESSES, PAYLOADS),
    st.tuples(st.just("message"), TYPES, ADDRESSES, PAYLOADS),
    st.tuples(st.just("iq"), IQ_TYPES, ADDRESSES, PAYLOADS),
    st.tuples(st.just("stranger"), STRANGE, st.just(""), st.just("")),
    st.tuples(st.just("fate"), FATE, st.just(""), st.just("")),
)
# A beginning that gets somewhere, so that what follows meets a match more often than not.
USUAL = [
    (0, ("presence", "", f"{ROOM}/anna", f"<game xmlns='{MUG}' var='{GAME}'/>")),
    (0, ("iq", "set", ROOM, f"<query xmlns='{OWNER}'><options><x xmlns='jabber:x:data' "
         "type='submit'/></options></query>")),
    (1, ("presence", "", f"{ROOM}/ben", f"<game xmlns='{MUG}' var='{GAME}'/>")),
    (0, ("presence", "", ROOM, f"<game xmlns='{MUG}'><item role='x'/></game>")),
    (1, ("presence", "", ROOM, f"<game xmlns='{MUG}'><item role='o'/></game>")),
    (0, ("message", "", ROOM, f"<start xmlns='{MUG}#user'/>")),
    (1, ("message", "", ROOM, f"<start xmlns='{MUG}#user'/>")),
    (0, ("message", "chat", ROOM, turn(1, 1, 1))),
]  # fmt: skip
TALKS = st.tuples(
    st.integers(0, len(USUAL)),
    st.lists(st.tuples(st.integers(0, len(USERS) - 1), SAID), max_size=25),
)
Said = tuple[str, str, str, str]


class Believer:
    """What a client that listens makes of it: who is inside, in which role, what is going on."""

    def __init__(self) -> None:
        self.inside: dict[str, tuple[str, str]] = {}
        self.status = ""

    def hears(self, presence: ElementTree.Element) -> None:
        nick = presence.attrib["from"].partition("/")[2]
        item = presence.find(f"{{{MUG}}}game/{{{MUG}}}item")
        kind = presence.get("type", "")
        if kind == "error":
            return
        if not nick:
            self.status = presence.findtext(f"{{{MUG}}}game/{{{MUG}}}status", self.status)
        elif kind == "unavailable":
            self.inside.pop(nick, None)
        elif item is not None:
            self.inside.pop(nick, None)
            role = item.get("role", "none")
            self.inside[item.get("nick", nick)] = (item.attrib["affiliation"], role)


def believed(stage: Stage, session: str, room: str) -> Believer:
    """What a client believes of a room that heard everything since it last came in."""
    believer = Believer()
    for xml in stage.said:
        element = ElementTree.fromstring(xml.replace("http://website.org", "http://jabber.org"))
        said_by = element.attrib["from"].partition("/")[0]
        if element.tag == "presence" and (element.attrib["to"], said_by) == (session, room):
            believer.hears(element)
    return believer


def check_beliefs(stage: Stage) -> None:
    """Whoever is inside believes what is so, and nothing else."""
    for keeper in stage.gateway._keepers.values():
        view = keeper.view
        so = {
            one.nick: (str(view.room.affiliation(one.user)), view.role_of(one.user) or "none")
            for one in view.room.occupants.values()
        } | {nick: ("none", role) for nick, role in view.guests().values()}
        for session in view.room.sessions:
            believer = believed(stage, session, view.address)
            assert believer.inside == so
            assert believer.status == view.status()
        for _, player in view.players():
            here = user_of(player.identity) in view.room.occupants
            assert here or player.away_since is not None or not user_of(player.identity)


class Listener(logging.Handler):
    """Hears of mistakes that were caught."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())

    @property
    def mistakes(self) -> list[str]:
        """What is not only the word of a store that was told to fail."""
        return [text for text in self.heard if "store" not in text and "the log cannot" not in text]


class Strangers:
    """Textbook players, one after the other."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._came = 0
        self._one: Stranger | None = None

    async def does(self, what: str) -> None:
        await self._stage.settled()
        if what == "comes":
            self._came += 1
            self._one = self._stage.textbook(f"player{self._came}")
        elif self._one is not None and self._one.stream:
            identity = self._one.identity
            if what == "goes":
                self._one.does(GoAway(identity))
                return
            match, _ = await self._stage.host.state(self._one.stream)
            moves = match.position.moves() if match.position is not None else ()
            self._one.does(PlayMove(identity, next(iter(moves), "0,0")))


def befalls(stage: Stage, client: Client, what: str) -> None:
    if what == "kicked":
        stage.gateway.operator.send_away(client.jid, "that will do")
    elif what == "asked":
        stage.gateway.disconnected()
        stage.gateway.connected()
    elif asked := last_asked(stage, client.jid):
        client.says(f"<iq type='error' id='{asked}' to='{ROOM}'/>")
        client.bounces("service-unavailable")


def last_asked(stage: Stage, session: str) -> str:
    """The id of the last ping of a full JID; empty when it was never asked."""
    asked = (one for one in reversed(stage.said) if "urn:xmpp:ping" in one and session in one)
    return next(asked, "").partition(" id='")[2].partition("'")[0]


async def talk(stage: Stage, talked: list[tuple[int, Said]]) -> Counter[str]:
    """Say it all; the requests that are owed an answer, by their ids."""
    owed: Counter[str] = Counter()
    strangers = Strangers(stage)
    for number, (who, (kind, type, to, inside)) in enumerate(talked):
        if kind == "stranger":
            await strangers.does(type)
            continue
        client = stage.client(f"{USERS[who]}@example.org/home")
        if kind == "fate":
            befalls(stage, client, type)
            continue
        attributes = f" type='{type}'" if type else ""
        client.says(f"<{kind} to='{to}' id='n{number}'{attributes}>{inside}</{kind}>")
        if kind == "iq" and type in ("get", "set"):
            owed[f"n{number}"] += 1
        if number % 5 == 0:
            await stage.settled()
            stage.now += 700
            stage.gateway.tick()
    await stage.settled()
    return owed


async def holds(talked: list[tuple[int, Said]]) -> None:
    async with on_stage(options=MugOptions(rate=1000, burst=1000)) as stage:
        owed = await talk(stage, talked)
        check_beliefs(stage)
    answers: Counter[str] = Counter()
    sent = {f"n{number}": said for number, (_, said) in enumerate(talked)}
    for xml in stage.said:
        element = ElementTree.fromstring(xml)  # whole, and XML
        name, kind = element.get("id", ""), element.get("type", "")
        if element.tag == "iq" and name in sent:
            answers[name] += 1
        if element.tag == "message":
            assert kind in ("", "chat", "error") or (kind == "groupchat" and len(element) == 0)
        if kind == "error":
            assert sent[name][1] not in ("error", "result")
            assert element.attrib["from"] == sent[name][2].replace("&apos;", "'")
            assert len(element.findall("error")) == 1
    assert answers == owed


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(TALKS)
def test_the_laws_hold_whatever_is_said(drawn: tuple[int, list[tuple[int, Any]]]) -> None:
    begun, rest = drawn
    listener = Listener()
    logging.getLogger().addHandler(listener)
    try:
        asyncio.run(holds([*USUAL[:begun], *rest]))
    finally:
        logging.getLogger().removeHandler(listener)
    assert listener.heard == []


async def comes_back(talked: list[tuple[int, Said]]) -> None:
    """The service is killed; whoever was inside answers the next one, and knows what is so."""
    store = MemoryStore()
    async with on_stage(store, MugOptions(rate=1000, burst=1000)) as stage:
        await talk(stage, talked)
        rooms = [keeper.room for keeper in stage.gateway._keepers.values()]
    async with on_stage(store, run=2) as again:
        assert [keeper.room for keeper in again.gateway._keepers.values()] == rooms
        for client in list(again.clients.values()):
            for asked in await client.told():
                name = asked.partition(" id='")[2].partition("'")[0]
                client.says(f"<iq type='result' id='{name}'/>")
        await again.settled()
        again.gateway.tick()
        await again.settled()
        check_beliefs(again)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(TALKS)
def test_a_restart_changes_nothing_that_was_so(drawn: tuple[int, list[tuple[int, Any]]]) -> None:
    begun, rest = drawn
    asyncio.run(comes_back([*USUAL[:begun], *rest]))
