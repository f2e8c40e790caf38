"""When the log is slow or fails: nothing is announced before it is recorded, nothing is lost."""

import asyncio
from collections.abc import Sequence

import pytest

from parlour.gateways.mug import MugOptions
from parlour.host import Done, Write
from tests.gateways.mug.stage import (
    DOMAIN,
    GAME,
    MUG,
    ROOM,
    Stage,
    canonical,
    occupant,
    on_stage,
    state,
    turn,
)
from tests.gateways.mug.test_mug_one_room import rewrite
from tests.gateways.mug.test_mug_restart import killed
from tests.host.stores import FailingStore, HeldStore
from tests.host.wall import Wall

ELSEWHERE = f"<presence to='attic@{DOMAIN}/carl'><game xmlns='{MUG}' var='{GAME}'/></presence>"


async def test_nothing_is_told_before_it_is_durable() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        anna, ben = await stage.match("anna", "ben")
        store.held = True
        anna.moves(1, 1, 1)
        ben.leaves("ben")
        stage.client("carl@example.org/home").enters("carl")
        await stage.settled()
        assert await anna.told() == await ben.told() == []
        store.release()
        told = await anna.told()
        assert turn(1, 1, 1) in told[0]
        assert [one.partition("'")[2].partition("'")[0] for one in told] == [
            f"{ROOM}/anna",
            ROOM,
            f"{ROOM}/ben",
            ROOM,
            f"{ROOM}/carl",
        ]


async def test_stanzas_are_handled_in_the_order_in_which_they_came() -> None:
    """Enter, configure, sit down and start in one breath, while each append takes its time."""
    store = HeldStore()
    async with on_stage(store) as stage:
        anna, ben = stage.client("anna@example.org/home"), stage.client("ben@example.org/home")
        store.held = True
        anna.enters("anna")
        anna.accepts_defaults()
        ben.enters("ben")
        anna.takes_role("x")
        ben.takes_role("o")
        anna.starts()
        ben.starts()
        anna.moves(1, 1, 1)
        while store.waiting:
            waiting, store.waiting = store.waiting, []
            for go_on in waiting:
                go_on()
            await stage.settled()
        assert not any("type='error'" in one for one in stage.said)
        assert "<field row='1' col='1'>x</field>" in (await ben.told())[-1]


async def test_what_cannot_be_recorded_is_refused_and_changes_nothing() -> None:
    store = FailingStore()
    async with on_stage(store) as stage:
        anna, ben = await stage.match("anna", "ben")
        store.failing = True
        anna.moves(1, 1, 1)
        await anna.is_refused("resource-constraint", "wait")
        carl = stage.client("carl@example.org/home")
        carl.enters("carl")
        await carl.is_refused("resource-constraint", "wait")
        carl.says(ELSEWHERE)
        await carl.is_refused("resource-constraint", "wait")
        await ben.hears()
        store.failing = False
        anna.moves(1, 1, 1)
        assert turn(1, 1, 1) in (await ben.told())[0]
        carl.says(ELSEWHERE)
        assert "<status>created</status>" in (await carl.told())[0]


async def test_a_round_whose_end_could_not_be_recorded_ends_later() -> None:
    class Full(FailingStore):
        """Takes a winning move, but nothing more."""

        def append(self, writes: Sequence[Write], done: Done) -> None:
            super().append(writes, done)
            if any(b"MatchEnded" in one for write in writes for one in write.events):
                self.failing = True

    store = Full()
    async with on_stage(store, MugOptions()) as stage:
        await stage.final_turn()
        await stage.forget()
        anna, ben = stage.client("anna@example.org/home"), stage.client("ben@example.org/home")
        anna.moves(5, 1, 3)
        told = await ben.told()
        assert turn(5, 1, 3) in told[0]
        assert len(told) == 2
        store.failing = False
        stage.gateway.tick()
        await ben.hears(state("inactive", next="o", result="<won>x</won>"))


async def test_an_owner_whose_invalid_turn_falls_on_a_full_medium_loses_the_role_later() -> None:
    wall, store = Wall(asyncio.get_running_loop()), FailingStore()
    async with on_stage(store) as stage:
        anna, _ = await stage.match("anna", "ben")
        store.failing = True
        anna.moves(1, 9, 9)
        assert "<invalid-turn " in "".join(await anna.told())
        store.failing = False
        await wall.passes(1_000)
        assert canonical(occupant("anna", "owner", "none", anna.jid)) in map(
            canonical, await anna.told()
        )


async def test_a_room_goes_on_without_a_match_that_cannot_be_read_once_that_is_recorded(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def a_match(stage: Stage) -> None:
        await stage.match("anna", "ben")

    wall, store, before = Wall(asyncio.get_running_loop()), FailingStore(), await killed(a_match)
    store._log, store._streams = before._log, before._streams
    rewrite(store, b'"type":"SeatTaken/1"', b'"type":"SeatTaken/9"')
    stage = Stage(store, MugOptions(), run=2)
    await stage.host.recover(120_000)
    store.failing = True
    await stage.gateway.recover()
    stage.gateway.connected()
    await stage.forget()
    store.failing = False
    await wall.passes(1_000)
    carl = stage.client("carl@example.org/home")
    carl.enters("carl")
    assert "/carl'" in (await carl.told())[-1]
    stage.gateway.close()
    await stage.host.close()


async def test_a_room_lets_only_so_many_of_one_occupant_wait() -> None:
    store = HeldStore()
    async with on_stage(store, MugOptions(burst=5000)) as stage:
        anna, ben = await stage.match("anna", "ben")
        store.held = True
        for _ in range(1100):
            ben.says("<message type='chat'><body>hurry up</body></message>")
        anna.moves(1, 1, 1)
        for _ in range(1100):
            ben.says("<message type='chat'><body>hurry up</body></message>")
        told = [one for one in await ben.told() if "<resource-constraint " in one]
        assert len(told) == 1100 - 60
        store.release()
        assert turn(1, 1, 1) in "".join(await ben.told())


async def test_a_leave_is_not_lost_in_a_crowd() -> None:
    store = HeldStore()
    async with on_stage(store, MugOptions(burst=5000)) as stage:
        anna, ben, carl = await stage.match("anna", "ben", "carl")
        store.held = True
        anna.moves(1, 1, 1)
        for _ in range(1100):
            carl.says("<message type='chat'><body>hurry up</body></message>")
        ben.leaves("ben")
        store.release()
        assert "<status>paused</status>" in (await anna.told())[-1]


async def test_leaves_of_those_who_are_not_inside_crowd_nobody_out() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        anna, _ = await stage.match("anna", "ben")
        stranger = stage.client("stranger@example.org/home")
        store.held = True
        anna.moves(1, 1, 1)
        for _ in range(1100):
            stranger.leaves("ben")
            stranger.says("<presence type='error'/>")
        anna.says("<message type='chat'><body>your turn</body></message>")
        store.release()
        assert "your turn" in (await anna.told())[-1]


async def test_who_leaves_before_the_coming_is_recorded_is_gone() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        anna, _ = await stage.match("anna", "ben")
        carl = stage.client("carl@example.org/home")
        store.held = True
        carl.enters("carl")
        carl.leaves("carl")
        carl.leaves("carl")
        store.release()
        assert "type='unavailable'" in (await anna.told())[-1]
