"""Whatever floods is charged; what is free is only what frees something: a leave."""

import pytest

from parlour.gateways.mug import MugOptions
from tests.gateways.mug.stage import DOMAIN, MUG, ROOM, Stage, on_stage, state
from tests.gateways.mug.test_mug_leaves import inside
from tests.gateways.mug.test_mug_restart import ANNA, BEN, killed, sign, two_in_mid_game
from tests.host.stores import HeldStore

ODD = "type='unavailable'"  # of which only a presence becomes a leave


async def test_talk_of_the_type_of_a_leave_is_charged_as_talk() -> None:
    async with on_stage(options=MugOptions(burst=60)) as stage:
        anna, ben = await stage.table("anna", "ben")
        stage.now += 60_000
        for _ in range(1000):
            ben.says(f"<message {ODD}><body>hello</body></message>")
        assert sum("hello" in one for one in await anna.told()) == 60


@pytest.mark.parametrize(
    "stanza",
    [
        f"<message {ODD} to='nowhere@{DOMAIN}'/>",
        f"<message {ODD} to='{DOMAIN}'/>",
        f"<iq {ODD} id='q' to='{ROOM}'/>",
    ],
)
async def test_answers_to_what_is_no_leave_are_bounded(stage: Stage, stanza: str) -> None:
    (anna,) = await stage.table("anna")
    stage.now += 60_000
    for _ in range(1000):
        anna.says(stanza)
    assert len(await anna.told()) == MugOptions().burst + 1  # and once "not so fast"


async def test_what_is_no_leave_waits_for_a_slow_disk_as_all_else() -> None:
    store = HeldStore()
    async with on_stage(store, MugOptions(burst=5000)) as stage:
        anna, ben = await stage.table("anna", "ben")
        store.held = True
        anna.takes_role("x")
        for _ in range(1000):
            ben.says(f"<message {ODD}><body>hello</body></message>")
        store.release()
        assert sum("hello" in one for one in await anna.told()) == 60


async def test_what_is_no_leave_is_a_sign_of_life() -> None:
    async with on_stage(await killed(two_in_mid_game), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await stage.forget()
        ben.says(f"<message {ODD}/>")
        await anna.hears(state("active", "O . .\n. X .\n. . ."))


@pytest.mark.parametrize(
    "beside", [f"<status>{'x' * 20_001}</status>", "<a>" * 30 + "</a>" * 30, "<a/>" * 600]
)
async def test_a_leave_is_one_however_large_it_is(stage: Stage, beside: str) -> None:
    _, ben = await stage.table("anna", "ben")
    ben.says(f"<presence type='unavailable'>{beside}</presence>")
    await stage.settled()
    assert inside(stage) == ["anna"]


LONG = "'" * 1_001  # characters of an id, each of which an answer would say in six
LONG_ID = f'id="{LONG}"'


@pytest.mark.parametrize(
    "stanza",
    [
        f"<iq type='get' {LONG_ID}><ping xmlns='urn:xmpp:ping'/></iq>",
        f"<iq type='get' {LONG_ID}>{'<a/>' * 600}</iq>",
        f"<message type='chat' {LONG_ID}><body>hello</body></message>",
        f"<presence to='{ROOM}/ben' {LONG_ID}/>",
    ],
    ids=["sound", "oversized", "talk", "name"],
)
async def test_too_long_an_id_never_comes_back_and_costs_as_much(stage: Stage, stanza: str) -> None:
    anna, _ = await stage.table("anna", "ben")
    stage.now += 60_000
    for _ in range(MugOptions().burst + 10):
        anna.says(stanza)
    await anna.hears()
    anna.says(stanza.replace(LONG, "short"))
    await anna.is_refused("resource-constraint")


async def test_a_leave_with_too_long_an_id_is_one(stage: Stage) -> None:
    _, ben = await stage.table("anna", "ben")
    ben.says(f"<presence type='unavailable' {LONG_ID}/>")
    await stage.settled()
    assert inside(stage) == ["anna"]


async def test_what_an_error_repeats_is_of_bounded_length(stage: Stage) -> None:
    (anna,) = await stage.table("anna")
    stranger = stage.client("carl@example.org/home")
    var = "&apos;" * 2_000
    stranger.enters("carl", var=var)
    anna.says(f"<message id='t'><turn xmlns='{MUG}#user'><move id='{var}'/></turn></message>")
    for client in (stranger, anna):
        (error,) = await client.told()
        assert "type='error'" in error
        assert len(error) < 1_000
