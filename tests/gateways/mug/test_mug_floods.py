"""Whatever floods is charged; what is free is only what frees something: a leave."""

import pytest

from parlour.gateways.mug import MugOptions
from tests.gateways.mug.stage import DOMAIN, ROOM, Stage, on_stage, state
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
