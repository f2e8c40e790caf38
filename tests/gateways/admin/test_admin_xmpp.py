"""What an operator does to rooms, with clients on a real Prosody."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import cast
from xml.etree.ElementTree import Element, tostring

import pytest

from tests.cli.xmpp_server import XmppParlour
from tests.gateways.admin.operators import Operator
from tests.gateways.textbook.peers import visiting
from tests.interop.xmpp.peers import Person
from tests.interop.xmpp.servers import Prosody, XmppServer

pytestmark = [pytest.mark.slow, pytest.mark.external]

MUG = "http://jabber.org/protocol/mug"
ROOM = "garden@games.localhost"
GUESTS = "anonymous.localhost"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[XmppParlour]:
    if not Prosody.installed():
        pytest.skip("prosody is not installed")
    with XmppParlour(tmp_path, "--xmpp", "managed") as server:
        yield server
        status, said = server.stop()
    assert status == 0
    assert "Traceback" not in said


def says(word: str) -> Callable[[Element], bool]:
    """Whether a stanza has a word in it."""
    return lambda stanza: word in tostring(stanza, "unicode")


async def enters(someone: Person, nick: str) -> None:
    game = f"<game xmlns='{MUG}' var='{MUG}/tictactoe'/>"
    someone.say(f"<presence to='{ROOM}/{nick}'>{game}</presence>")


async def room(server: XmppParlour) -> tuple[Person, Person]:
    """Anna and Ben in the garden."""
    people = []
    for _ in range(2):
        someone = Person(cast(XmppServer, server), GUESTS)
        await someone.log_in()
        people.append(someone)
    anna, ben = people
    await enters(anna, "anna")
    await anna.hears(says("created"))
    anna.say(
        f"<iq type='set' id='c1' to='{ROOM}'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
    )
    await anna.hears(says("inactive"))
    await enters(ben, "ben")
    await ben.hears(says(f"{ROOM}/ben"))
    await anna.hears(says(f"{ROOM}/ben"))
    return anna, ben


async def takes(someone: Person, role: str) -> None:
    someone.say(
        f"<presence to='{ROOM}'><game xmlns='{MUG}'><item role='{role}'/></game></presence>"
    )


async def plays_in_a_drain(operator: Operator, anna: Person, ben: Person) -> None:
    """No game begins until the drain has ended; then one does, and is closed."""
    start = f"<message to='{ROOM}'><start xmlns='{MUG}#user'/></message>"
    for someone, role in ((anna, "x"), (ben, "o")):
        await takes(someone, role)
        await anna.hears(says(f'role="{role}"'))
    assert (await operator.does("drain"))["games"] == 1  # that of the textbook players

    anna.say(start)
    await ben.hears(says("start"))
    ben.say(start)

    refused = tostring(await ben.hears(says("error")), "unicode")
    assert "no game begins now: the server is about to stop" in refused
    await operator.does("undrain")
    ben.say(start)
    await anna.hears(says("active<"))
    matches = (await operator.does("matches"))["matches"]
    (going,) = (one["id"] for one in matches if one["room"] == "garden")
    await operator.does("close", "--match", going, "--reason", "the power goes")
    for someone in (anna, ben):
        await someone.hears(says("inactive"))


async def test_everything_that_can_be_done_to_a_room(server: XmppParlour, tmp_path: Path) -> None:
    operator = Operator(tmp_path)
    anna, ben = await room(server)
    here = await operator.connections("xmpp")
    assert {one["id"] for one in here} == {f"xmpp/{anna.jid}", f"xmpp/{ben.jid}"}
    assert {one["name"] for one in here} == {"anna", "ben"}

    assert await operator.reads("announce", "tea at five") == "xmpp: 2 told\n"
    for someone in (anna, ben):
        await someone.hears(says("tea at five"))

    async with visiting(server.ports["textbook"]) as door:
        await door.pair()
        await plays_in_a_drain(operator, anna, ben)

    await operator.does("kick", "ben", "--reason", "that will do")
    await ben.hears(says("that will do"))
    await ben.hears(says("unavailable"))
    await anna.hears(says("unavailable"))

    await operator.does("ban", "--jid", ben.jid.partition("/")[0], "--reason", "rude")
    await enters(ben, "ben")
    refused = tostring(await ben.hears(says("error")), "unicode")
    assert "forbidden" in refused
    assert "you are banned: rude" in refused

    await operator.does("close", "--room", "garden", "--reason", "the night falls")
    await anna.hears(says("the night falls"))
    await anna.hears(says("the operator has closed the room"))
    assert await operator.connections("xmpp") == []
    for someone in (anna, ben):
        await someone.log_out()
