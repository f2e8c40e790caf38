"""Whose client answers no pings is there all the same, as their server knows."""

from types import SimpleNamespace
from typing import Any

import pytest

from parlour.gateways.mug._pulse import Pulse
from parlour.wire.mug import Stanza
from tests.gateways.mug.stage import PROBE, Client, Stage, lost, on_stage, state
from tests.gateways.mug.test_mug_restart import ANNA, BEN, killed, sign, two_in_mid_game

BOARD = "O . .\n. X .\n. . ."


async def is_probed(stage: Stage, client: Client, answer: str) -> None:
    """The client answers the question like that, or not at all for a minute."""
    *_, asked = await client.told()
    name = asked.partition(" id='")[2].partition("'")[0]
    if answer:
        client.bounces(answer, "iq", f"id='{name}'")
    else:
        stage.now += 61_000
        stage.gateway.tick()
    await stage.settled()


@pytest.mark.parametrize("answer", ["service-unavailable", "item-not-found", ""])
async def test_after_a_restart_a_match_goes_on_with_whom_their_server_knows(answer: str) -> None:
    async with on_stage(await killed(two_in_mid_game), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await is_probed(stage, ben, answer)
        await anna.hears()
        await ben.hears(PROBE)
        stage.now += 11_000
        stage.gateway.tick()
        await anna.hears(state("active", BOARD))
        await ben.hears(state("active", BOARD))


async def test_who_is_found_gone_at_last_leaves_however_late_it_is_known() -> None:
    async with on_stage(await killed(two_in_mid_game), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await is_probed(stage, ben, "")
        stage.now += 11_000
        stage.gateway.tick()
        await stage.forget()
        ben.bounces("remote-server-timeout")
        await ben.hears(lost("ben"))
        assert "<status>paused" in (await anna.told())[-1]


async def test_a_lost_stream_ends_the_wait_for_a_probe() -> None:
    """What was sent before may never have reached the server."""
    async with on_stage(await killed(two_in_mid_game), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await is_probed(stage, ben, "service-unavailable")
        stage.gateway.disconnected()
        stage.gateway.connected()
        await sign(anna)
        await stage.forget()
        stage.now += 11_000
        stage.gateway.tick()
        await anna.hears()


class Doubted:
    """A room in which one is in doubt, as the pulse sees it."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.room = SimpleNamespace(sessions=[ANNA], inside=lambda session: session)
        self.view = SimpleNamespace(address=stream)
        self.back: list[str] = []

    def tell_anew(self, session: str, occupant: str) -> None:
        pass

    def come_back(self, session: str) -> None:
        self.back.append(session)


def test_a_probe_in_one_room_says_nothing_of_a_room_where_nobody_was_asked_yet() -> None:
    sent: list[str] = []
    outbox = SimpleNamespace(
        unsent=lambda: len(sent) << 20,  # full with one question
        tell=lambda *told, id="probe", **_: sent.append(id),
    )
    house: Any = SimpleNamespace(
        outbox=outbox,
        new_id=lambda: "1",
        heard=lambda session: 0,
        signs={},
        host=SimpleNamespace(now=lambda: 0),
        options=SimpleNamespace(patience=60, silence=600),
    )
    rooms: Any = [Doubted("room-a"), Doubted("room-b")]
    pulse = Pulse(house)
    pulse.doubt(rooms)
    answer = Stanza("iq", ANNA, "room-a", "error", sent[0], (), None)
    pulse.answered(answer, 100)
    assert sent == ["sign-1", "probe"]
    pulse.tick(rooms, 10_200)
    assert [room.back for room in rooms] == [[ANNA], []]
    pulse.sign(Stanza("message", ANNA, "room-b", "chat", "", (), None), 10_300)
    assert [room.back for room in rooms] == [[ANNA], [ANNA]]
