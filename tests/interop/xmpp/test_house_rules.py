"""Limits, names, secrets and odd text, between real clients through real servers."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from parlour.cli._service import Service
from parlour.host import ChatLine
from parlour.match import Newcomer, TakeSeat, Terms
from tests.interop.xmpp.house import ROOM, parlour_behind, player
from tests.interop.xmpp.peers import person, shown
from tests.interop.xmpp.servers import GAMES, SOON, XmppServer
from tests.interop.xmpp.test_games import begin
from tests.interop.xmpp.test_robust import MUG, PING, STANZAS, entering, refusal, still_serves

pytestmark = [pytest.mark.external, pytest.mark.slow]

# What XML forbids, what reorders or hides text, and what would be markup.
ODD = "\x00\x1a\x0b\ud800\ufffe\U0001ffff\u202e\u2028 <b>&amp; ' \" ]]> 🙌 é"


@pytest_asyncio.fixture
async def service(server: XmppServer, tmp_path: Path) -> AsyncIterator[Service]:
    async with parlour_behind(server, tmp_path / "data") as running:
        yield running


def with_id(stanza: str, id: str) -> str:
    return stanza.replace("<presence", f"<presence id='{id}'", 1)


# Names


async def test_two_who_want_one_nickname_at_once_do_not_both_get_it(
    server: XmppServer, service: Service
) -> None:
    """Faults, X09: one is told of a conflict, and may come in under another."""
    async with (
        player(server, "alice") as anna,
        person(server, "bob", "home") as ben,
        person(server, "carol", "home") as carl,
    ):
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        for who in (ben, carl):
            who.say(with_id(entering("Twin"), "twin"))
        own = f"{ROOM}/Twin"
        answers = {
            who: (await who.hears(lambda one: one.get("from") == own)).get("type")
            for who in (ben, carl)
        }
        (loser,) = [who for who, answer in answers.items() if answer == "error"]
        loser.say(entering("Other"))
        await anna.hears_of("Twin: none", "Other: none")
        assert anna.heard.count("Twin: none") == 1


async def test_who_renames_to_a_taken_nickname_keeps_the_old_one(
    server: XmppServer, service: Service
) -> None:
    async with player(server, "alice") as anna, person(server, "bob", "home") as ben:
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        ben.say(entering("ben"))
        await anna.hears_of("ben: none")
        ben.say(with_id(entering("ANNA"), "taken"))
        assert await refusal(ben, "taken") == "conflict"
        ben.say(f"<message to='{ROOM}' type='chat'><body>still me</body></message>")
        heard = await anna.hears(lambda one: one.findtext("{jabber:client}body") == "still me")
        assert heard.get("from") == f"{ROOM}/ben"


@pytest.mark.parametrize(
    ("typed", "node"), [("STRASSE", "strasse"), ("straße", "strasse"), ("\uff41b", "ab")]
)
async def test_rooms_are_the_same_however_they_are_written(
    server: XmppServer, service: Service, typed: str, node: str
) -> None:
    """Faults, X08: prepared before they are compared; the resource keeps its case."""
    async with person(server, "alice", "Home") as anna, person(server, "bob", "home") as ben:
        anna.say(entering("Anna").replace("garden@", f"{typed}@"))
        own = await anna.hears(lambda one: one.get("from", "").endswith("Anna"))
        assert own.get("from") == f"{node}@{GAMES}/Anna"
        ben.say(with_id(entering("ben").replace("garden@", f"{node}@"), "locked"))
        assert await refusal(ben, "locked") == "item-not-found"


async def test_an_emoji_is_no_nickname_and_costs_only_its_sender(
    server: XmppServer, service: Service
) -> None:
    """Faults, X06: the server or we say so, to that user only."""
    async with player(server, "alice") as anna, person(server, "bob", "home") as ben:
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        ben.say(with_id(entering("🙌\u0378"), "odd"))
        assert await refusal(ben, "odd") in ("jid-malformed", "bad-request")  # ejabberd's own word
        assert [one for one in anna.heard if "error" in one] == []
        await still_serves(anna)


# Text


async def test_text_of_other_protocols_never_breaks_the_stream(
    server: XmppServer, service: Service
) -> None:
    """Faults, X05 and X13: names and words that no XML could hold, from another door."""
    async with player(server, "alice") as anna:
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        await anna.mug.take_role(ROOM, "x")
        (stream,) = service.host.directory.unfinished
        guest = Newcomer(
            "web:1", f"zed{ODD}".replace("\ud800", ""), Terms(ready=True, grace=60_000), 1
        )
        service.host.submit(stream, TakeSeat(guest))
        seated = await anna.hears(
            lambda one: (
                (item := one.find(f".//{{{MUG}}}item")) is not None and item.get("role") == "o"
            )
        )
        assert "🙌" not in seated.get("from", "")
        chat = service.desk.chat
        chat.say(ChatLine(stream, "web:1", "zed", f"hello{ODD}", service.host.now()))
        heard = await anna.hears(lambda one: one.tag.endswith("}message"))
        body = heard.findtext("{jabber:client}body", "")
        assert body.startswith("hello")
        assert "<b>&amp; ' \" ]]> 🙌 é" in body
        assert heard.get("from") == seated.get("from")
        await still_serves(anna)


async def test_a_document_type_from_a_client_ends_its_stream_only(
    server: XmppServer, service: Service
) -> None:
    """Faults, X14: the servers refuse it, and rooms do not notice."""
    async with player(server, "alice") as anna:
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.clients)
        writer.write(
            b"<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY a 'aaaaaaaaaa'>]>"
            b"<stream:stream xmlns='jabber:client' version='1.0' to='localhost' "
            b"xmlns:stream='http://etherx.jabber.org/streams'><message>&a;</message>"
        )
        answer = await asyncio.wait_for(reader.read(), SOON)  # until it is closed
        writer.close()
        assert b"stream:error" in answer
        assert b"aaaaaaaaaa" not in answer
        await still_serves(anna)


# Secrets


async def test_a_fully_anonymous_room_tells_nobody_s_jid(
    server: XmppServer, service: Service
) -> None:
    """In presence, in errors and in what bounces, not to the owner either."""
    async with (
        player(server, "alice") as anna,
        player(server, "bob") as ben,
        person(server, "carol", "home") as carl,
    ):
        await anna.mug.enter(ROOM, "anna")
        form = anna.client.plugin["xep_0004"].make_form("submit")
        form.add_field(var="mug#roomconfig_anonymity", value="fully-anonymous")
        await anna.mug.configure(ROOM, form)
        await ben.mug.enter(ROOM, "ben")
        await anna.mug.take_role(ROOM, "x")
        carl.say(with_id(entering("BEN"), "taken"))
        assert await refusal(carl, "taken") == "conflict"
        carl.say(f"<message id='out' to='{ROOM}/ben' type='chat'><body>psst</body></message>")
        assert await refusal(carl, "out") == "not-acceptable"
        anna.say(f"<message to='{ROOM}/ben' type='chat'><body>hello</body></message>")
        await ben.hears(lambda one: one.findtext("{jabber:client}body") == "hello")
        for sender in (f"{ROOM}/anna", ROOM):
            ben.say(
                f"<message type='error' to='{sender}'><error type='cancel'>"
                f"<gone xmlns='{STANZAS[1:-1]}'/></error></message>"
            )
        await anna.hears_of("ben left")
        for who, others in ((anna, ("bob@", "carol@")), (ben, ("alice@",)), (carl, ("bob@",))):
            told = [shown(who.inbox.get_nowait()) for _ in range(who.inbox.qsize())]
            assert [one for one in told if any(other in one for other in others)] == []


# Limits and lives


async def test_limits_of_rooms_sessions_and_occupants(server: XmppServer, tmp_path: Path) -> None:
    limits = {"rooms": 1, "sessions": 1, "occupants": 2}
    async with (
        parlour_behind(server, tmp_path / "data", limits),
        player(server, "alice") as anna,
        person(server, "alice", "phone") as phone,
        person(server, "bob", "home") as ben,
        person(server, "carol", "home") as carl,
    ):
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        anna.say(with_id(entering("anna").replace("garden@", "attic@"), "room"))
        assert await refusal(anna, "room") == "resource-constraint"
        phone.say(with_id(entering("anna"), "session"))  # of sessions only a quiet one goes
        assert await refusal(phone, "session") == "resource-constraint"
        ben.say(entering("ben"))
        await anna.hears_of("ben: none")
        carl.say(with_id(entering("carl"), "full"))
        assert await refusal(carl, "full") == "service-unavailable"


async def test_rooms_left_unconfigured_and_empty_rooms_go(
    server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(server, tmp_path / "data", unconfigured=1) as service,
        player(server, "alice") as anna,
        player(server, "bob") as ben,
    ):
        await anna.mug.enter(ROOM, "anna")
        await anna.hears_of("anna left")  # its owner never said how it should be
        assert service.host.directory.others == {}
        await ben.mug.enter(ROOM, "ben")
        await ben.mug.configure(ROOM)
        await ben.mug.leave(ROOM)
        async with asyncio.timeout(SOON):
            while service.host.directory.others:
                await asyncio.sleep(0.02)
        ben.say(f"<iq type='get' id='gone' to='{ROOM}'>{PING}</iq>")
        assert await refusal(ben, "gone") == "item-not-found"


async def test_two_hundred_rooms_come_back_at_once_and_the_link_holds(
    own_server: XmppServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Faults, X16: after a lost stream everybody in every room is told anew, at the pace taken."""
    count = 200
    limits = {"rooms": count, "stanzas_at_once": 5 * count, "stanzas": 1000}
    async with (
        parlour_behind(own_server, tmp_path / "data", limits) as service,
        person(own_server, "alice", "home") as anna,
    ):
        rooms = [f"room{number}@{GAMES}" for number in range(count)]
        for room in rooms:
            anna.say(entering("anna").replace(ROOM, room))
            anna.say(
                f"<iq type='set' id='c' to='{room}'><query xmlns='{MUG}#owner'><options>"
                "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
            )
            await anna.hears(lambda one: one.get("id") == "c")
        assert service.xmpp is not None
        service.xmpp._component._stream.abort()
        waiting = set(rooms)
        while waiting:
            asked = await anna.hears(lambda one: one.find("{urn:xmpp:ping}ping") is not None)
            waiting.discard(asked.get("from", ""))
        assert len([one for one in caplog.messages if "trying again" in one]) <= 1
        await still_serves(anna)


async def test_what_happens_is_heard_in_the_order_in_which_it_happened(
    server: XmppServer, service: Service
) -> None:
    """Room, others, oneself; a turn, and then its state; for players and for who comes late."""
    async with (
        player(server, "alice") as anna,
        player(server, "bob") as ben,
        player(server, "carol") as carl,
    ):
        await begin(anna, ben)
        await anna.mug.move(ROOM, 1, 1, 1)
        await ben.mug.move(ROOM, 2, 2, 2)
        await anna.hears_of("ben 2: 2,2", "active x: 1,1=x 2,2=o")
        await carl.mug.enter(ROOM, "carl")
        await carl.hears_of("carl: none")
        assert carl.heard == ["active x: 1,1=x 2,2=o", "anna: x", "ben: o", "carl: none"]
        for who in (anna, ben):
            played = [
                one
                for one in who.heard
                if " 1: " in one or " 2: " in one or one.startswith("active")
            ]
            assert played == [
                *("active x:", "anna 1: 1,1", "active o: 1,1=x"),
                *("ben 2: 2,2", "active x: 1,1=x 2,2=o"),
            ]
