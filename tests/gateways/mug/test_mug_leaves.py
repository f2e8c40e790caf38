"""Whoever leaves, is lost or put out while nothing can be written goes when it can be again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

import pytest

from parlour.host import Done, Write
from parlour.match import Status
from parlour.stores import MemoryStore
from tests.gateways.mug.stage import MUG, Client, Stage, on_stage
from tests.host.stores import FailingStore, HeldStore
from tests.host.wall import Wall


class FullStore(HeldStore, FailingStore):
    """Waits or fails when told to; `asked` counts what was to be written."""

    asked = 0

    def append(self, writes: Sequence[Write], done: Done) -> None:
        self.asked += 1
        super().append(writes, done)


@contextlib.asynccontextmanager
async def full_disk(store: FullStore) -> AsyncIterator[tuple[Stage, Client, Client]]:
    """Anna and Ben at a table, and no room on the disk."""
    async with on_stage(store) as stage:
        anna, ben = await stage.table("anna", "ben")
        store.failing = True
        yield stage, anna, ben


async def second(stage: Stage) -> None:
    await stage.settled()
    stage.now += 1_000
    stage.gateway.tick()
    await stage.settled()


def inside(stage: Stage) -> list[str]:
    """Who is in the room, without the domain."""
    return [user.partition("@")[0] for user in stage.gateway._keepers["garden"].room.occupants]


def leaves(ben: Client) -> None:
    ben.leaves("ben")


def bounces(ben: Client) -> None:
    ben.bounces("recipient-unavailable")


def is_put_out(ben: Client) -> None:
    ben.stage.gateway.operator.send_away(ben.jid, "that will do")


@pytest.mark.parametrize("goes", [leaves, bounces, is_put_out])
async def test_who_could_not_be_let_go_goes_later(goes: Callable[[Client], None]) -> None:
    store = FullStore()
    async with full_disk(store) as (stage, _, ben):
        goes(ben)
        await second(stage)
        assert inside(stage) == ["anna", "ben"]
        store.failing = False
        await second(stage)
        assert inside(stage) == ["anna"]


async def test_who_makes_an_invalid_turn_while_the_disk_is_full_goes_later() -> None:
    store = FullStore()
    async with on_stage(store) as stage:
        _, ben = await stage.match("anna", "ben")
        store.failing = True
        ben.says(f"<message type='chat'><turn xmlns='{MUG}#user'/></message>")
        await second(stage)
        assert inside(stage) == ["anna", "ben"]
        store.failing = False
        await second(stage)
        assert inside(stage) == ["anna"]
        assert f"<invalid-turn xmlns='{MUG}#user'/>" in "".join(await ben.told())


def talks(ben: Client) -> None:
    ben.says("<message type='chat'><body>still here</body></message>")


def asks_elsewhere(ben: Client) -> None:
    ben.says("<iq type='get' id='1' to='games.example.org'><ping xmlns='urn:xmpp:ping'/></iq>")


@pytest.mark.parametrize("speaks", [talks, asks_elsewhere])
async def test_who_was_believed_lost_and_has_spoken_since_stays(
    speaks: Callable[[Client], None],
) -> None:
    store = FullStore()
    async with full_disk(store) as (stage, _, ben):
        bounces(ben)
        await second(stage)
        speaks(ben)
        store.failing = False
        await second(stage)
        assert inside(stage) == ["anna", "ben"]
        bounces(ben)
        await second(stage)
        assert inside(stage) == ["anna"]


async def test_who_has_left_is_gone_whatever_they_say_but_that_they_come() -> None:
    store = FullStore()
    async with full_disk(store) as (stage, _, ben):
        leaves(ben)
        bounces(ben)  # which does not make it a loss
        await second(stage)
        talks(ben)
        store.failing = False
        await second(stage)
        assert inside(stage) == ["anna"]


async def test_who_was_believed_lost_and_then_leaves_has_left() -> None:
    store = FullStore()
    async with full_disk(store) as (stage, _, ben):
        bounces(ben)
        await second(stage)
        leaves(ben)  # a word, but none that lets them stay
        await second(stage)
        store.failing = False
        await second(stage)
        assert inside(stage) == ["anna"]


async def test_however_often_somebody_leaves_it_is_asked_for_once_a_second() -> None:
    store = FullStore()
    async with full_disk(store) as (stage, _, ben):
        before = store.asked
        for _ in range(300):
            leaves(ben)
        await stage.settled()
        assert store.asked - before == 1
        await second(stage)
        await second(stage)
        assert store.asked - before == 3


async def test_who_comes_again_while_the_leave_is_being_written_is_told_in_that_order() -> None:
    store = FullStore()
    async with full_disk(store) as (stage, _, ben):
        leaves(ben)
        await stage.settled()
        store.failing, store.held = False, True
        await second(stage)
        ben.enters("ben")
        await stage.settled()
        assert await ben.told() == []
        store.release()
        told = await ben.told()
        assert "type='unavailable'" in told[0]
        assert [one for one in told[1:] if "unavailable" in one] == []
        assert inside(stage) == ["anna", "ben"]


@pytest.mark.parametrize("before", [bounces, leaves, is_put_out])
async def test_who_is_put_out_does_not_stay_by_coming_again(
    before: Callable[[Client], None],
) -> None:
    store = FullStore()
    async with full_disk(store) as (stage, _, ben):
        before(ben)
        is_put_out(ben)
        await stage.forget()
        ben.enters("ben")
        await ben.is_refused("resource-constraint", "wait")
        store.failing = False
        await second(stage)
        assert inside(stage) == ["anna"]
        ben.enters("ben")
        await stage.settled()
        assert inside(stage) == ["anna", "ben"]


class NoMatches(FailingStore):
    """While `failing`, rooms are written and matches are not."""

    def append(self, writes: Sequence[Write], done: Done) -> None:
        if any(stream.startswith("match") for stream, _, _ in writes):
            super().append(writes, done)
        else:
            MemoryStore.append(self, writes, done)


async def test_who_is_back_before_it_is_written_that_they_were_away_is_not_away() -> None:
    store, wall = NoMatches(), Wall(asyncio.get_running_loop())
    async with on_stage(store) as stage:
        _, ben = await stage.match("anna", "ben")
        store.failing = True
        leaves(ben)
        await stage.settled()
        assert inside(stage) == ["anna"]
        ben.enters("ben")
        await stage.settled()
        store.failing = False
        await wall.passes(3_000)
        await stage.settled()
        match = stage.gateway._keepers["garden"].view.match
        assert match is not None
        assert [player.away_since for _, player in match.players()] == [None, None]


async def test_who_stays_away_is_so_when_it_can_be_written() -> None:
    store, wall = NoMatches(), Wall(asyncio.get_running_loop())
    async with on_stage(store) as stage:
        _, ben = await stage.match("anna", "ben")
        store.failing = True
        leaves(ben)
        await wall.passes(2_000)
        store.failing = False
        await wall.passes(2_000)
        await stage.settled()
        match = stage.gateway._keepers["garden"].view.match
        assert match is not None
        assert match.status is Status.SUSPENDED
