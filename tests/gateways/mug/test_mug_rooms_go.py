"""When a room goes: never configured, left by all, given up; and for whom it waits."""

import pytest

from tests.gateways.mug.stage import Stage, occupant, on_stage, state
from tests.gateways.mug.test_mug_restart import killed
from tests.host.stores import HeldStore

MINUTE = 60_000


async def test_a_room_that_is_never_configured_goes(stage: Stage) -> None:
    """Robustness 16."""
    anna, ben = stage.client("anna@example.org/home"), stage.client("ben@example.org/home")
    anna.enters("anna")
    await anna.told()
    stage.now += 10 * MINUTE
    stage.gateway.tick()
    (told,) = [one for one in await anna.told() if one.startswith("<presence")]
    assert "type='unavailable'" in told
    ben.enters("ben")
    assert "<status>created</status>" in (await ben.told())[0]


async def test_an_empty_room_waits_for_players_who_were_lost(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    for client in (anna, ben):
        client.bounces("recipient-unavailable")
    await stage.forget()
    stage.now += 9 * MINUTE
    stage.gateway.tick()
    anna.enters("anna")
    told = await anna.told()
    assert "<status>paused</status>" in told[0]
    assert "role='x'" in told[-1]


async def test_a_match_that_both_players_left_waits_for_them(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.leaves("anna")
    ben.leaves("ben")
    await stage.forget()
    ben.enters("ben")
    told = await ben.told()
    assert "<status>paused</status>" in told[0]
    assert "role='o'" in told[-1]


@pytest.mark.parametrize("together", [True, False])
async def test_a_room_whose_players_leave_between_two_rounds_is_gone(
    stage: Stage, together: bool
) -> None:
    anna, ben = await stage.final_turn()
    anna.moves(5, 1, 3)
    await stage.settled()
    assert stage.host.directory.open  # the next round is put up
    anna.leaves("anna")
    if not together:
        await stage.settled()
    ben.leaves("ben")
    await stage.settled()
    assert not stage.host.directory.unfinished
    assert not stage.host.directory.others


async def test_an_empty_room_without_a_match_waits_for_those_who_were_lost(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    for client in (anna, ben):
        client.bounces("recipient-unavailable")
    await stage.forget()
    ben.enters("ben")
    await ben.hears(state("inactive"), occupant("ben"))


async def test_an_empty_room_does_not_wait_for_ever(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    for client in (anna, ben):
        client.bounces("recipient-unavailable")
    await stage.forget()
    stage.now += 10 * MINUTE
    stage.gateway.tick()
    await stage.settled()
    anna.enters("anna")
    assert "<status>created</status>" in (await anna.told())[0]


async def both_are_lost(stage: Stage) -> None:
    for client in await stage.match("anna", "ben"):
        client.bounces("recipient-unavailable")


async def minute(stage: Stage) -> None:
    stage.now += MINUTE
    stage.gateway.tick()
    await stage.settled()


async def test_an_empty_room_waits_no_longer_because_of_a_restart() -> None:
    store = await killed(both_are_lost)
    async with on_stage(store, run=2) as stage:
        for _ in range(9):
            await minute(stage)
        assert list(stage.gateway._keepers) == ["garden"]
    async with on_stage(store, run=3) as stage:  # a minute after the last run began
        stage.now += 9 * MINUTE
        await minute(stage)
        assert not stage.gateway._keepers


async def back_after_a_long_time(stage: Stage) -> None:
    """For twenty minutes there is no stream, and no room goes; half a minute ago it came back."""
    stage.gateway.disconnected()
    for _ in range(20):
        await minute(stage)
    assert list(stage.gateway._keepers) == ["garden"]
    stage.gateway.connected()
    stage.now += MINUTE // 2
    stage.gateway.tick()


async def test_who_was_lost_has_a_minute_after_a_long_time_without_the_stream(
    stage: Stage,
) -> None:
    await both_are_lost(stage)
    await stage.forget()
    await back_after_a_long_time(stage)
    anna = stage.client("anna@example.org/home")
    anna.enters("anna")
    assert "<status>paused</status>" in (await anna.told())[0]


async def test_a_locked_room_goes_once_the_stream_has_been_back_for_a_minute(stage: Stage) -> None:
    stage.client("anna@example.org/home").enters("anna")
    await stage.forget()
    await back_after_a_long_time(stage)
    await stage.settled()
    assert list(stage.gateway._keepers) == ["garden"]
    await minute(stage)
    assert not stage.gateway._keepers


async def test_an_empty_room_goes_once_the_stream_has_been_back_for_a_minute(stage: Stage) -> None:
    await both_are_lost(stage)
    await stage.forget()
    stage.gateway.disconnected()
    await minute(stage)
    stage.now += 20 * MINUTE
    stage.gateway.connected()
    await minute(stage)
    assert not stage.gateway._keepers


async def test_a_room_asks_once_to_be_closed_however_slow_the_log_is() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        anna = stage.client("anna@example.org/home")
        anna.enters("anna")
        await stage.forget()
        store.held = True
        stage.now += 10 * MINUTE
        for _ in range(3):
            stage.gateway.tick()
            await stage.settled()
        assert stage.gateway._keepers["garden"].asking._on_the_way == 1
