"""What an operator does to textbook players, whose protocol has no words for it."""

import ipaddress
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.durability.players import WON_1
from tests.gateways.admin.operators import House
from tests.gateways.textbook.peers import Door, visiting

pytestmark = pytest.mark.slow


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    with House(tmp_path, "textbook") as house:
        yield house
        status, said = house.stop()
    assert status == 0
    assert "Traceback" not in said


@pytest.fixture
async def door(house: House) -> AsyncIterator[Door]:
    async with visiting(house.ports["textbook"]) as door:
        yield door


async def test_who_is_kicked_loses_and_the_other_hears_it(house: House, door: Door) -> None:
    first, second = await door.pair()
    here = await house.operator.connections("textbook")
    port = second.writer.get_extra_info("sockname")[1]
    (id_,) = (one["id"] for one in here if one["id"].endswith(f":{port}"))

    await house.operator.does("kick", id_)

    assert await second.rest() == ()
    assert await first.ints(1) == (WON_1,)


async def test_who_is_banned_by_address_is_not_heard(house: House, door: Door) -> None:
    first, second = await door.pair()

    answer = await house.operator.does("ban", "--address", "127.0.0.1")

    assert answer["connections"] == 2
    assert await second.rest() in ((), (4,), (5,))
    stranger = await door.peer()
    assert await stranger.rest() == ()
    assert ipaddress.ip_address(answer["ban"]["who"]).is_loopback
    await house.operator.does("unban", "--address", "127.0.0.1")
    await door.pair()
    await first.close()


async def test_a_closed_match_ends_both_connections(house: House, door: Door) -> None:
    first, second = await door.pair()
    first.mark(0, 0)
    await second.ints(3)
    (match,) = (await house.operator.does("matches"))["matches"]

    await house.operator.does("close", "--match", match["id"])

    assert await first.rest() == ()
    assert await second.rest() == ()


async def test_nobody_can_be_told_anything(house: House, door: Door) -> None:
    first, second = await door.pair()

    told = await house.operator.reads("announce", "tea at five")

    assert told == "textbook: 2 not told, the protocol has no words for it\n"
    first.mark(0, 0)
    assert len(await second.ints(3)) == 3


async def test_no_pair_is_made_in_a_drain(house: House, door: Door) -> None:
    first, second = await door.pair()
    waiting = await door.peer()
    assert await waiting.ints(1) == (1,)
    await house.operator.does("drain")

    another = await door.peer()

    assert await another.rest() == ()
    first.mark(0, 0)
    assert len(await second.ints(3)) == 3
    await house.operator.does("undrain")
    late = await door.peer()
    assert await late.ints(1) == (2,)
    assert await waiting.ints(1) == (1,)  # the game starts
