"""Discovery of the service, of rooms and of occupants (proto-XEP "Entity Use Cases")."""

from xml.etree import ElementTree

import pytest

from parlour.gateways.mug import MugOptions
from tests.gateways.mug.stage import DOMAIN, GAME, MUG, ROOM, Client, Stage, on_stage

INFO = "http://jabber.org/protocol/disco#info"
ITEMS = "http://jabber.org/protocol/disco#items"
RSM = "http://jabber.org/protocol/rsm"


async def asks(client: Client, to: str, namespace: str, node: str = "") -> ElementTree.Element:
    """The result of a discovery."""
    attribute = f" node='{node}'" if node else ""
    client.says(f"<iq type='get' id='d1' to='{to}'><query xmlns='{namespace}'{attribute}/></iq>")
    (told,) = await client.told()
    iq = ElementTree.fromstring(told)
    assert iq.attrib == {"type": "result", "id": "d1", "from": to}
    return iq[0]


def features(query: ElementTree.Element) -> set[str]:
    return {one.attrib["var"] for one in query.iter(f"{{{INFO}}}feature")}


def identity(query: ElementTree.Element) -> dict[str, str]:
    (one,) = query.iter(f"{{{INFO}}}identity")
    return one.attrib


def fields(query: ElementTree.Element) -> dict[str, str]:
    data = "{jabber:x:data}"
    return {
        field.attrib["var"]: field.findtext(f"{data}value", "")
        for field in query.iter(f"{data}field")
    }


def items(query: ElementTree.Element) -> list[tuple[str, str | None]]:
    return [(one.attrib["jid"], one.get("name")) for one in query.iter(f"{{{ITEMS}}}item")]


@pytest.fixture
def guest(stage: Stage) -> Client:
    return stage.client("guest@example.org/home")


async def test_M1_M15_T1_the_service_says_what_it_is() -> None:
    async with on_stage(options=MugOptions(title="Shakespeare & Sons")) as stage:
        query = await asks(stage.client("guest@example.org/home"), DOMAIN, INFO)
    assert identity(query) == {
        "category": "game",
        "type": "multi-user",
        "name": "Shakespeare & Sons",
    }
    assert {MUG, GAME, INFO, ITEMS, "urn:xmpp:ping"} <= features(query)


async def test_M16_public_rooms_are_listed(stage: Stage, guest: Client) -> None:
    (anna,) = await stage.table("anna")
    anna.configures("roomname=A lovers match")
    await stage.forget()
    assert items(await asks(guest, DOMAIN, ITEMS)) == [(ROOM, "A lovers match")]


async def test_M3_hidden_and_locked_rooms_are_not(stage: Stage, guest: Client) -> None:
    (anna,) = await stage.table("anna")
    anna.configures("publicroom=0")
    locked = stage.client("ben@example.org/home")
    locked.says(f"<presence to='attic@{DOMAIN}/ben'><game xmlns='{MUG}' var='{GAME}'/></presence>")
    await stage.forget()
    assert items(await asks(guest, DOMAIN, ITEMS)) == []


async def test_M30_M31_M32_M33_M34_a_room_tells_what_is_played(stage: Stage, guest: Client) -> None:
    anna, _ = await stage.match("anna", "ben")
    query = await asks(guest, ROOM, INFO)
    assert identity(query) == {"category": "game", "type": "multi-user", "name": "garden"}
    assert {MUG, GAME} <= features(query)
    told = fields(query)
    assert told["FORM_TYPE"] == f"{MUG}#matchinfo"
    assert told["mug#game"] == GAME
    assert told["mug#match_occupants"] == "2"
    assert told["mug#match_players"] == "2"
    assert told["mug#match_maxoccupants"] == "20"
    assert anna


@pytest.mark.parametrize(
    ("config", "types"),
    [
        ("", "mug_unsecured mug_open mug_moderated mug_public mug_semianonymous"),
        (
            "passwordprotectedroom=1\nroomsecret=x\nmembersonly=1\nroompolicy=unmoderated\n"
            "publicroom=0\nanonymity=non-anonymous",
            "mug_passwordprotected mug_membersonly mug_unmoderated mug_hidden mug_nonanonymous",
        ),
        ("anonymity=fully-anonymous", "mug_fullyanonymous"),
    ],
)
async def test_M2_M44_a_room_tells_its_types(
    stage: Stage, guest: Client, config: str, types: str
) -> None:
    (anna,) = await stage.table("anna")
    anna.configures(config)
    await stage.forget()
    assert set(types.split()) <= features(await asks(guest, ROOM, INFO))


async def test_M35_M36_a_room_lists_its_occupants(stage: Stage, guest: Client) -> None:
    await stage.table("anna", "ben")
    assert items(await asks(guest, ROOM, ITEMS)) == [
        (f"{ROOM}/anna", None),
        (f"{ROOM}/ben", None),
    ]


async def test_M36_private_rooms_only_to_those_inside(stage: Stage, guest: Client) -> None:
    anna, _ = await stage.table("anna", "ben")
    anna.configures("publicroom=0")
    await stage.forget()
    assert items(await asks(guest, ROOM, ITEMS)) == []
    assert len(items(await asks(anna, ROOM, ITEMS))) == 2


@pytest.mark.parametrize("namespace", [INFO, ITEMS])
async def test_M37_strangers_do_not_ask_occupants(
    stage: Stage, guest: Client, namespace: str
) -> None:
    await stage.table("anna")
    guest.says(f"<iq type='get' id='1' to='{ROOM}/anna'><query xmlns='{namespace}'/></iq>")
    await guest.is_refused("bad-request")


@pytest.mark.parametrize("to", [DOMAIN, ROOM])
async def test_nodes_that_are_not_there(stage: Stage, guest: Client, to: str) -> None:
    await stage.table("anna")
    guest.says(f"<iq type='get' id='1' to='{to}'><query xmlns='{INFO}' node='x'/></iq>")
    await guest.is_refused("item-not-found")


async def test_a_locked_room_is_not_found(stage: Stage, guest: Client) -> None:
    stage.client("anna@example.org/home").enters("anna")
    for namespace in (INFO, ITEMS):
        guest.says(f"<iq type='get' id='1'><query xmlns='{namespace}'/></iq>")
        await guest.is_refused("item-not-found")


async def test_a_room_name_is_text_behind_an_escaped_node(stage: Stage, guest: Client) -> None:
    """XEP-0106: the name for people of `call\\20me\\20ishmael`."""
    room = f"call\\20me\\20ishmael@{DOMAIN}"
    guest.says(f"<presence to='{room}/ahab'><game xmlns='{MUG}' var='{GAME}'/></presence>")
    guest.says(
        f"<iq type='set' id='1' to='{room}'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
    )
    await stage.forget()
    assert items(await asks(guest, DOMAIN, ITEMS)) == [(room, "call me ishmael")]


async def test_M17_M18_a_long_list_comes_in_parts() -> None:
    async with on_stage(options=MugOptions(rooms_most=1000, burst=2000)) as stage:
        guest = stage.client("guest@example.org/home")
        names = [f"room{number:03d}@{DOMAIN}" for number in range(250)]
        for name in names:
            guest.says(f"<presence to='{name}/n'><game xmlns='{MUG}' var='{GAME}'/></presence>")
            guest.says(
                f"<iq type='set' id='1' to='{name}'><query xmlns='{MUG}#owner'><options>"
                "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
            )
        await stage.forget()
        query = await asks(guest, DOMAIN, ITEMS)
        assert [jid for jid, _ in items(query)] == names[:50]
        page = query.find(f"{{{RSM}}}set")
        assert page is not None
        assert page.findtext(f"{{{RSM}}}count") == "250"
        assert page.findtext(f"{{{RSM}}}last") == names[49]
        guest.says(
            f"<iq type='get' id='d1' to='{DOMAIN}'><query xmlns='{ITEMS}'><set xmlns='{RSM}'>"
            f"<max>30</max><after>{names[49]}</after></set></query></iq>"
        )
        (told,) = await guest.told()
        assert [jid for jid, _ in items(ElementTree.fromstring(told)[0])] == names[50:80]
