"""What a component that resembles MUC owes: silence, bounces, floods, strange stanzas."""

import pytest

from parlour.gateways.mug import MugOptions
from tests.gateways.mug.stage import (
    DOMAIN,
    GAME,
    MUG,
    PROBE,
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

PING = "<ping xmlns='urn:xmpp:ping'/>"
MINUTE = 60_000


async def asked(client: Client) -> str:
    """The id of the only thing that the client was told: a question whether it is there."""
    (told,) = await client.told()
    assert told.startswith("<iq ")
    assert PING in told
    return told.partition(" id='")[2].partition("'")[0]


# Who is gone


@pytest.mark.parametrize(
    "condition",
    [
        "gone",
        "item-not-found",
        "recipient-unavailable",
        "remote-server-not-found",
        "remote-server-timeout",
        "service-unavailable",
        "jid-malformed",
    ],
)
@pytest.mark.parametrize("kind", ["message", "presence"])
async def test_what_bounces_removes_the_session(stage: Stage, condition: str, kind: str) -> None:
    """Robustness 2."""
    anna, ben = await stage.match("anna", "ben")
    ben.bounces(condition, kind)
    await anna.hears(occupant("ben", role="none", type="unavailable"), state("paused"))
    await ben.hears(lost("ben"))


@pytest.mark.parametrize("condition", ["policy-violation", "not-acceptable", "feature-x"])
async def test_other_errors_remove_nobody(stage: Stage, condition: str) -> None:
    anna, ben = await stage.match("anna", "ben")
    ben.bounces(condition)
    await anna.hears()
    await ben.hears()


async def test_a_bounced_private_message_leaks_nobody(stage: Stage) -> None:
    """Robustness 13: the sender does not get the error of the other's server, nor the JID."""
    anna, ben = await stage.table("anna", "ben")
    anna.configures("anonymity=fully-anonymous")
    anna.says(f"<message to='{ROOM}/ben' type='chat'><body>hello</body></message>")
    await stage.forget()
    ben.gone = True
    ben.bounces("gone", more=f"to='{ROOM}/anna'")
    await anna.hears(occupant("ben", role="none", type="unavailable"))


async def test_only_the_lost_resource_goes(stage: Stage) -> None:
    """Robustness 4: one of two clients hibernates and is given up by its server."""
    anna, ben = await stage.match("anna", "ben")
    phone = stage.client("ben@example.org/phone")
    phone.enters("ben")
    await stage.forget()
    phone.bounces("recipient-unavailable")
    await anna.hears()
    anna.moves(1, 1, 1)
    assert turn(1, 1, 1) in (await ben.told())[0]
    await phone.hears(lost("ben"))


async def test_the_silent_are_asked_and_removed_when_they_do_not_answer(stage: Stage) -> None:
    """Robustness 3, by timeout: the server gives back what is sent to them then."""
    anna, ben = await stage.match("anna", "ben")
    stage.now += 11 * MINUTE
    anna.says(f"<iq type='get' id='1' to='{ROOM}/anna'>{PING}</iq>")
    await stage.forget()
    stage.gateway.tick()
    await asked(ben)
    await anna.hears()
    ben.gone = True
    stage.now += MINUTE
    stage.gateway.tick()
    await anna.hears(occupant("ben", role="none", type="unavailable"), state("paused"))
    await ben.hears(PROBE, lost("ben"))


async def test_who_answers_nothing_and_is_there_stays(stage: Stage) -> None:
    """Clients of strophe.js with a handler for all stanzas answer no pings."""
    anna, ben = await stage.match("anna", "ben")
    for _ in range(138):  # of ten seconds: they are asked as often as all who are silent
        stage.now += 10_000
        anna.says(f"<iq type='get' id='1' to='{ROOM}/anna'>{PING}</iq>")
        stage.gateway.tick()
    ping, probe, *again = await ben.told()
    assert [PING in ping, probe, PING in again[0], *again[1:]] == [True, PROBE, True, PROBE]
    await anna.told()
    anna.moves(1, 1, 1)
    assert turn(1, 1, 1) in (await ben.told())[0]


@pytest.mark.parametrize("answer", ["result", "feature-not-implemented"])
async def test_who_answers_stays(stage: Stage, answer: str) -> None:
    anna, ben = await stage.table("anna", "ben")
    stage.now += 11 * MINUTE
    stage.gateway.tick()
    await anna.told()
    name = await asked(ben)
    if answer == "result":
        ben.says(f"<iq type='result' id='{name}'/>")
    else:
        ben.bounces(answer, "iq", f"id='{name}'")
    stage.now += MINUTE
    stage.gateway.tick()
    assert [one for one in await anna.told() if "/ben'" in one] == []
    ben.says(f"<iq type='get' id='2' to='{ROOM}/ben'>{PING}</iq>")
    assert "type='result'" in (await ben.told())[-1]


async def test_any_word_is_a_sign(stage: Stage) -> None:
    """Simple clients know no pings; who plays is there."""
    anna, _ = await stage.match("anna", "ben")
    stage.now += 11 * MINUTE
    stage.gateway.tick()
    await stage.forget()
    stage.now += MINUTE // 2
    anna.moves(1, 1, 1)
    await stage.forget()
    stage.client("ben@example.org/home").gone = True
    stage.now += MINUTE // 2
    stage.gateway.tick()
    await anna.hears(
        occupant("ben", role="none", type="unavailable"), state("paused", "X . .", "o")
    )


@pytest.mark.parametrize("gone", [True, False])
async def test_an_error_instead_of_a_sign_may_be_that_of_the_client(
    stage: Stage, gone: bool
) -> None:
    """Servers say service-unavailable for who is gone, clients for what they do not know."""
    anna, ben = await stage.table("anna", "ben")
    stage.now += 11 * MINUTE
    stage.gateway.tick()
    await anna.told()
    ben.gone = gone
    ben.bounces("service-unavailable", "iq", f"id='{await asked(ben)}'")
    await ben.hears(PROBE, *([lost("ben")] if gone else []))
    await anna.hears(*([occupant("ben", role="none", type="unavailable")] if gone else []))


async def test_nobody_answers_for_another(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    stage.now += 11 * MINUTE
    stage.gateway.tick()
    await anna.told()
    name = await asked(ben)
    anna.bounces("gone", "iq", f"id='{name}'")
    await ben.hears()
    await anna.hears()
    anna.says(f"<iq type='result' id='{name}'/>")
    anna.says("<presence/>")
    ben.gone = True
    stage.now += MINUTE
    stage.gateway.tick()
    gone = occupant("ben", role="none", type="unavailable")
    assert canonical(gone) in [canonical(one) for one in await anna.told()]


async def test_nobody_guesses_what_another_is_asked(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    ids = iter(("secret", "hidden"))
    stage.gateway._house.new_id = lambda: next(ids)
    stage.now += 11 * MINUTE
    stage.gateway.tick()
    assert {await asked(anna), await asked(ben)} == {"sign-secret", "sign-hidden"}


# XEP-0410


async def test_who_pings_the_own_nick_learns_whether_they_are_inside(stage: Stage) -> None:
    """Robustness 7."""
    (anna,) = await stage.table("anna")
    anna.says(f"<iq type='get' id='1' to='{ROOM}/anna'>{PING}</iq>")
    await anna.hears(f"<iq from='{ROOM}/anna' type='result' id='1'/>")
    other = stage.client("ben@example.org/home")
    other.says(f"<iq type='get' id='2' to='{ROOM}/anna'>{PING}</iq>")
    await other.is_refused("not-acceptable")


# Errors are not answered, requests are answered once


@pytest.mark.parametrize("kind", ["result", "error"])
@pytest.mark.parametrize("to", [DOMAIN, ROOM, f"{ROOM}/anna", f"nowhere@{DOMAIN}"])
async def test_nothing_is_said_to_an_answer(stage: Stage, kind: str, to: str) -> None:
    """Robustness 8; faults, X03."""
    (anna,) = await stage.table("anna")
    anna.says(f"<iq type='{kind}' id='zz' to='{to}'><query xmlns='{MUG}#owner'/></iq>")
    await anna.hears()


@pytest.mark.parametrize("kind", ["get", "set"])
@pytest.mark.parametrize("to", [DOMAIN, ROOM, f"{ROOM}/anna", f"nowhere@{DOMAIN}"])
@pytest.mark.parametrize(
    "inside",
    [
        "<command xmlns='http://jabber.org/protocol/commands' node='x'/>",
        PING,
        "<query xmlns='http://jabber.org/protocol/disco#info'/>",
        "<query xmlns='http://jabber.org/protocol/disco#items'/>",
        f"<query xmlns='{MUG}#owner'/>",
        f"<query xmlns='{MUG}#owner'><options><x xmlns='jabber:x:data'/></options></query>",
        f"<query xmlns='{MUG}#owner'><item role='all'/></query>",
        f"<query xmlns='{MUG}#owner'><state xmlns='{GAME}'/></query>",
        f"<save xmlns='{MUG}#owner'/>",
        "<vCard xmlns='vcard-temp'/>",
        "",
        PING + PING,
    ],
)
async def test_every_request_has_exactly_one_answer(
    stage: Stage, kind: str, to: str, inside: str
) -> None:
    """Robustness 10; faults, X04."""
    (anna,) = await stage.table("anna")
    for client in (anna, stage.client("ben@example.org/home")):
        client.says(f"<iq type='{kind}' id='q1' to='{to}'>{inside}</iq>")
        (told,) = await client.told()
        assert told.startswith(f"<iq from='{to}' type='")
        assert " id='q1'" in told.partition(">")[0]


async def test_a_request_of_no_kind_is_bad(stage: Stage) -> None:
    anna = stage.client("anna@example.org/home")
    anna.says(f"<iq type='want' id='1' to='{DOMAIN}'>{PING}</iq>")
    await anna.is_refused("bad-request")


# Limits


async def test_a_flood_of_one_jid_is_held_up_and_nobody_else() -> None:
    """Robustness 15: a thousand joins at once from one JID."""
    async with on_stage(options=MugOptions(rate=10, burst=30)) as stage:
        anna, ben = await stage.table("anna", "ben")
        carl = stage.client("carl@example.org/home")
        for number in range(1000):
            carl.enters(f"carl{number}")
        told = await carl.told()
        assert sum("not so fast" in one for one in told) == 1
        ben.takes_role("o")
        assert any("role='o'" in one for one in await anna.told())
        carl.leaves("carl0")
        left = (await ben.told())[-1]  # leaving is never held up
        assert left.startswith(f"<presence from='{ROOM}/carl29' type='unavailable'>")
        stage.now += 1000
        await carl.told()
        carl.enters("carl")
        assert "<item affiliation='none'/>" in (await carl.told())[-1]


async def test_rooms_of_one_user_are_limited() -> None:
    async with on_stage(options=MugOptions(rooms_most=2)) as stage:
        anna = stage.client("anna@example.org/home")
        for name in ("one", "two", "three"):
            anna.says(
                f"<presence to='{name}@{DOMAIN}/anna'><game xmlns='{MUG}' var='{GAME}'/></presence>"
            )
        assert "<resource-constraint " in (await anna.told())[0]


async def test_rooms_of_all_are_limited() -> None:
    async with on_stage(options=MugOptions(all_rooms_most=1)) as stage:
        await stage.table("anna")
        ben = stage.client("ben@example.org/home")
        ben.says(f"<presence to='two@{DOMAIN}/ben'><game xmlns='{MUG}' var='{GAME}'/></presence>")
        await ben.is_refused("resource-constraint", "wait")


@pytest.mark.parametrize(
    "inside",
    ["<body>" + "a" * 30_000 + "</body>", "<a>" * 30 + "</a>" * 30, "<body/>" * 600],
    ids=["long", "deep", "wide"],
)
async def test_oversized_stanzas_are_refused(stage: Stage, inside: str) -> None:
    anna, ben = await stage.table("anna", "ben")
    anna.says(f"<message to='{ROOM}/ben' type='chat'>{inside}</message>")
    await anna.is_refused("policy-violation")
    await ben.hears()


# The stream


async def test_while_the_stream_is_lost_nothing_is_kept_and_rooms_stay(stage: Stage) -> None:
    """Robustness 17: on return those inside are asked, and told anew when they answer."""
    anna, ben = await stage.match("anna", "ben")
    stage.gateway.disconnected()
    said = len(stage.said)
    stage.gateway.tick()
    await stage.settled()
    assert len(stage.said) == said
    stage.gateway.connected()
    *told, sign = await ben.told()
    assert [canonical(one) for one in told] == [
        canonical(with_room(one))
        for one in (state("active"), occupant("anna", "owner", "x"), occupant("ben", role="o"))
    ]
    assert PING in sign
    await anna.told()
    name = sign.partition(" id='")[2].partition("'")[0]
    ben.gone = True
    ben.bounces("service-unavailable", "iq", f"id='{name}'")
    await anna.hears(occupant("ben", role="none", type="unavailable"), state("paused"))


async def test_closing_says_goodbye(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    stage.gateway.close()
    for client in (anna, ben):
        (told,) = await client.told()
        assert told.startswith(f"<presence from='{ROOM}' type='unavailable'>")
