"""Statements about coming in that one example does not show: each from every side (1.4)."""

from tests.gateways.mug.stage import (
    GAME,
    MUG,
    ROOM,
    Stage,
    canonical,
    occupant,
    state,
    turn,
    with_room,
)

HOME = "@example.org/home"


async def test_M55_without_the_game_element_nobody_comes_in(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    ben = stage.client(f"ben{HOME}")
    for inside in ("", f"<game xmlns='{MUG}#user'/>", f"<x xmlns='{MUG}' var='{GAME}'/>"):
        ben.says(f"<presence to='{ROOM}/ben'>{inside}</presence>")
        await ben.is_refused("bad-request", "modify")
    await anna.hears()


async def test_M57_M58_a_newcomer_hears_roles_and_the_board(stage: Stage) -> None:
    anna, _ = await stage.match("anna", "ben")
    anna.moves(1, 2, 3)
    await stage.settled()
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await carl.hears(
        state("active", ". . .\n. . X", "o"),
        occupant("anna", "owner", "x"),
        occupant("ben", role="o"),
        occupant("carl"),
    )


async def test_M59_the_newcomer_hears_of_itself(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    carl, phone = stage.client(f"carl{HOME}"), stage.client("carl@example.org/phone")
    carl.enters("carl")
    assert [canonical(one) for one in await carl.told()].count(canonical(occupant("carl"))) == 1
    await ben.hears(occupant("carl"))
    await anna.told()
    phone.enters("carl")
    for who in (carl, ben):  # a further session is told as well
        await who.hears(occupant("carl"))
    assert canonical((await phone.told())[-1]) == canonical(occupant("carl"))


async def test_M63_M65_roles_and_nicknames_reach_all_and_leak_nothing(stage: Stage) -> None:
    for kind in ("semi-anonymous", "fully-anonymous"):
        anna, ben, carl = await stage.table("anna", "ben", "carl")
        anna.configures(f"anonymity={kind}")
        await stage.forget()
        ben.takes_role("o")
        ben.says(f"<presence to='{ROOM}/benno'><game xmlns='{MUG}'/></presence>")
        jid = ben.jid if kind == "semi-anonymous" else ""
        await carl.hears(occupant("ben", role="o"), occupant("ben", role="o", new_nick="benno"))
        await anna.hears(
            occupant("ben", role="o", jid=jid), occupant("ben", role="o", jid=jid, new_nick="benno")
        )
        for client, nick in ((carl, "carl"), (ben, "benno"), (anna, "anna")):
            client.leaves(nick)
            await stage.settled()


async def test_M64_members_see_no_more_than_others(stage: Stage) -> None:
    anna, ben, carl = await stage.table("anna", "ben", "carl")
    anna.configures("membersonly=1\nanonymity=semi-anonymous")
    await stage.forget()
    carl.leaves("carl")
    await stage.forget()
    carl.enters("carl")
    await ben.hears(occupant("carl", "member"))
    await anna.hears(occupant("carl", "member", jid=carl.jid))
    assert not any("jid=" in one for one in await carl.told())


async def test_M66_not_even_the_owner_nor_a_refusal_tells_a_jid(stage: Stage) -> None:
    anna = stage.client(f"anna{HOME}")
    anna.enters("anna")
    anna.configures("anonymity=fully-anonymous")
    await stage.forget()
    stage.said.clear()
    ben, carl = stage.client(f"ben{HOME}"), stage.client(f"carl{HOME}")
    ben.enters("ben")
    carl.enters("BEN")
    carl.enters("carl")
    anna.takes_role("x")
    ben.takes_role("x")
    ben.takes_role("o")
    anna.says(f"<message to='{ROOM}/ben' type='chat'><body>hello</body></message>")
    anna.starts()
    ben.starts()
    await stage.settled()
    ben.moves(1, 1, 1)
    await stage.settled()
    content = [one.partition(">")[2] for one in stage.said]
    assert len(content) > 20
    assert [one for one in content if "example.org/home" in one or "ben@" in one] == []


async def test_M67_the_right_password_and_no_other(stage: Stage) -> None:
    anna = stage.client(f"anna{HOME}")
    anna.enters("anna")
    anna.configures("passwordprotectedroom=1\nroomsecret=cauldron")
    await stage.forget()
    ben = stage.client(f"ben{HOME}")
    for password in ("", "<password>Cauldron</password>", "<password>cauldron2</password>"):
        ben.enters("ben", password)
        await ben.is_refused("not-authorized", "auth")
    await anna.hears()
    ben.enters("ben", "<password>cauldron</password>")
    assert "<item affiliation='none'/>" in (await ben.told())[-1]


async def test_M70_the_nickname_of_a_guest_is_in_use(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    await stage.against_stranger(anna)
    carl = stage.client(f"carl{HOME}")
    carl.enters("PLAYER")
    await carl.is_refused("conflict", "cancel")
    ben.says(f"<presence to='{ROOM}/player'><game xmlns='{MUG}'/></presence>")
    await ben.is_refused("conflict", "cancel")


async def test_M72_each_session_may_act_for_the_nickname(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    phone = stage.client("ben@example.org/phone")
    phone.enters("ben")
    anna.takes_role("x")
    phone.takes_role("o")
    anna.starts()
    phone.starts()
    await stage.settled()
    anna.moves(1, 1, 1)
    await stage.forget()
    ben.moves(2, 1, 2)
    told = f"<message from='{ROOM}/ben' type='chat'>{turn(2, 1, 2)}</message>"
    for who in (anna, ben, phone):
        assert canonical((await who.told())[0]) == canonical(with_room(told))
