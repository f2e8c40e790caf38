"""Creating and configuring a room (proto-XEP "Creating a Room", Tic-tac-toe document 5)."""

import re
from xml.etree import ElementTree

import pytest

from parlour.gateways.mug import MugOptions
from parlour.match import Newcomer, SetReady, Status, TakeSeat, Terms
from tests.gateways.mug.stage import GAME, MUG, ROOM, Client, Stage, occupant, on_stage, state
from tests.host.stores import HeldStore

FORM = "{jabber:x:data}"
CREATED = f"<presence><game xmlns='{MUG}'><status>created</status></game></presence>"
ANNA = "anna@example.org/home"
DONE = "<iq type='result' id='{}'/>"


def changed(presence: str) -> str:
    """A room's presence after a change of its configuration."""
    return presence.replace("<status>", "<configuration-changed/><status>", 1)


async def form_of(client: Client, query: str = "<options/>") -> dict[str, tuple[str, list[str]]]:
    """The configuration form: type and values of each field, FORM_TYPEs under their own names."""
    client.says(f"<iq type='get' id='form1'><query xmlns='{MUG}#owner'>{query}</query></iq>")
    (told,) = await client.told()
    iq = ElementTree.fromstring(told)
    assert iq.attrib["type"] == "result", told
    found = {}
    for number, x in enumerate(iq.iter(f"{FORM}x")):
        assert x.attrib["type"] == "form"
        for field in x.iter(f"{FORM}field"):
            values = [value.text or "" for value in field.findall(f"{FORM}value")]
            options = [one.findtext(f"{FORM}value", "") for one in field.findall(f"{FORM}option")]
            var = field.attrib["var"]
            name = f"{var}/{number}" if var == "FORM_TYPE" else var
            found[name] = (field.attrib["type"], [*values, *options])
    return found


async def test_M112_M113_the_first_to_come_owns_a_locked_room(stage: Stage) -> None:
    anna, ben = stage.client(ANNA), stage.client("ben@example.org/home")
    anna.enters("anna")
    await anna.hears(CREATED, occupant("anna", "owner", jid=ANNA))
    ben.enters("ben")
    await ben.is_refused("item-not-found", "cancel")


async def test_M74_a_locked_room_is_not_found_by_others(stage: Stage) -> None:
    anna, ben = stage.client(ANNA), stage.client("ben@example.org/home")
    anna.enters("anna")
    ben.enters("ben")
    error = await ben.is_refused("item-not-found", "cancel")
    assert f"<game xmlns='{MUG}' var='{GAME}'/>" in error
    assert f"from='{ROOM}/ben'" in error


async def test_M75_an_unknown_room_is_created(stage: Stage) -> None:
    anna = stage.client(ANNA)
    anna.enters("anna")
    assert "<status>created</status>" in (await anna.told())[0]


async def test_M76_M110_creating_can_be_restricted() -> None:
    async with on_stage(options=MugOptions(creators=("example.com",))) as stage:
        anna, carl = stage.client(ANNA), stage.client("carl@example.com/home")
        anna.enters("anna")
        await anna.is_refused("not-allowed", "cancel")
        carl.enters("carl")
        assert "created" in (await carl.told())[0]


@pytest.mark.parametrize(
    ("game", "condition"),
    [
        ("", "bad-request"),
        (f"<game xmlns='{MUG}'/>", "bad-request"),
        (f"<game xmlns='{MUG}#user' var='{GAME}'/>", "bad-request"),
        (f"<game xmlns='{MUG}' var='{MUG}/chess'/>", "feature-not-implemented"),
    ],
)
async def test_M111_a_room_needs_a_game(stage: Stage, game: str, condition: str) -> None:
    anna, ben = stage.client(ANNA), stage.client("ben@example.org/home")
    anna.says(f"<presence to='{ROOM}/anna'>{game}</presence>")
    await anna.is_refused(condition)
    ben.says("<iq type='get' id='1'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>")
    await ben.is_refused("item-not-found")


async def test_M114_an_instant_room_is_the_default_one(stage: Stage) -> None:
    anna, ben = stage.client(ANNA), stage.client("ben@example.org/home")
    anna.enters("anna")
    await anna.told()
    anna.accepts_defaults()
    await anna.hears(DONE.format("create1"), state("inactive"))
    ben.enters("ben")
    await ben.hears(state("inactive"), occupant("anna", "owner"), occupant("ben"))


@pytest.mark.parametrize("query", ["<options/>", ""])
async def test_M115_the_owner_may_ask_for_the_form(stage: Stage, query: str) -> None:
    anna = stage.client(ANNA)
    anna.enters("anna")
    await anna.told()
    form = await form_of(anna, query)
    assert form["FORM_TYPE/0"] == ("hidden", [f"{MUG}#roomconfig"])
    assert form["mug#roomconfig_anonymity"][1][0] == "semi-anonymous"
    assert form["mug#roomconfig_roompolicy"][1] == ["moderated", "moderated", "unmoderated"]
    assert form["mug#roomconfig_maxusers"][1][0] == "20"
    assert form["mug#roomconfig_roomsecret"] == ("text-private", [])


async def test_T4_T8_the_game_has_a_form_of_its_own(stage: Stage) -> None:
    """As example 2 shows it: FORM_TYPE, names, order of choices."""
    anna = stage.client(ANNA)
    anna.enters("anna")
    await anna.told()
    form = await form_of(anna)
    counts = [str(number) for number in range(3, 11)]
    assert form["FORM_TYPE/1"] == ("hidden", [f"{GAME}#tictactoeconfig"])
    assert form["mug/tictactoe#config_rows"] == ("list-single", ["3", *counts])
    assert form["mug/tictactoe#config_cols"] == ("list-single", ["3", *counts])
    assert form["mug/tictactoe#config_strike"] == ("list-single", ["3", *counts])
    assert form["mug/tictactoe#config_first"] == ("list-single", ["x", "x", "o"])


async def test_M116_M123_during_a_match_there_is_nothing_to_configure(stage: Stage) -> None:
    anna, _ = await stage.match("anna", "ben")
    assert await form_of(anna) == {}
    anna.configures("roomname=Late")
    await anna.is_refused("not-allowed")


async def test_M117_the_submitted_form_is_what_the_room_is(stage: Stage) -> None:
    anna = stage.client(ANNA)
    anna.enters("anna")
    await anna.told()
    anna.configures(
        """
        roomname=A lovers room
        maxusers=5
        anonymity=non-anonymous
        passwordprotectedroom=1
        roomsecret=bravenewworld
        """,
        "rows=4\ncols=5\nstrike=4\nfirst=o",
    )
    await anna.hears(DONE.format("create2"), state("inactive", next="o", size=(4, 5, 4)))
    form = await form_of(anna)
    assert form["mug#roomconfig_roomname"][1] == ["A lovers room"]
    assert form["mug#roomconfig_roomsecret"][1] == ["bravenewworld"]
    assert form["mug#roomconfig_maxusers"][1][0] == "5"
    assert form["mug/tictactoe#config_cols"][1][0] == "5"


@pytest.mark.parametrize(
    ("room", "game"),
    [
        ("passwordprotectedroom=1", ""),
        ("passwordprotectedroom=1\nroomsecret=", ""),
        ("maxusers=7", ""),
        ("publicroom=maybe", ""),
        ("anonymity=secret", ""),
        ("roompolicy=anarchy", ""),
        ("roomname=" + "a" * 201, ""),
        ("roomname=" + "a" * 2000, ""),
        ("chat=" + "a" * 201, ""),
        ("", "rows=2"),
        ("", "rows=11"),
        ("", "rows=three"),
        ("", "rows=\u0663"),
        ("", "first=z"),
        ("", "rows=3\nrows=4"),
    ],
)
async def test_M119_unacceptable_options_change_nothing(stage: Stage, room: str, game: str) -> None:
    anna = stage.client(ANNA)
    anna.enters("anna")
    await anna.told()
    before = await form_of(anna)
    anna.configures(room, game)
    await anna.is_refused("not-acceptable", "modify")
    assert await form_of(anna) == before


@pytest.mark.parametrize(
    "game", ["strike=4", "rows=10\ncols=3\nstrike=5", "rows=4\ncols=3\nstrike=4"]
)
async def test_T7_a_strike_longer_than_a_side_is_refused(stage: Stage, game: str) -> None:
    anna = stage.client(ANNA)
    anna.enters("anna")
    await anna.told()
    anna.configures("", game)
    assert "strike" in await anna.is_refused("not-acceptable", "modify")


async def test_T5_T6_boards_from_3_to_10(stage: Stage) -> None:
    anna = stage.client(ANNA)
    anna.enters("anna")
    await anna.told()
    for size in (3, 10):
        anna.configures("", f"rows={size}\ncols={size}\nstrike={size}")
        told = (await anna.told())[-1]
        assert f"<rows>{size}</rows><cols>{size}</cols><strike>{size}</strike>" in told


@pytest.mark.parametrize("inside", ["{}", "<options>{}</options>"])
async def test_M120_M121_cancelling_the_first_configuration_ends_the_room(
    stage: Stage, inside: str
) -> None:
    anna, ben = stage.client(ANNA), stage.client("ben@example.org/home")
    anna.enters("anna")
    await anna.told()
    cancel = inside.format("<x xmlns='jabber:x:data' type='cancel'/>")
    anna.says(f"<iq type='set' id='c1'><query xmlns='{MUG}#owner'>{cancel}</query></iq>")
    gone = occupant("anna", role="none", type="unavailable")
    told = [re.sub("<status>.*</status>", "", one) for one in await anna.told()]
    assert len(told) == 2
    assert told[0].startswith("<iq ")
    assert told[1] == gone
    ben.enters("ben")
    await ben.hears(CREATED, occupant("ben", "owner", jid=ben.jid))


async def test_M120_cancelling_a_later_configuration_leaves_all_as_it_was(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.says(
        f"<iq type='set' id='c1'><query xmlns='{MUG}#owner'>"
        "<x xmlns='jabber:x:data' type='cancel'/></query></iq>"
    )
    await anna.hears(DONE.format("c1"))


async def test_M122_M124_M127_M128_a_later_change_is_told_to_all(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("roomname=New", "rows=4\ncols=4")
    told = changed(state("inactive", size=(4, 4, 3)))
    await anna.hears(DONE.format("create2"), told)
    await ben.hears(told)


async def test_M125_M126_in_a_members_only_room_those_inside_become_members(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("membersonly=1")
    await ben.hears(changed(state("inactive")), occupant("ben", "member"))
    await anna.hears(
        DONE.format("create2"), changed(state("inactive")), occupant("ben", "member", jid=ben.jid)
    )


async def test_M5_only_the_owner_configures(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    ben.configures("roomname=Mine")
    await ben.is_refused("forbidden", "auth")
    ben.says(f"<iq type='get' id='1'><query xmlns='{MUG}#owner'/></iq>")
    await ben.is_refused("forbidden", "auth")
    await anna.hears()


async def test_older_clients_say_matchconfig_matchdesc_and_moderated(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.says(
        f"<iq type='set' id='2'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'>"
        f"<field var='FORM_TYPE'><value>{MUG}#matchconfig</value></field>"
        "<field var='mug#roomconfig_matchdesc'><value>Old</value></field>"
        "<field var='mug#roomconfig_moderated'><value>0</value></field>"
        "</x></options></query></iq>"
    )
    await anna.told()
    form = await form_of(anna)
    assert form["mug#roomconfig_roomdesc"][1] == ["Old"]
    assert form["mug#roomconfig_roompolicy"][1][0] == "unmoderated"


async def test_a_waiting_table_takes_on_new_options_with_its_players(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    await stage.forget()
    anna.configures("", "rows=4\ncols=4\nstrike=4")
    await ben.hears(changed(state("inactive", size=(4, 4, 4))))
    ben.starts()
    await stage.forget()
    anna.starts()
    begun = f"<message from='{ROOM}/anna'><start xmlns='{MUG}#user'/></message>"
    await anna.hears(begun, state("active", size=(4, 4, 4)))


async def test_a_match_that_begins_at_the_same_time_is_not_aborted() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        (anna,) = await stage.table("anna")
        anna.takes_role("x")
        anna.starts()
        await stage.settled()
        (stream,) = stage.host.directory.unfinished
        stage.host.submit(stream, SetReady("xmpp:anna@example.org"))
        await stage.forget()
        store.held = True
        stage.host.submit(stream, TakeSeat(Newcomer("web:1", "ben", Terms(ready=True), 1)))
        anna.configures("", "rows=4\ncols=4\nstrike=4")
        await stage.settled()
        store.release()
        assert "<not-allowed " in "".join(await anna.told())
        match, _ = await stage.host.state(stream)
        assert match.status is Status.LIVE


async def test_M85_a_change_of_the_configuration_forgets_the_starts(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    await stage.forget()
    anna.configures("roomname=New")
    await stage.forget()
    ben.starts()
    begun = f"<message from='{ROOM}/ben'><start xmlns='{MUG}#user'/></message>"
    await anna.hears(begun)
    await ben.hears(begun)


@pytest.mark.parametrize("policy", ["moderated", "unmoderated"])
async def test_M11_M12_the_owner_configures_only_an_inactive_match(
    stage: Stage, policy: str
) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures(f"roompolicy={policy}")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    ben.starts()
    await stage.forget()
    anna.configures("roomname=active")
    await anna.is_refused("not-allowed")
    ben.takes_role("none")
    await stage.forget()
    anna.configures("roomname=paused")
    await anna.is_refused("not-allowed")
    anna.takes_role("none")
    await stage.forget()
    anna.configures("roomname=inactive")
    await anna.hears(DONE.format("create2"), changed(state("inactive")))


@pytest.mark.parametrize("wrong", [f"{GAME}#tictactoeconfig", "urn:other"])
async def test_M119_a_form_of_another_type_is_not_acceptable(stage: Stage, wrong: str) -> None:
    (anna,) = await stage.table("anna")
    anna.says(
        f"<iq type='set' id='2'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'>"
        f"<field var='FORM_TYPE'><value>{wrong}</value></field></x></options></query></iq>"
    )
    await anna.is_refused("not-acceptable", "modify")


async def test_a_room_can_name_where_people_talk(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    uri = "xmpp:island@conference.example.org?join"
    anna.configures(f"chat={uri}")
    await stage.forget()
    anna.says("<iq type='get' id='1'><query xmlns='http://jabber.org/protocol/disco#info'/></iq>")
    (told,) = await anna.told()
    assert (
        f"var='mug#match_chat' type='text-multi' label='Communication Resource'><value>{uri}<"
        in told
    )


async def test_names_of_rooms_are_bounded(stage: Stage) -> None:
    anna = stage.client(ANNA)
    game = f"<game xmlns='{MUG}' var='{GAME}'/>"
    anna.says(f"<presence to='{'r' * 65}@games.example.org/anna'>{game}</presence>")
    await anna.is_refused("not-acceptable")
    anna.says(f"<presence to='{'r' * 64}@games.example.org/anna'>{game}</presence>")
    assert "<status>created</status>" in (await anna.told())[0]
