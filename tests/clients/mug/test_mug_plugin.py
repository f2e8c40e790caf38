"""The plugin keeps to what a room has said, whatever it is asked and told."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from slixmpp import ClientXMPP, Message, Presence
from slixmpp.exceptions import PresenceError

from parlour.clients.mug import MUG, TurnError
from parlour.clients.mug._stanza import NS

ROOM = "garden@games.example.org"
STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas"


def plugin() -> MUG:
    client = ClientXMPP("ben@example.org/home", "")
    client.register_plugin("mug")
    plugins: Mapping[str, Any] = client.plugin
    mug: MUG = plugins["mug"]
    return mug


def says(mug: MUG, xml: str) -> None:
    presence = Presence(stream=mug.xmpp, xml=fromstring(xml))
    (mug._refused if presence["type"] == "error" else mug._presence)(presence)


def sent(mug: MUG) -> list[Any]:
    """What a plugin without a stream says from now on."""
    stanzas: list[Any] = []
    mug.xmpp.add_event_handler("stanza_not_sent", stanzas.append)
    return stanzas


def refused(mug: MUG, condition: str, id: str = "") -> None:
    """The room refuses a message, or else the one that somebody waits for."""
    id = id or mug._waiting[0].id
    xml = (
        f"<message xmlns='jabber:client' from='{ROOM}' type='error' id='{id}'>"
        f"<error type='cancel'><{condition} xmlns='{STANZAS}'/></error></message>"
    )
    mug._refused(Message(stream=mug.xmpp, xml=fromstring(xml)))


def occupant(nick: str, item: str = "") -> str:
    return (
        f"<presence xmlns='jabber:client' from='{ROOM}/{nick}'>"
        f"<game xmlns='{NS}'><item affiliation='none'{item}/></game></presence>"
    )


async def asked(mug: MUG, what: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
    """The question, when it has been put."""
    before = len(mug._waiting)
    task = asyncio.create_task(what)
    while len(mug._waiting) == before:
        await asyncio.sleep(0)
    return task


async def inside() -> MUG:
    mug = plugin()
    entering = await asked(mug, mug.enter(ROOM, "ben"))
    says(mug, occupant("ben"))
    await entering
    return mug


async def test_who_is_refused_another_nickname_is_still_inside() -> None:
    mug = await inside()
    entering = await asked(mug, mug.enter(ROOM, "anna"))
    says(
        mug,
        f"<presence xmlns='jabber:client' from='{ROOM}/anna' type='error' "
        f"id='{mug._waiting[0].id}'><error type='cancel'>"
        "<conflict xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></presence>",
    )
    with pytest.raises(PresenceError):
        await entering
    assert mug.rooms[ROOM].nick == "ben"
    assert list(mug.rooms[ROOM].occupants) == ["ben"]


async def test_who_gives_up_waiting_at_the_door_is_not_inside() -> None:
    """Or they would ask for roles for ever in a room that does not know them."""
    mug = plugin()
    entering = await asked(mug, mug.enter(ROOM, "ben"))
    said = sent(mug)
    entering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await entering
    assert ROOM not in mug.rooms
    (leave,) = said  # the room may let them in all the same
    assert (leave["to"], leave["type"]) == (f"{ROOM}/ben", "unavailable")


async def test_a_turn_that_is_refused_late_keeps_nobody_from_coming_in_again() -> None:
    """Who was put out had just said something, and the room answers that first."""
    mug = plugin()
    entering = await asked(mug, mug.enter(ROOM, "ben"))
    refused(mug, "not-acceptable", id="a turn")
    says(mug, occupant("ben"))
    await entering
    assert list(mug.rooms[ROOM].occupants) == ["ben"]


async def test_who_asks_twice_and_gives_up_once_comes_in() -> None:
    mug = plugin()
    first = await asked(mug, mug.enter(ROOM, "ben"))
    second = await asked(mug, mug.enter(ROOM, "ben"))
    said = sent(mug)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    says(mug, occupant("ben"))
    await second
    assert list(mug.rooms[ROOM].occupants) == ["ben"]
    assert said == []


async def test_who_is_inside_can_be_called_something_else() -> None:
    mug = await inside()
    entering = await asked(mug, mug.enter(ROOM, "benjamin"))
    says(mug, occupant("ben", " nick='benjamin'"))
    assert (await entering).nick == "benjamin"
    assert list(mug.rooms[ROOM].occupants) == ["benjamin"]


async def test_a_room_is_left_once() -> None:
    mug = await inside()
    leaving = await asked(mug, mug.leave(ROOM))
    says(mug, occupant("ben").replace("<presence", "<presence type='unavailable'"))
    await leaving
    await mug.leave(ROOM)
    assert mug.rooms == {}


async def test_who_is_told_that_they_are_not_inside_is_not() -> None:
    mug = await inside()
    starting = await asked(mug, mug.start(ROOM))
    refused(mug, "not-allowed")
    with pytest.raises(TurnError):
        await starting
    assert ROOM in mug.rooms  # a role is free, say
    starting = await asked(mug, mug.start(ROOM))
    refused(mug, "not-acceptable")
    with pytest.raises(TurnError):
        await starting
    assert mug.rooms == {}
    entering = await asked(mug, mug.enter(ROOM, "ben"))
    says(mug, occupant("ben"))
    assert (await entering).occupants.keys() == {"ben"}


async def test_who_asks_for_a_role_that_is_none_stays() -> None:
    """That is not-acceptable, too, but of a presence."""
    mug = await inside()
    taking = await asked(mug, mug.take_role(ROOM, "z"))
    says(
        mug,
        f"<presence xmlns='jabber:client' from='{ROOM}' type='error' id='{mug._waiting[0].id}'>"
        f"<error type='cancel'><not-acceptable xmlns='{STANZAS}'/></error></presence>",
    )
    with pytest.raises(PresenceError):
        await taking
    assert ROOM in mug.rooms


async def test_nobody_is_in_a_room_when_the_session_has_ended() -> None:
    mug = await inside()
    waiting = await asked(mug, mug.take_role(ROOM, "x"))
    mug.xmpp.event("session_end")
    with pytest.raises(TimeoutError):
        await waiting
    assert mug.rooms == {}


async def test_one_answer_is_the_answer_to_one() -> None:
    mug = await inside()
    first = await asked(mug, mug.take_role(ROOM, "x"))
    second = await asked(mug, mug.take_role(ROOM, "x"))
    says(mug, occupant("ben", " role='x'"))
    await first
    assert not second.done()
    says(mug, occupant("ben", " role='x'"))
    await second
