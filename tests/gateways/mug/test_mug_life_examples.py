"""What the machine of `test_mug_lifecycle` has found, each in as few steps as show it."""

import asyncio

import pytest

from parlour.gateways.mug import MugOptions
from parlour.match import LeaveSeat
from parlour.stores import MemoryStore
from tests.gateways.mug.stage import (
    MUG,
    ROOM,
    Client,
    Stage,
    canonical,
    occupant,
    on_stage,
    with_room,
)
from tests.gateways.mug.test_mug_anything import check_beliefs
from tests.host.stores import Door, FailingStore, Medium
from tests.host.wall import Wall

PING = "urn:xmpp:ping"


async def told_anew(stage: Stage, client: Client) -> list[str]:
    """The occupants that a client is told of when the stream is back, in that order."""
    await stage.forget()
    stage.gateway.connected()
    return [canonical(one) for one in (await client.told())[1:] if PING not in one]


def written(*stanzas: str) -> list[str]:
    return [canonical(with_room(one)) for one in stanzas]


async def test_who_is_put_out_while_the_stream_is_down_is_told_to_be_gone(stage: Stage) -> None:
    anna, ben = await stage.table("anna", "ben")
    stage.gateway.disconnected()
    stage.gateway.operator.send_away(ben.jid, "out")
    told = await told_anew(stage, anna)
    gone = occupant("ben", role="none", type="unavailable")
    myself = occupant("anna", "owner", jid=anna.jid)
    assert told == written(gone, myself)
    stage.gateway.disconnected()
    assert await told_anew(stage, anna) == written(myself)  # once is enough


async def test_who_takes_another_name_as_the_stream_is_lost_loses_the_old_one(
    stage: Stage,
) -> None:
    anna, ben = await stage.table("anna", "ben")
    ben.says(f"<presence to='{ROOM}/benjamin'><game xmlns='{MUG}'/></presence>")
    stage.gateway.disconnected()
    told = await told_anew(stage, anna)
    assert told[0] == written(occupant("ben", role="none", type="unavailable"))[0]
    assert "/benjamin'" in told[1].replace('"', "'")


async def test_a_name_that_is_taken_again_before_the_stream_is_back_is_not_gone(
    stage: Stage,
) -> None:
    anna, ben = await stage.table("anna", "ben")
    ben.leaves("ben")
    ben.enters("ben")
    stage.gateway.disconnected()
    assert [one for one in await told_anew(stage, anna) if "unavailable" in one] == []


async def test_a_guest_who_leaves_while_the_stream_is_down_is_told_to_be_gone(
    stage: Stage,
) -> None:
    (anna,) = await stage.table("anna")
    player = await stage.against_stranger(anna)
    stage.gateway.disconnected()
    player.does(LeaveSeat(player.identity))
    told = await told_anew(stage, anna)
    assert told[0] == written(occupant("player", role="none", type="unavailable"))[0]


async def passes(turns: int) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


@pytest.mark.parametrize("turns", range(8))
async def test_roles_are_kept_when_the_stream_is_back_between_two_rounds(
    stage: Stage, turns: int
) -> None:
    """At one of these moments nothing is known of the next table yet."""
    anna, _ = await stage.final_turn()
    anna.moves(5, 1, 3)
    await passes(turns)
    stage.gateway.disconnected()
    stage.gateway.connected()
    await stage.settled()
    check_beliefs(stage)


@pytest.mark.parametrize("turns", range(8))
async def test_a_table_that_all_get_up_from_is_never_active(stage: Stage, turns: int) -> None:
    (anna,) = await stage.table("anna")
    anna.takes_role("x")
    await stage.settled()
    anna.takes_role("none")
    await passes(turns)
    stage.gateway.disconnected()
    stage.gateway.connected()
    await stage.settled()
    assert [one for one in stage.said if "<status>active" in one] == []
    check_beliefs(stage)


async def test_a_room_that_all_had_left_when_the_service_was_killed_does_not_come_back() -> None:
    medium = Medium(MemoryStore())
    door = Door(medium)
    stage = Stage(door, MugOptions(), 1)
    await stage.host.recover(120_000)
    stage.gateway.connected()
    anna, ben = await stage.table("anna", "ben")
    anna.takes_role("x")
    ben.leaves("ben")
    await stage.settled()
    medium.late = True  # the leave is written, and nobody hears of that
    anna.leaves("anna")
    await stage.settled()
    door.cut()
    await stage.host.close()
    medium.lose()
    async with on_stage(medium, run=2) as again:
        await again.settled()
        assert not again.host.directory.unfinished
        assert not again.host.directory.others


@pytest.mark.parametrize("turns", range(8))
async def test_a_room_that_all_leave_while_nothing_can_be_written_is_gone_later(
    turns: int,
) -> None:
    store, wall = FailingStore(), Wall(asyncio.get_running_loop())
    async with on_stage(store) as stage:
        anna, ben = await stage.table("anna", "ben")
        ben.leaves("ben")
        anna.leaves("anna")
        await passes(turns)
        store.failing = True
        await wall.passes(1_000)
        store.failing = False
        for _ in range(3):
            await wall.passes(1_000)
        assert not stage.host.directory.unfinished
        assert not stage.host.directory.others


async def test_who_comes_again_before_the_leave_could_be_written_stays() -> None:
    store, wall = FailingStore(), Wall(asyncio.get_running_loop())
    async with on_stage(store) as stage:
        anna, ben = await stage.table("anna", "ben")
        store.failing = True
        ben.leaves("ben")
        await stage.settled()
        store.failing = False
        ben.enters("ben")
        await wall.passes(3_000)
        assert "ben" in "".join(await ben.told())
        assert await anna.told() == []
