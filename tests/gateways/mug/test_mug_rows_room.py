"""Statements about rooms that one example does not show: each from every side (1.1, 1.2, 1.4)."""

import pytest

from parlour.gateways.mug import MugOptions
from parlour.match import GoAway
from tests.gateways.mug.stage import (
    DOMAIN,
    GAME,
    MUG,
    ROOM,
    Client,
    Stage,
    fields,
    occupant,
    on_stage,
    state,
    turn,
)
from tests.gateways.mug.test_mug_create import form_of
from tests.gateways.mug.test_mug_disco import INFO, ITEMS, asks, features, items
from tests.gateways.mug.test_mug_disco import fields as fields_of

HOME = "@example.org/home"
DONE = "<iq type='result' id='{}'/>"


async def test_M1_each_namespace_is_understood_and_spoken(stage: Stage) -> None:
    anna, ben = stage.client(f"anna{HOME}"), stage.client(f"ben{HOME}")
    anna.says(
        f"<presence to='{ROOM}/anna'><game xmlns='http://jabber.org/protocol/mug' var='{GAME}'/>"
        "</presence>"
    )
    assert "<game xmlns='http://jabber.org/protocol/mug'>" in (await anna.told())[0]
    anna.says("<iq type='get' id='1'><query xmlns='http://jabber.org/protocol/mug#owner'/></iq>")
    assert "<query xmlns='http://jabber.org/protocol/mug#owner'>" in (await anna.told())[0]
    anna.accepts_defaults()
    await stage.settled()
    ben.enters("ben")
    anna.takes_role("x")
    ben.takes_role("o")
    await stage.forget()
    user = "http://jabber.org/protocol/mug#user"
    anna.says(f"<message><start xmlns='{user}'/></message>")
    assert f"<start xmlns='{user}'/>" in (await ben.told())[0]
    ben.starts()
    await stage.forget()
    anna.says(
        f"<message type='chat'><turn xmlns='{user}'><move xmlns='{GAME}' id='1' row='1' col='1'/>"
        "</turn></message>"
    )
    assert f"<turn xmlns='{user}'>" in (await ben.told())[0]


TYPES = {
    "": "mug_unsecured mug_open mug_moderated mug_public mug_semianonymous",
    "passwordprotectedroom=1\nroomsecret=x": (
        "mug_passwordprotected mug_open mug_moderated mug_public mug_semianonymous"
    ),
    "membersonly=1\nroompolicy=unmoderated\npublicroom=0\nanonymity=non-anonymous": (
        "mug_unsecured mug_membersonly mug_unmoderated mug_hidden mug_nonanonymous"
    ),
    "anonymity=fully-anonymous": (
        "mug_unsecured mug_open mug_moderated mug_public mug_fullyanonymous"
    ),
}


@pytest.mark.parametrize(("config", "types"), TYPES.items(), ids=[*map(str, range(4))])
async def test_M2_M31_M44_a_room_tells_its_types_and_no_others(
    stage: Stage, config: str, types: str
) -> None:
    (anna,) = await stage.table("anna")
    anna.configures(config)
    await stage.forget()
    told = features(await asks(stage.client(f"guest{HOME}"), ROOM, INFO))
    assert {one for one in told if one.startswith("mug_")} == set(types.split())


async def turns(client: Client) -> str:
    """What a turn in the first cell leads to."""
    client.moves(1, 1, 1)
    return "".join(await client.told())


async def test_M4_each_status_allows_what_it_is_for(stage: Stage) -> None:
    anna, ben = stage.client(f"anna{HOME}"), stage.client(f"ben{HOME}")
    anna.enters("anna")
    assert "<status>created</status>" in (await anna.told())[0]
    assert "<forbidden " in await turns(anna)  # nobody can have a role yet
    anna.takes_role("x")
    await anna.is_refused("not-allowed")

    anna.accepts_defaults()
    assert "<status>inactive</status>" in (await anna.told())[-1]
    ben.enters("ben")
    anna.takes_role("x")
    ben.takes_role("o")
    await stage.forget()
    assert "<not-allowed " in await turns(anna)
    anna.configures("roomname=A room")
    assert "<configuration-changed/><status>inactive</status>" in (await anna.told())[-1]

    anna.starts()
    ben.starts()
    assert "<status>active</status>" in (await anna.told())[-1]
    anna.configures("roomname=Another")
    await anna.is_refused("not-allowed")
    assert turn(1, 1, 1) in await turns(anna)

    await stage.forget()
    ben.takes_role("none")
    assert "<status>paused</status>" in (await anna.told())[-1]
    anna.configures("roomname=Another")
    await anna.is_refused("not-allowed")
    assert "<not-allowed " in await turns(anna)


async def test_M5_owner_member_and_none_are_told_apart(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("membersonly=1")
    anna.configures("membersonly=0", id="c3")
    await stage.forget()
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await carl.hears(
        state("inactive"),
        occupant("anna", "owner"),
        occupant("ben", "member"),
        occupant("carl", "none"),
    )
    await stage.forget()
    for who in (ben, carl):
        who.configures("roomname=Mine")
        await who.is_refused("forbidden", "auth")
        who.says(f"<iq type='get' id='1'><query xmlns='{MUG}#owner'><options/></query></iq>")
        await who.is_refused("forbidden", "auth")
    anna.configures("membersonly=1", id="c4")  # who is inside becomes a member
    anna.leaves("anna")
    carl.leaves("carl")
    await stage.forget()
    carl.enters("carl")
    await carl.hears(state("inactive"), occupant("ben", "member"), occupant("carl", "member"))
    anna.enters("anna")
    assert "affiliation='owner'" in (await anna.told())[-1]


async def test_M8_every_presence_of_an_occupant_carries_the_affiliation(stage: Stage) -> None:
    """In the life of a room: coming, roles, nicknames, guests, kicks, leaving, the end."""
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    dora = stage.client(f"dora{HOME}")
    dora.enters("dora")
    anna.takes_role("x")
    anna.starts()  # offers the other role
    player = stage.textbook("player")
    await stage.settled()
    player.does(GoAway(player.identity))
    anna.takes_role("none")
    anna.configures("membersonly=1")
    await stage.settled()
    ben.takes_role("o")
    carl.takes_role("x")
    ben.starts()
    carl.starts()
    await stage.settled()
    ben.moves(1, 1, 1)
    ben.enters("ben")
    carl.says(f"<presence to='{ROOM}/karl'><game xmlns='{MUG}'/></presence>")
    for client, nick in ((dora, "dora"), (ben, "ben"), (carl, "karl"), (anna, "anna")):
        client.leaves(nick)
        await stage.settled()
    told = [one for one in stage.said if one.startswith(f"<presence from='{ROOM}/")]
    assert len(told) > 40
    assert [one for one in told if "<item affiliation='" not in one] == []
    kinds = {one.partition("affiliation='")[2].partition("'")[0] for one in told}
    assert kinds == {"owner", "member", "none"}


async def test_M13_a_member_of_then_comes_in_now(stage: Stage) -> None:
    """The changed affiliation is applied, not only told."""
    anna, ben = await stage.table("anna", "ben")
    carl = stage.client(f"carl{HOME}")
    anna.configures("membersonly=1")
    ben.leaves("ben")
    await stage.forget()
    carl.enters("carl")
    await carl.is_refused("registration-required", "auth")
    ben.enters("ben")
    assert "affiliation='member'" in (await ben.told())[-1]


# Discovery


async def test_M14_discovery_of_items_and_extended_information(stage: Stage) -> None:
    """XEP-0030 and XEP-0128, of service and room, in the namespaces of those documents."""
    await stage.table("anna")
    guest = stage.client(f"guest{HOME}")
    for to in (DOMAIN, ROOM):
        assert {INFO, ITEMS} <= features(await asks(guest, to, INFO))
    assert items(await asks(guest, DOMAIN, ITEMS)) == [(ROOM, "garden")]
    assert items(await asks(guest, ROOM, ITEMS)) == [(f"{ROOM}/anna", None)]
    form = (await asks(guest, ROOM, INFO)).find("{jabber:x:data}x")
    assert form is not None
    assert form.attrib["type"] == "result"
    hidden = form.find("{jabber:x:data}field[@var='FORM_TYPE']")
    assert hidden is not None
    assert hidden.attrib["type"] == "hidden"


async def test_M22_every_game_names_its_category(stage: Stage) -> None:
    await stage.table("anna")
    told = fields_of(await asks(stage.client(f"guest{HOME}"), ROOM, INFO))
    assert told["mug#match_category"] == "board"


@pytest.mark.parametrize(("maxusers", "most"), [("5", "5"), ("none", "9")])
async def test_M34_a_room_tells_the_numbers_that_are_so(maxusers: str, most: str) -> None:
    """Three occupants, one of them with two sessions; a player, and a guest from elsewhere."""
    async with on_stage(options=MugOptions(occupants_most=9)) as stage:
        anna, _, _ = await stage.table("anna", "ben", "carl")
        stage.client("ben@example.org/phone").enters("ben")
        anna.configures(
            f"roomdesc=A <game> & more\nmaxusers={maxusers}".replace("<", "&lt;").replace(
                "> &", "> &amp;"
            )
        )
        anna.takes_role("x")
        anna.starts()  # offers the other role
        await stage.settled()
        guest = stage.client(f"guest{HOME}")
        told = fields_of(await asks(guest, ROOM, INFO))
        assert told["mug#match_description"] == "A <game> & more"
        assert told["mug#match_occupants"] == "3"
        assert told["mug#match_players"] == "1"
        assert told["mug#match_maxoccupants"] == most
        assert "mug#match_chat" not in told
        stage.textbook("player")
        await stage.settled()
        assert fields_of(await asks(guest, ROOM, INFO))["mug#match_players"] == "2"


async def test_M34_a_room_names_where_people_talk(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    uri = "xmpp:island@conference.example.org?join"
    anna.configures(f"chat={uri}")
    await stage.forget()
    told = fields_of(await asks(stage.client(f"guest{HOME}"), ROOM, INFO))
    assert told["mug#match_chat"] == uri


@pytest.mark.parametrize(
    "config", ["publicroom=0", "membersonly=1", "passwordprotectedroom=1\nroomsecret=x"]
)
async def test_M36_each_kind_of_private_room_lists_nobody_to_strangers(
    stage: Stage, config: str
) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures(config)
    await stage.forget()
    inside = [(f"{ROOM}/anna", None), (f"{ROOM}/ben", None)]
    assert items(await asks(stage.client(f"guest{HOME}"), ROOM, ITEMS)) == []
    assert items(await asks(ben, ROOM, ITEMS)) == inside
    ben.leaves("ben")
    await stage.forget()
    assert items(await asks(ben, ROOM, ITEMS)) == []


async def test_M35_guests_from_other_protocols_are_listed(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    await stage.against_stranger(anna)
    assert items(await asks(anna, ROOM, ITEMS)) == [
        (f"{ROOM}/anna", None),
        (f"{ROOM}/player", None),
    ]


# Configuration


async def test_M116_M123_no_configuration_is_a_result_with_empty_options(stage: Stage) -> None:
    """In a match and in a pause; asked for in both ways."""
    anna, ben = await stage.match("anna", "ben")
    nothing = f"<iq type='result' id='{{}}'><query xmlns='{MUG}#owner'><options/></query></iq>"
    for pause in (False, True):
        if pause:
            ben.takes_role("none")
            await stage.forget()
        for number, query in enumerate(("<options/>", "")):
            name = f"{pause}{number}"
            anna.says(f"<iq type='get' id='{name}'><query xmlns='{MUG}#owner'>{query}</query></iq>")
            await anna.hears(nothing.format(name))


EVERY_FIELD = {
    "roomname": ("A lovers match", "Another"),
    "roomdesc": ("Miranda against Ferdinand", "Others"),
    "roompolicy": ("unmoderated", "moderated"),
    "allowinvites": ("1", "0"),
    "maxusers": ("10", "none"),
    "publicroom": ("0", "1"),
    "membersonly": ("1", "0"),
    "anonymity": ("fully-anonymous", "non-anonymous"),
    "passwordprotectedroom": ("1", "0"),
    "lenient": ("1", "0"),
    "chat": ("xmpp:a@b", "xmpp:c@d"),
}


@pytest.mark.parametrize("name", EVERY_FIELD)
@pytest.mark.parametrize("turn_", [0, 1])
async def test_M117_M124_every_field_is_what_was_submitted_and_the_others_stay(
    stage: Stage, name: str, turn_: int
) -> None:
    (anna,) = await stage.table("anna")
    base = "passwordprotectedroom=1\nroomsecret=x\n" if name != "passwordprotectedroom" else ""
    first, second = EVERY_FIELD[name][turn_], EVERY_FIELD[name][1 - turn_]
    secret = "\nroomsecret=y" if name == "passwordprotectedroom" else ""
    anna.configures(f"{base}{name}={first}{secret}")
    await stage.forget()
    before = await form_of(anna)
    assert before[f"mug#roomconfig_{name}"][1][0] == first
    anna.configures(f"{name}={second}{secret}")
    await stage.forget()
    after = await form_of(anna)
    assert after[f"mug#roomconfig_{name}"][1][0] == second
    changed = {one for one in after if after[one] != before[one]}
    assert changed - {"mug#roomconfig_roomsecret"} == {f"mug#roomconfig_{name}"}


async def test_M120_a_later_cancel_is_taken_in_both_places(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    before = await form_of(anna)
    cancel = "<x xmlns='jabber:x:data' type='cancel'>{}</x>".format(
        fields("mug#roomconfig_", "roomname=Not this")
    )
    game = f"<options xmlns='{GAME}'><x xmlns='jabber:x:data' type='cancel'/></options>"
    submit = "<x xmlns='jabber:x:data' type='submit'/>"
    for number, inside in enumerate(
        (cancel, f"<options>{cancel}</options>", f"<options>{submit}{game}</options>")
    ):
        anna.says(f"<iq type='set' id='{number}'><query xmlns='{MUG}#owner'>{inside}</query></iq>")
        await anna.hears(DONE.format(number))
    assert await form_of(anna) == before
