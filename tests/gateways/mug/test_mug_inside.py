"""Inside a room: leaving, nicknames, private messages, talk (proto-XEP "Occupant Use Cases")."""

import pytest

from tests.gateways.mug.stage import DOMAIN, MUG, ROOM, Client, Stage, occupant, state, turn

BODY = "<body>Sweet lord, you play me false.</body>"


def renames(client: Client, nick: str) -> None:
    client.says(f"<presence to='{ROOM}/{nick}'><game xmlns='{MUG}'/></presence>")


# Leaving


async def test_M107_leaving_is_told_to_all_the_leaver_included(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    ben.leaves("ben")
    gone = occupant("ben", role="none", type="unavailable")
    for client in (anna, ben, carl):
        await client.hears(gone)


async def test_M107_with_the_affiliation_that_is_so(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("membersonly=1")
    await stage.forget()
    ben.leaves("ben")
    await anna.hears(occupant("ben", "member", "none", type="unavailable"))


async def test_M108_T3_a_player_who_leaves_pauses_the_match(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    anna.moves(1, 2, 2)
    await stage.forget()
    ben.leaves("ben")
    gone = occupant("ben", role="none", type="unavailable")
    for client in (anna, carl):
        await client.hears(gone, state("paused", ". . .\n. X .", "o"))


async def test_M108_the_pause_is_said_in_both_ways(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    ben.leaves("ben")
    told = (await anna.told())[-1]
    assert "<status>paused</status>" in told
    assert told.endswith(f"<pause xmlns='{MUG}'/></presence>")


async def test_M109_who_comes_back_has_the_role_and_all_start_again(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    ben.leaves("ben")
    ben.enters("ben")
    await stage.forget()
    ben.starts()
    assert not any("active" in one for one in await ben.told())
    anna.starts()
    assert "<status>active" in (await ben.told())[-1]


async def test_a_role_that_somebody_left_behind_can_be_taken(stage: Stage) -> None:
    anna, ben, carl = await stage.match("anna", "ben", "carl")
    ben.leaves("ben")
    await stage.forget()
    carl.takes_role("o")
    await carl.hears(occupant("carl", role="o"))
    ben.enters("ben")
    assert "role=" not in (await ben.told())[-1]
    anna.starts()
    carl.starts()
    assert "<status>active" in (await ben.told())[-1]


async def test_a_spectator_who_leaves_disturbs_nothing(stage: Stage) -> None:
    anna, _, carl = await stage.match("anna", "ben", "carl")
    carl.leaves("carl")
    await anna.hears(occupant("carl", role="none", type="unavailable"))


@pytest.mark.parametrize("to", [f"{ROOM}/anna", f"{ROOM}/nobody", ROOM])
async def test_leaving_goes_by_the_full_jid_whatever_nick_is_addressed(
    stage: Stage, to: str
) -> None:
    """Robustness 1: a server sends one for each address that was tried."""
    anna, ben = await stage.table("anna", "ben")
    ben.says(f"<presence to='{to}' type='unavailable'/>")
    await anna.hears(occupant("ben", role="none", type="unavailable"))


async def test_the_last_to_leave_ends_the_room(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.leaves("anna")
    ben.leaves("ben")
    await stage.forget()
    carl = stage.client("carl@example.org/home")
    carl.enters("carl")
    assert "<status>created</status>" in (await carl.told())[0]


# Nicknames


async def test_M98_the_old_nick_says_the_new_one(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    renames(anna, "miranda")
    await ben.hears(occupant("anna", "owner", "x", new_nick="miranda"))
    await anna.hears(occupant("anna", "owner", "x", jid=anna.jid, new_nick="miranda"))
    anna.moves(1, 1, 1)
    assert f"from='{ROOM}/miranda'" in (await ben.told())[0]


@pytest.mark.parametrize("nick", ["ben", "BEN", "b\u200ben"], ids=ascii)
async def test_M98_a_nick_that_is_taken_is_a_conflict(stage: Stage, nick: str) -> None:
    anna, ben = await stage.table("anna", "ben")
    renames(anna, nick)
    await anna.is_refused("conflict", "cancel")
    await ben.hears()


async def test_M98_the_same_nick_in_other_letters_is_free(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    renames(anna, "Anna")
    await ben.hears(occupant("anna", "owner", new_nick="Anna"))


# Private messages


@pytest.mark.parametrize("kind", ["chat", ""])
async def test_M99_M100_M101_M103_a_private_message_comes_from_the_nick(
    stage: Stage, kind: str
) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    attribute = f" type='{kind}'" if kind else ""
    anna.says(f"<message to='{ROOM}/ben' id='p1'{attribute}>{BODY}</message>")
    await ben.hears(f"<message from='{ROOM}/anna' id='p1'{attribute}>{BODY}</message>")
    await anna.hears()
    await carl.hears()


async def test_M102_spectators_write_in_moderated_rooms_too(stage: Stage) -> None:
    anna, _, carl = await stage.match("anna", "ben", "carl")
    carl.says(f"<message to='{ROOM}/anna' type='chat'>{BODY}</message>")
    assert BODY in (await anna.told())[0]


async def test_M72_a_private_message_reaches_all_sessions(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    phone = stage.client("ben@example.org/phone")
    phone.enters("ben")
    await stage.forget()
    anna.says(f"<message to='{ROOM}/ben' type='chat'>{BODY}</message>")
    for session in (ben, phone):
        assert BODY in (await session.told())[0]


async def test_M104_an_unknown_nick_is_not_found(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.says(f"<message to='{ROOM}/nobody' type='chat'>{BODY}</message>")
    await anna.is_refused("item-not-found", "cancel")


async def test_M105_who_is_not_inside_writes_to_nobody(stage: Stage) -> None:
    anna, ben = await stage.table("anna"), stage.client("ben@example.org/home")
    for to in (f"{ROOM}/anna", f"{ROOM}/nobody", ROOM):
        ben.says(f"<message to='{to}' type='chat'>{BODY}</message>")
        await ben.is_refused("not-acceptable")
    await anna[0].hears()


async def test_nobody_speaks_for_the_service_in_private(stage: Stage) -> None:
    """What looks like a turn from a nick is one, so a private message cannot hold one."""
    anna, ben = await stage.table("anna", "ben")
    inside = f"{turn(1, 1, 1)}<game xmlns='{MUG}'><status>active</status></game>"
    anna.says(f"<message to='{ROOM}/ben' type='chat'>{inside}{BODY}</message>")
    await ben.hears(f"<message from='{ROOM}/anna' type='chat'>{BODY}</message>")


async def test_markup_stays_text(stage: Stage) -> None:
    """Faults, X13: user text never becomes markup."""
    anna, ben = await stage.table("anna", "ben")
    body = "<body>&lt;test&gt;1' x='2 &amp;amp; ]]&gt;</body>"
    anna.says(f"<message to='{ROOM}/ben' type='chat'>{body}</message>")
    await ben.hears(f"<message from='{ROOM}/anna' type='chat'>{body}</message>")
    renames(anna, "1&apos; x=&apos;2&lt;")
    told = (await ben.told())[0]
    assert "nick='1&apos; x=&apos;2&lt;'" in told


# Talk


async def test_a_word_to_the_room_reaches_everybody(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.says(f"<message type='chat' id='7'>{BODY}</message>")
    for client in (anna, ben, carl):
        await client.hears(f"<message from='{ROOM}/anna' id='7' type='chat'>{BODY}</message>")


async def test_groupchat_is_a_bad_request(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    anna.says(f"<message type='groupchat'>{BODY}</message>")
    await anna.is_refused("bad-request", "modify")


@pytest.mark.parametrize("kind", ["headline", "error"])
async def test_messages_that_need_no_answer(stage: Stage, kind: str) -> None:
    anna, ben = await stage.table("anna", "ben")
    for client in (anna, stage.client("carl@example.org/home")):
        for to in (ROOM, f"{ROOM}/ben", f"nowhere@{DOMAIN}", DOMAIN):
            client.says(f"<message to='{to}' type='{kind}'>{BODY}</message>")
        await client.hears()
    await ben.hears()


async def test_a_message_to_a_room_that_is_not_there(stage: Stage) -> None:
    anna = stage.client("anna@example.org/home")
    anna.says(f"<message type='chat'>{BODY}</message>")
    await anna.is_refused("item-not-found")


@pytest.mark.parametrize("inside", [turn(1, 1, 1), f"<start xmlns='{MUG}#user'/>"])
async def test_the_right_element_in_the_wrong_namespace_is_a_bad_request(
    stage: Stage, inside: str
) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.says(f"<message type='chat'>{inside.replace('mug#user', 'mug#owner')}</message>")
    await anna.is_refused("bad-request")
    await ben.hears()


async def test_chat_states_are_nobody_s_business(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.says(
        "<message type='chat'><composing xmlns='http://jabber.org/protocol/chatstates'/></message>"
    )
    await anna.hears()
    await ben.hears()
