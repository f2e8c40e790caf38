"""Other XMPP stacks at our tables: @xmpp/client and strophe.js, over TCP and over WebSocket."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
import pytest_asyncio

from parlour.gateways.mug import _pulse
from tests.interop.xmpp.house import ROOM, parlour_behind
from tests.interop.xmpp.servers import XmppServer
from tests.interop.xmpp.stacks import Stack, install, stack

pytestmark = [pytest.mark.external, pytest.mark.slow]

MUG = "http://jabber.org/protocol/mug"
GAME = f"{MUG}/tictactoe"


@pytest.fixture(scope="session", autouse=True)
def _packages() -> None:
    install()


@pytest_asyncio.fixture
async def rooms(server: XmppServer, tmp_path: Path) -> AsyncIterator[XmppServer]:
    """A server with our rooms behind it."""
    async with parlour_behind(server, tmp_path / "data"):
        yield server


def enter(who: Stack, nick: str) -> None:
    who.says(f"<presence to='{ROOM}/{nick}'><game xmlns='{MUG}' var='{GAME}'/></presence>")


def is_own(nick: str, role: str | None = None) -> "_Own":
    return _Own(f"{ROOM}/{nick}", role)


class _Own:
    """Matches the room's presence of that occupant, in that role."""

    def __init__(self, sender: str, role: str | None) -> None:
        self._sender = sender
        self._role = role

    def __call__(self, stanza: Element) -> bool:
        item = stanza.find(f"{{{MUG}}}game/{{{MUG}}}item")
        own = stanza.get("from") == self._sender and item is not None
        return own and (self._role is None or (item is not None and item.get("role") == self._role))


def status(stanza: Element) -> str:
    return stanza.findtext(f"{{{MUG}}}game/{{{MUG}}}status", "")


def board(stanza: Element) -> dict[tuple[str, str], str]:
    fields = stanza.iterfind(f".//{{{GAME}}}field")
    return {(one.get("row", ""), one.get("col", "")): one.text or "" for one in fields}


async def sit_down(owner: Stack, other: Stack) -> None:
    """A room made by the owner, who plays x; the other plays o; both have started."""
    enter(owner, "anna")
    await owner.hears(is_own("anna"))
    owner.says(
        f"<iq type='set' id='c1' to='{ROOM}'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
    )
    assert (await owner.hears(lambda one: one.get("id") == "c1")).get("type") == "result"
    enter(other, "ben")
    await other.hears(is_own("ben"))
    for who, nick, role in ((owner, "anna", "x"), (other, "ben", "o")):
        who.says(
            f"<presence to='{ROOM}'><game xmlns='{MUG}'><item role='{role}'/></game></presence>"
        )
        await who.hears(is_own(nick, role))
    for who in (owner, other):
        who.says(f"<message to='{ROOM}'><start xmlns='{MUG}#user'/></message>")
    await asyncio.gather(
        *(one.hears(lambda said: status(said) == "active") for one in (owner, other))
    )


def mark(who: Stack, number: int, row: int, col: int) -> None:
    who.says(
        f"<message to='{ROOM}' type='chat'><turn xmlns='{MUG}#user'>"
        f"<move xmlns='{GAME}' id='{number}' row='{row}' col='{col}'/></turn></message>"
    )


async def test_who_answers_no_pings_is_not_taken_for_lost(
    server: XmppServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """strophe.js with a handler for all stanzas answers nothing, @xmpp/client does."""
    monkeypatch.setattr(_pulse, "SWEEP", 500)  # ms between looks at who is silent
    async with (
        parlour_behind(server, tmp_path / "data", silence=1, patience=1),
        stack("xmpp", server, "tcp", "alice") as anna,
        stack("strophe", server, "websocket") as ben,
    ):
        await sit_down(anna, ben)
        for _ in range(3):  # the next question is asked only of who is still believed to be there
            await anna.hears(lambda one: one.find("{urn:xmpp:ping}ping") is not None)
            await ben.hears(lambda one: one.get("type") == "groupchat")
        mark(anna, 1, 1, 1)
        await ben.hears(lambda one: one.find(f".//{{{GAME}}}move") is not None)


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        (("xmpp", "tcp"), ("strophe", "websocket"), ("xmpp", "websocket")),
        (("strophe", "websocket"), ("xmpp", "websocket"), ("strophe", "websocket")),
    ],
    ids=["tcp against websocket", "all over websocket"],
)
async def test_a_game_on_other_stacks_is_played_to_the_end(
    rooms: XmppServer, first: tuple[str, str], second: tuple[str, str], third: tuple[str, str]
) -> None:
    async with (
        stack(first[0], rooms, first[1], "alice") as anna,
        stack(second[0], rooms, second[1]) as ben,
        stack(third[0], rooms, third[1], "carol") as carl,
    ):
        await sit_down(anna, ben)
        enter(carl, "carl")
        await carl.hears(is_own("carl"))
        moves = [(anna, 1, 1), (ben, 2, 1), (anna, 1, 2), (ben, 2, 2), (anna, 1, 3)]
        for number, (who, row, col) in enumerate(moves, 1):
            mark(who, number, row, col)
            said = [
                await seer.hears(lambda one, count=number: len(board(one)) == count)  # type: ignore[misc]
                for seer in (anna, ben, carl)
            ]
            assert [board(one)[str(row), str(col)] for one in said] == ["xo"[1 - number % 2]] * 3
        for seer in (anna, ben, carl):
            last = await seer.hears(lambda one: status(one) == "inactive")
            assert last.findtext(f".//{{{GAME}}}won") == "x"


async def test_what_could_be_markup_arrives_as_text(rooms: XmppServer) -> None:
    """Nicknames and talk that would be elements or attributes, between two other parsers."""
    nick = "1' x='2 <b>&amp;\"]]>"
    escaped = nick.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&apos;")
    async with (
        stack("xmpp", rooms, "tcp", "alice") as anna,
        stack("strophe", rooms, "websocket", "bob") as ben,
    ):
        await sit_down(anna, ben)
        ben.says(f'<presence to="{ROOM}/{escaped.replace(chr(34), "&quot;")}"/>')
        renamed = await anna.hears(lambda one: one.find(f".//{{{MUG}}}item[@nick]") is not None)
        item = renamed.find(f".//{{{MUG}}}item")
        assert item is not None
        assert item.get("nick") == nick
        ben.says(f"<message to='{ROOM}' type='chat'><body>&lt;test&gt; ]]&gt; 🙌</body></message>")
        heard = await anna.hears(lambda one: one.tag.endswith("}message"))
        assert heard.findtext("{jabber:client}body") == "<test> ]]> 🙌"
        assert heard.get("from") == f"{ROOM}/{nick}"
