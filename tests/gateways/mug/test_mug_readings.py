"""How the contradictions of the two documents are read, numbered as in mug-readings.md."""

import re

import pytest

from tests.gateways.mug.stage import MUG, ROOM, Client, Stage, canonical, state, turn
from tests.gateways.mug.test_mug_create import form_of

HOME = "@example.org/home"


def submits(client: Client, form_type: str | None, field: str = "roomname") -> None:
    hidden = (
        "" if form_type is None else f"<field var='FORM_TYPE'><value>{form_type}</value></field>"
    )
    client.says(
        f"<iq type='set' id='f'><query xmlns='{MUG}#owner'><options>"
        f"<x xmlns='jabber:x:data' type='submit'>{hidden}"
        f"<field var='mug#roomconfig_{field}'><value>1</value></field></x></options></query></iq>"
    )


@pytest.mark.parametrize("form_type", [f"{MUG}#roomconfig", f"{MUG}#matchconfig", None, ""])
async def test_C1_both_names_of_the_form_are_taken_and_one_is_sent(
    stage: Stage, form_type: str | None
) -> None:
    (anna,) = await stage.table("anna")
    submits(anna, form_type)
    assert "type='result'" in (await anna.told())[0]
    form = await form_of(anna)
    assert form["mug#roomconfig_roomname"][1] == ["1"]
    assert form["FORM_TYPE/0"][1] == [f"{MUG}#roomconfig"]


async def test_C2_C3_the_older_names_of_fields_are_taken_and_not_sent(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    submits(anna, None, "matchdesc")
    await anna.told()
    form = await form_of(anna)
    assert form["mug#roomconfig_roomdesc"][1] == ["1"]
    anna.configures("moderated=0")
    await anna.told()
    assert (await form_of(anna))["mug#roomconfig_roompolicy"][1][0] == "unmoderated"
    assert not {"mug#roomconfig_matchdesc", "mug#roomconfig_moderated"} & set(form)


async def test_C4_a_submission_sent_as_a_result_is_dropped(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    before = await form_of(anna)
    anna.says(
        f"<iq type='result' id='f'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'><field var='mug#roomconfig_roomname'>"
        "<value>Smuggled</value></field></x></options></query></iq>"
    )
    await anna.hears()
    assert await form_of(anna) == before


@pytest.mark.parametrize("inside", ["{}", "<options>{}</options>"])
async def test_C5_a_cancel_is_taken_in_both_places(stage: Stage, inside: str) -> None:
    anna = stage.client(f"anna{HOME}")
    anna.enters("anna")
    await anna.told()
    cancel = inside.format("<x xmlns='jabber:x:data' type='cancel'/>")
    anna.says(f"<iq type='set' id='c'><query xmlns='{MUG}#owner'>{cancel}</query></iq>")
    told = await anna.told()
    assert told[0].startswith("<iq ")
    assert "type='unavailable'" in told[1]


@pytest.mark.parametrize("query", ["<options/>", ""])
async def test_C6_C7_the_form_is_asked_for_in_both_ways_and_none_is_empty_options(
    stage: Stage, query: str
) -> None:
    anna, ben = await stage.table("anna", "ben")
    ask = f"<iq type='get' id='q'><query xmlns='{MUG}#owner'>{query}</query></iq>"
    anna.says(ask)
    assert "<x xmlns='jabber:x:data' type='form'>" in (await anna.told())[0]
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    ben.starts()
    await stage.forget()
    anna.says(ask)
    await anna.hears(f"<iq type='result' id='q'><query xmlns='{MUG}#owner'><options/></query></iq>")


async def test_C11_an_error_comes_from_where_it_went_with_its_id_and_the_room(
    stage: Stage,
) -> None:
    (anna,) = await stage.table("anna")
    ben = stage.client(f"ben{HOME}")
    for kind, to, inside in (
        ("presence", f"{ROOM}/anna", f"<game xmlns='{MUG}'/>"),
        ("message", ROOM, f"<start xmlns='{MUG}#user'/>"),
        ("message", f"{ROOM}/anna", "<body>psst</body>"),
        ("iq", f"{ROOM}/anna", "<query xmlns='http://jabber.org/protocol/disco#info'/>"),
    ):
        type_ = " type='get'" if kind == "iq" else ""
        ben.says(f"<{kind} to='{to}' id='e7'{type_}>{inside}</{kind}>")
        (told,) = await ben.told()
        head, _, rest = told.partition(">")
        assert head.startswith(f"<{kind} from='{to}' ")
        assert " id='e7'" in head
        assert f" by='{ROOM}'" in rest
    await anna.hears()


async def test_C12_the_error_of_a_role_goes_to_who_asked(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.takes_role("x")
    await stage.forget()
    carl.takes_role("x")
    await carl.is_refused("conflict", "cancel")
    await anna.hears()
    await ben.hears()


async def test_C17_a_turn_to_another_nick_is_a_private_message_without_it(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    body = "<body>look</body>"
    anna.says(f"<message to='{ROOM}/ben' type='chat'>{turn(1, 1, 1)}{body}</message>")
    await ben.hears(f"<message from='{ROOM}/anna' type='chat'>{body}</message>")
    await anna.hears()
    anna.says(f"<message to='{ROOM}/anna' type='chat'>{turn(1, 1, 1)}</message>")
    assert turn(1, 1, 1) in (await ben.told())[0]


@pytest.mark.parametrize("inside", [turn(1, 1, 1), f"<start xmlns='{MUG}#user'/>"])
async def test_C18_groupchat_is_a_bad_request_and_plays_nothing(stage: Stage, inside: str) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.says(f"<message type='groupchat'>{inside}</message>")
    await anna.is_refused("bad-request", "modify")
    await ben.hears()


async def test_C18_a_turn_is_reflected_as_chat(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.says(f"<message>{turn(1, 1, 1)}</message>")
    assert (await ben.told())[0].startswith(f"<message from='{ROOM}/anna' type='chat'>")


@pytest.mark.parametrize("to", [ROOM, f"{ROOM}/ben", f"{ROOM}/BEN"])
async def test_C19_a_role_is_asked_for_at_the_room_or_at_the_own_nick(
    stage: Stage, to: str
) -> None:
    anna, ben = await stage.table("anna", "ben")
    ben.says(f"<presence to='{to}'><game xmlns='{MUG}'><item role='o'/></game></presence>")
    assert "role='o'" in (await anna.told())[0]


@pytest.mark.parametrize("to", [ROOM, f"{ROOM}/ben", f"{ROOM}/anna", f"{ROOM}/nobody"])
async def test_C20_leaving_goes_by_the_full_jid(stage: Stage, to: str) -> None:
    anna, ben = await stage.table("anna", "ben")
    ben.says(f"<presence type='unavailable' to='{to}'/>")
    assert f"from='{ROOM}/ben' type='unavailable'" in (await anna.told())[0]


async def test_C22_C26_identity_and_the_two_answers_to_strangers(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    ben = stage.client(f"ben{HOME}")
    info = "http://jabber.org/protocol/disco#info"
    ben.says(f"<iq type='get' id='1'><query xmlns='{info}'/></iq>")
    (told,) = await ben.told()
    assert "<identity category='game' type='multi-user' name='garden'/>" in told
    ben.says(f"<iq type='get' id='2' to='{ROOM}/anna'><query xmlns='{info}'/></iq>")
    await ben.is_refused("bad-request")
    ben.says(f"<iq type='get' id='3' to='{ROOM}/anna'><ping xmlns='urn:xmpp:ping'/></iq>")
    await ben.is_refused("not-acceptable")
    await anna.hears()


async def test_C29_the_elements_of_a_room_s_presence_come_in_the_order_of_the_schema(
    stage: Stage,
) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("roomname=New")
    (told,) = await ben.told()
    names = re.findall(r"<(configuration-changed|status|state)\b", told)
    assert names == ["configuration-changed", "status", "state"]


async def test_C31_the_owner_stays_the_owner_while_away(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.leaves("anna")
    await stage.forget()
    ben.configures("roomname=Mine")
    await ben.is_refused("forbidden", "auth")
    anna.enters("anna")
    assert "affiliation='owner'" in (await anna.told())[-1]


async def test_C32_who_is_inside_when_a_room_ends_is_told_why(stage: Stage) -> None:
    anna = stage.client(f"anna{HOME}")
    anna.enters("anna")
    await anna.told()
    stage.now += 600_000
    stage.gateway.tick()
    (told,) = [one for one in await anna.told() if one.startswith("<presence")]
    assert canonical(told) == canonical(
        f"<presence from='{ROOM}/anna' type='unavailable'>"
        "<status>the room was never configured</status>"
        f"<game xmlns='{MUG}'><item affiliation='none' role='none'/></game></presence>"
    )


async def test_C35_C41_the_whole_board_is_shown_before_the_next_round(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    for number, (row, col) in enumerate([(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)], 1):
        (anna, ben)[(number + 1) % 2].moves(number, row, col)
        await stage.settled()
    final, over = (await ben.told())[-2:]
    assert "<status>active</status>" in final
    assert "<next>" not in final
    assert "<field row='1' col='3'>x</field>" in final
    assert canonical(over) == canonical(
        state("inactive", next="o", result="<won>x</won>").replace(
            "<presence", f"<presence from='{ROOM}'"
        )
    )


@pytest.mark.parametrize("number", [0, 1, 3])
async def test_C37_the_number_is_that_of_the_marks_and_one(stage: Stage, number: int) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("lenient=1")
    anna.takes_role("x")
    ben.takes_role("o")
    anna.starts()
    ben.starts()
    await stage.settled()
    anna.moves(1, 1, 1)
    await stage.forget()
    ben.moves(number, 2, 2)
    await ben.is_refused("undefined-condition")
    ben.moves(2, 2, 2)
    assert turn(2, 2, 2) in (await ben.told())[0]


async def test_C40_in_a_lenient_room_an_invalid_turn_costs_nothing(stage: Stage) -> None:
    for lenient in (True, False):
        anna, ben = await stage.table("anna", "ben")
        anna.configures(f"lenient={int(lenient)}")
        anna.takes_role("x")
        ben.takes_role("o")
        anna.starts()
        ben.starts()
        await stage.forget()
        ben.moves(1, 1, 1)
        left = [one for one in await anna.told() if "type='unavailable'" in one]
        assert len(left) == (not lenient)
        anna.leaves("anna")
        ben.leaves("ben")
        await stage.settled()
        stage.now += 600_000
        stage.gateway.tick()
        await stage.forget()


@pytest.mark.parametrize("game", ["rows=3\ncols=10\nstrike=5", "rows=10\ncols=3\nstrike=5"])
async def test_C39_a_strike_longer_than_the_shorter_side_is_refused(
    stage: Stage, game: str
) -> None:
    (anna,) = await stage.table("anna")
    anna.configures("", game)
    await anna.is_refused("not-acceptable", "modify")


async def test_C42_the_room_s_own_presence_has_no_item(stage: Stage) -> None:
    await stage.match("anna", "ben")
    own = [one for one in stage.said if one.startswith(f"<presence from='{ROOM}' ")]
    assert len(own) > 3
    assert not any("<item" in one for one in own)
