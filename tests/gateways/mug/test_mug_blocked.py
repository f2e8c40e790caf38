"""Who blocks another occupant (XEP-0191) gives back what comes from that one, and is there."""

import pytest

from tests.gateways.mug.stage import PROBE, ROOM, Client, Stage, lost, occupant, state
from tests.gateways.mug.test_mug_leaves import inside


def blocks_anna(ben: Client, kind: str = "message") -> None:
    """Ben's server gives back what Anna has said, to where it came from."""
    ben.bounces("service-unavailable", kind, f"to='{ROOM}/anna'")


@pytest.mark.parametrize("kind", ["message", "presence"])
async def test_who_blocks_another_stays(stage: Stage, kind: str) -> None:
    anna, ben = await stage.match("anna", "ben")
    anna.moves(1, 1, 1)
    await stage.forget()
    for _ in range(50):
        blocks_anna(ben, kind)
    await ben.hears(PROBE)
    await anna.hears()
    assert inside(stage) == ["anna", "ben"]


async def test_who_gives_back_everything_is_gone(stage: Stage) -> None:
    anna, ben = await stage.match("anna", "ben")
    ben.gone = True
    blocks_anna(ben)
    await ben.hears(PROBE, lost("ben"))
    await anna.hears(occupant("ben", role="none", type="unavailable"), state("paused"))


async def test_who_is_gone_later_is_found_gone_by_the_next_that_comes_back(stage: Stage) -> None:
    _, ben = await stage.match("anna", "ben")
    blocks_anna(ben)
    stage.now += 9_999
    stage.gateway.tick()
    ben.gone = True
    blocks_anna(ben)
    await ben.hears(PROBE)
    stage.now += 1
    blocks_anna(ben)
    await ben.hears(PROBE, lost("ben"))


async def test_after_a_lost_stream_nobody_waits_for_a_probe_from_before(stage: Stage) -> None:
    _, ben = await stage.match("anna", "ben")
    blocks_anna(ben)
    await stage.forget()
    ben.gone = True
    stage.gateway.disconnected()
    stage.gateway.connected()
    await stage.forget()
    blocks_anna(ben)
    await ben.hears(PROBE, lost("ben"))


async def test_nobody_is_probed_who_is_not_inside(stage: Stage) -> None:
    await stage.match("anna", "ben")
    carl = stage.client("carl@example.org/home")
    blocks_anna(carl)
    await carl.hears()
    assert stage.gateway._pulse._suspected == {}


async def test_who_was_probed_is_forgotten_in_time(stage: Stage) -> None:
    _, ben = await stage.match("anna", "ben")
    blocks_anna(ben)
    await stage.forget()
    stage.now += 10_000
    stage.gateway.tick()
    assert stage.gateway._pulse._suspected == {}
