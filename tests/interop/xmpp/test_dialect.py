"""The dialect of the Tic-tac-toe document beside the usual one, in one room on a real server."""

from pathlib import Path
from xml.etree.ElementTree import Element

import pytest

from tests.interop.xmpp.house import ROOM, Player, parlour_behind, player
from tests.interop.xmpp.peers import Person, person, shown
from tests.interop.xmpp.servers import XmppServer

pytestmark = [pytest.mark.external, pytest.mark.slow]

W = "http://website.org/protocol/mug"
GAME = f"{W}/tictactoe"
MOVES = [(1, 1), (2, 1), (2, 2), (1, 3), (2, 3), (3, 1), (3, 2)]
EXAMPLE_4 = {
    ("1", "1"): "x",
    ("2", "1"): "o",
    ("2", "2"): "x",
    ("1", "3"): "o",
    ("2", "3"): "x",
}
STATE = f"{{{W}}}game/{{{GAME}}}state"


async def board_seen(garden: Person, marks: int) -> dict[tuple[str, str], str]:
    """The board of the next active state with so many marks, in the document's names."""

    def wanted(stanza: Element) -> bool:
        found = stanza.find(STATE)
        return found is not None and len(found.findall(f".//{{{GAME}}}field")) == marks

    stanza = await garden.hears(wanted)
    assert "jabber.org" not in shown(stanza)
    fields = stanza.iterfind(f".//{{{GAME}}}field")
    return {(one.get("row", ""), one.get("col", "")): one.text or "" for one in fields}


async def sit_down(garden: Person, ben: Player) -> None:
    """A room made in the document's words, whose maker plays x; both have started."""
    garden.say(f"<presence to='{ROOM}/abc'><game xmlns='{W}' var='{GAME}'/></presence>")
    own = await garden.hears(lambda one: one.get("from") == f"{ROOM}/abc")
    item = own.find(f"{{{W}}}game/{{{W}}}item")
    assert item is not None
    assert item.get("affiliation") == "owner"
    garden.say(
        f"<iq type='set' id='config1' to='{ROOM}'><query xmlns='{W}#owner'><options>"
        "<x xmlns='website:x:data' type='submit'/></options></query></iq>"
    )
    await garden.hears(lambda one: one.get("id") == "config1")
    assert await board_seen(garden, 0) == {}  # example 3
    await ben.mug.enter(ROOM, "ben")
    await ben.mug.take_role(ROOM, "o")
    garden.say(f"<presence to='{ROOM}'><game xmlns='{W}'><item role='x'/></game></presence>")
    await ben.hears_of("abc: x")
    garden.say(f"<message to='{ROOM}'><start xmlns='{W}#user'/></message>")
    await ben.mug.start(ROOM)


async def test_the_document_s_client_plays_its_seventh_move_against_another(
    server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(server, tmp_path / "data"),
        person(server, "carol", "garden") as garden,
        player(server, "bob") as ben,
    ):
        await sit_down(garden, ben)
        boards = []
        for number, (row, col) in enumerate(MOVES, 1):
            if number % 2:
                garden.say(
                    f"<message to='{ROOM}' type='chat'><turn xmlns='{W}#user'><move "
                    f"xmlns='{GAME}' row='{row}' col='{col}' id='{number}'/></turn></message>"
                )
                await ben.hears_of(f"abc {number}: {row},{col}")
            else:
                await ben.mug.move(ROOM, number, row, col)
            boards.append(await board_seen(garden, number))
    assert boards[4] == EXAMPLE_4
    assert boards[6] == boards[5] | {("3", "2"): "x"}  # example 6
