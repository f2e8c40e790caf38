"""Coming in: what is told in which order, who is turned away, who learns whose JID (1.1, 1.4)."""

import pytest

from parlour.gateways.mug import MugOptions
from tests.gateways.mug.stage import (
    GAME,
    MUG,
    ROOM,
    Client,
    Stage,
    canonical,
    lost,
    occupant,
    on_stage,
    state,
    turn,
    with_room,
)

HOME = "@example.org/home"
PRESENT = state("inactive")


async def room_of(stage: Stage, config: str) -> Client:
    """The garden, made by anna and configured."""
    anna = stage.client(f"anna{HOME}")
    anna.enters("anna")
    anna.configures(config)
    await stage.forget()
    return anna


async def test_M55_joining_is_a_presence_to_room_and_nick(stage: Stage) -> None:
    anna, ben = await stage.table("anna"), stage.client(f"ben{HOME}")
    ben.says(f"<presence to='{ROOM}/ben'><game xmlns='{MUG}' var='{GAME}'/></presence>")
    assert (await ben.told())[-1].startswith(f"<presence from='{ROOM}/ben'")
    assert anna


async def test_M57_M58_M61_room_first_then_the_others_oneself_last(stage: Stage) -> None:
    await stage.table("anna", "ben")
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await carl.hears(PRESENT, occupant("anna", "owner"), occupant("ben"), occupant("carl"))


async def test_M59_everybody_hears_of_the_newcomer(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await ben.hears(occupant("carl"))
    await anna.hears(occupant("carl", jid=carl.jid))


async def test_M60_a_role_that_a_newcomer_has_is_told_at_once(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    ben.leaves("ben")
    await stage.forget()
    ben.enters("ben")
    await anna.hears(occupant("ben", role="o", jid=ben.jid))


async def test_M6_M8_who_is_not_recorded_comes_in_as_none(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    told = [one for one in await carl.told() if f"from='{ROOM}/" in one]
    assert [one.count("affiliation=") for one in told] == [1, 1, 1]
    assert "affiliation='none'" in told[-1]
    assert anna is not ben


async def test_M7_a_member_stays_a_member(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("membersonly=1")
    ben.leaves("ben")
    await stage.forget()
    ben.enters("ben")
    await ben.hears(PRESENT, occupant("anna", "owner"), occupant("ben", "member"))


async def test_M62_non_anonymous_everybody_sees_the_jid(stage: Stage) -> None:
    anna = await room_of(stage, "anonymity=non-anonymous")
    ben, carl = stage.client(f"ben{HOME}"), stage.client(f"carl{HOME}")
    ben.enters("ben")
    await stage.forget()
    carl.enters("carl")
    newcomer = occupant("carl", jid=carl.jid)
    await anna.hears(newcomer)
    await ben.hears(newcomer)
    await carl.hears(
        PRESENT,
        occupant("anna", "owner", jid=anna.jid),
        occupant("ben", jid=ben.jid),
        newcomer,
    )


async def test_M63_M64_semi_anonymous_only_the_owner_sees_it(stage: Stage) -> None:
    anna = await room_of(stage, "anonymity=semi-anonymous")
    ben, carl = stage.client(f"ben{HOME}"), stage.client(f"carl{HOME}")
    ben.enters("ben")
    await stage.forget()
    carl.enters("carl")
    await anna.hears(occupant("carl", jid=carl.jid))
    await ben.hears(occupant("carl"))
    assert not any("jid=" in one for one in await carl.told())


async def test_M65_M66_fully_anonymous_nobody_sees_it(stage: Stage) -> None:
    anna = await room_of(stage, "anonymity=fully-anonymous")
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await anna.hears(occupant("carl"))
    assert not any("jid=" in one for one in await carl.told())


@pytest.mark.parametrize("inside", ["", "<password/>", "<password>wrong</password>"])
async def test_M67_the_wrong_password_is_not_authorized(stage: Stage, inside: str) -> None:
    await room_of(stage, "passwordprotectedroom=1\nroomsecret=cauldron burn")
    ben = stage.client(f"ben{HOME}")
    ben.enters("ben", inside)
    error = await ben.is_refused("not-authorized", "auth")
    assert "wrong" not in error  # nothing of a password comes back
    assert "cauldron" not in error


async def test_M68_the_password_travels_in_the_game_element(stage: Stage) -> None:
    await room_of(stage, "passwordprotectedroom=1\nroomsecret=cauldron burn")
    ben = stage.client(f"ben{HOME}")
    ben.enters("ben", "<password>cauldron burn</password>")
    await ben.hears(PRESENT, occupant("anna", "owner"), occupant("ben"))


async def test_M9_M69_who_is_no_member_does_not_come_in(stage: Stage) -> None:
    anna = await room_of(stage, "membersonly=1")
    ben = stage.client(f"ben{HOME}")
    ben.enters("ben")
    await ben.is_refused("registration-required", "auth")
    await anna.hears()


@pytest.mark.parametrize(
    "nick", ["anna", "Anna", "\uff21\uff4e\uff4e\uff41", "an\u200bna", "  anna "], ids=ascii
)
async def test_M70_a_nick_that_looks_taken_is_a_conflict(stage: Stage, nick: str) -> None:
    await stage.table("anna")
    ben = stage.client(f"ben{HOME}")
    ben.enters(nick)
    await ben.is_refused("conflict", "cancel")


async def test_M71_M72_a_second_session_shares_the_nick_and_hears_everything(
    stage: Stage,
) -> None:
    anna, ben = await stage.table("anna", "ben")
    phone = stage.client("ben@example.org/phone")
    phone.enters("ben")
    await phone.hears(PRESENT, occupant("anna", "owner"), occupant("ben"))
    await stage.forget()
    phone.takes_role("o")
    for session in (ben, phone):
        await session.hears(occupant("ben", role="o"))
    await anna.hears(occupant("ben", role="o", jid=phone.jid))


async def test_the_role_is_lost_with_the_last_session(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    phone = stage.client("ben@example.org/phone")
    phone.enters("ben")
    await stage.forget()
    ben.leaves("ben")
    await anna.hears()
    await ben.hears(occupant("ben", role="none", type="unavailable"))
    phone.leaves("ben")
    await anna.hears(occupant("ben", role="none", type="unavailable"), state("paused"))


async def test_of_too_many_sessions_the_quietest_goes() -> None:
    async with on_stage(options=MugOptions(sessions_most=2)) as stage:
        home, ben = await stage.match("anna", "ben")
        phone, office = (stage.client(f"anna@example.org/{one}") for one in ("phone", "office"))
        phone.enters("anna")
        stage.now += 10_000
        home.says("<presence/>")
        await stage.forget()
        office.enters("anna")
        # Whom its server still holds after a cut would keep their own user out.
        seen = occupant("anna", "owner", "x", jid=office.jid)  # owners see JIDs
        await phone.hears(seen, lost("anna", "owner"))
        await ben.hears(occupant("anna", "owner", "x"))
        assert canonical((await office.told())[-1]) == canonical(with_room(seen))
        home.moves(1, 1, 1)
        await phone.hears()
        assert turn(1, 1, 1) in (await office.told())[0]


async def test_no_session_goes_that_has_spoken_just_now() -> None:
    async with on_stage(options=MugOptions(sessions_most=2)) as stage:
        (home,) = await stage.table("anna")
        phone, office = (stage.client(f"anna@example.org/{one}") for one in ("phone", "office"))
        phone.enters("anna")
        await stage.forget()
        stage.now += 9_999
        office.enters("anna")
        await office.is_refused("resource-constraint", "wait")
        await home.hears()
        await phone.hears()


async def test_sessions_of_one_user_do_not_put_each_other_out_for_ever(stage: Stage) -> None:
    """Eleven clients that come in again when they are told that they were believed to be gone."""
    await stage.table("anna")
    clients = [stage.client(f"ben@example.org/{number}") for number in range(11)]
    for client in clients[:10]:
        client.enters("ben")
    await stage.forget()
    stage.now += 60_000
    clients[10].enters("ben")
    came, refused = 0, 0
    for _ in range(100):
        for client in clients:
            told = "".join(await client.told())
            refused += "<resource-constraint " in told
            if "code='333'" in told:
                came += 1
                stage.now += 5
                client.enters("ben")
    assert (came, refused) == (10, 1)


async def test_who_comes_again_makes_none_of_their_sessions_go() -> None:
    async with on_stage(options=MugOptions(sessions_most=2)) as stage:
        (home,) = await stage.table("anna")
        phone = stage.client("anna@example.org/phone")
        phone.enters("anna")
        await stage.forget()
        phone.enters("anna")
        home.enters("anna")
        await stage.settled()
        assert stage.gateway._keepers["garden"].room.sessions == (home.jid, phone.jid)


async def test_one_user_has_one_nick_in_a_room(stage: Stage) -> None:
    await stage.table("anna", "ben")
    phone = stage.client("ben@example.org/phone")
    phone.enters("benjamin")
    await phone.is_refused("conflict", "cancel")


async def test_M73_a_full_room_is_unavailable(stage: Stage) -> None:
    await room_of(stage, "maxusers=2")
    stage.client(f"ben{HOME}").enters("ben")
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await carl.is_refused("service-unavailable", "wait")


async def test_M73_the_owner_finds_a_place(stage: Stage) -> None:
    anna = await room_of(stage, "maxusers=2")
    for user in ("ben", "carl"):
        stage.client(f"{user}{HOME}").enters(user)
        anna.leaves("anna")
    await stage.forget()
    anna.enters("anna")
    assert "affiliation='owner'" in (await anna.told())[-1]


async def test_M73_the_service_has_its_own_limit() -> None:
    async with on_stage(options=MugOptions(occupants_most=2)) as stage:
        await stage.table("anna", "ben")
        carl = stage.client(f"carl{HOME}")
        carl.enters("carl")
        await carl.is_refused("service-unavailable", "wait")


async def test_the_limit_of_the_service_keeps_out_no_session_and_no_owner() -> None:
    async with on_stage(options=MugOptions(occupants_most=2)) as stage:
        anna, _ = await stage.table("anna", "ben")
        phone = stage.client("ben@example.org/phone")
        phone.enters("ben")
        assert f"from='{ROOM}/ben'" in (await phone.told())[-1]
        anna.leaves("anna")
        stage.client(f"carl{HOME}").enters("carl")
        await stage.forget()
        anna.enters("anna")
        assert "affiliation='owner'" in (await anna.told())[-1]


async def test_entering_again_is_a_full_resync(stage: Stage) -> None:
    """Robustness 5: no conflict, and nobody else hears of it."""
    anna, ben = await stage.match("anna", "ben")
    ben.enters("ben")
    await ben.hears(state("active"), occupant("anna", "owner", "x"), occupant("ben", role="o"))
    await anna.hears()


async def test_another_game_is_not_acceptable(stage: Stage) -> None:
    await stage.table("anna")
    ben = stage.client(f"ben{HOME}")
    ben.enters("ben", var=f"{MUG}/chess")
    await ben.is_refused("not-acceptable")


@pytest.mark.parametrize(
    ("presence", "condition"),
    [
        (f"<presence to='{ROOM}/ben'/>", "bad-request"),
        (f"<presence><game xmlns='{MUG}' var='{GAME}'/></presence>", "jid-malformed"),
        (f"<presence><game xmlns='{MUG}'><item role='x'/></game></presence>", "not-acceptable"),
        (f"<presence to='{ROOM}/&#x200b;'><game xmlns='{MUG}'/></presence>", "jid-malformed"),
        (f"<presence to='{ROOM}/{65 * 'n'}'><game xmlns='{MUG}'/></presence>", "jid-malformed"),
        ("<presence type='subscribe'/>", "not-allowed"),
    ],
)
async def test_presence_that_lets_nobody_in(stage: Stage, presence: str, condition: str) -> None:
    anna, ben = await stage.table("anna"), stage.client(f"ben{HOME}")
    ben.says(presence)
    await ben.is_refused(condition)
    await anna[0].hears()


@pytest.mark.parametrize("kind", ["unavailable", "unsubscribe", "probe", "error"])
async def test_presence_that_needs_no_answer(stage: Stage, kind: str) -> None:
    anna, ben = await stage.table("anna"), stage.client(f"ben{HOME}")
    ben.says(f"<presence to='{ROOM}/ben' type='{kind}'/>")
    await ben.hears()
    await anna[0].hears()


async def test_being_away_is_not_passed_on(stage: Stage) -> None:
    """Presence without a game element from inside: defined, and ignored."""
    anna, ben = await stage.table("anna", "ben")
    ben.says(f"<presence to='{ROOM}/ben'><show>away</show></presence>")
    await ben.hears()
    await anna.hears()


async def test_M10_none_has_the_rights_of_a_member_in_an_open_room(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.configures("membersonly=1")
    anna.configures("membersonly=0")
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await stage.forget()
    ben.takes_role("x")
    carl.takes_role("o")
    ben.starts()
    carl.starts()
    ben.moves(1, 1, 1)
    carl.moves(2, 2, 2)
    told = "".join(await anna.told())
    assert "affiliation='member'" in told
    assert "affiliation='none'" in told
    assert "<field row='2' col='2'>o</field>" in told


async def test_M13_a_changed_affiliation_is_told_to_all(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    carl = stage.client(f"carl{HOME}")
    carl.enters("carl")
    await stage.forget()
    anna.configures("membersonly=1")
    for client in (anna, ben, carl):
        told = "".join(await client.told())
        for nick in ("ben", "carl"):
            assert f"from='{ROOM}/{nick}'><game xmlns='{MUG}'><item affiliation='member'" in told
