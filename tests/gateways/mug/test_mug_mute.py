"""Whose client answers no pings is there all the same, as their server knows."""

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
    on_stage,
    state,
    with_room,
)
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


async def test_a_mistake_of_ours_ends_no_doubt() -> None:
    async with on_stage(await killed(two_in_mid_game), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await stage.forget()
        stage.gateway._keepers["garden"]._mending.lost()
        assert canonical(with_room(state("paused", BOARD))) in [
            canonical(one) for one in await anna.told()
        ]
        ben.says("<presence/>")
        await anna.hears(state("active", BOARD))


async def test_what_comes_back_meanwhile_makes_nobody_wait_longer_for_a_probe() -> None:
    async with on_stage(await killed(two_in_mid_game), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await sign(anna)
        await is_probed(stage, ben, "service-unavailable")
        for _ in range(2):
            stage.now += 5_000
            ben.bounces("service-unavailable", "message", f"to='{ROOM}/anna'")  # blocks her
            await stage.settled()
            stage.gateway.tick()
        await anna.hears(state("active", BOARD))


ORCHARD = f"orchard@{DOMAIN}"


async def two_matches(stage: Stage) -> None:
    """Anna and Ben play in the garden and in the orchard."""
    await stage.match("anna", "ben")
    players = {stage.client(ANNA): ("anna", "x"), stage.client(BEN): ("ben", "o")}
    form = "<x xmlns='jabber:x:data' type='submit'/>"
    query = f"<query xmlns='{MUG}#owner'><options>{form}</options></query>"
    for client, (nick, role) in players.items():
        game = f"<game xmlns='{MUG}' var='{GAME}'/>"
        client.says(f"<presence to='{ORCHARD}/{nick}'>{game}</presence>")
        client.says(f"<iq type='set' id='c' to='{ORCHARD}'>{query}</iq>")  # of the owner it counts
        await stage.settled()
        game = f"<game xmlns='{MUG}'><item role='{role}'/></game>"
        client.says(f"<presence to='{ORCHARD}'>{game}</presence>")
    for client in players:
        client.says(f"<message to='{ORCHARD}'><start xmlns='{MUG}#user'/></message>")
    await stage.settled()


def is_back(stage: Stage) -> dict[str, bool]:
    """In which matches Anna is believed to be there."""
    matches = {name: keeper.view.match for name, keeper in stage.gateway._keepers.items()}
    return {name: match.player(0).away_since is None for name, match in matches.items() if match}


async def test_a_probe_in_one_room_says_nothing_of_a_room_where_nobody_was_asked_yet() -> None:
    stage = Stage(await killed(two_matches), MugOptions(), run=2)
    await stage.host.recover(120_000)
    await stage.gateway.recover()
    stage.gateway.paced_by(lambda: len(stage.said) << 20)  # full with one question
    stage.gateway.connected()
    await is_probed(stage, stage.client(ANNA), "service-unavailable")
    assert stage.said[-1].endswith(" type='groupchat' to='anna@example.org/home'/>")
    stage.now += 11_000
    stage.gateway.tick()
    await stage.settled()
    first = stage.said[-1].partition("@")[0].rpartition("'")[2]
    assert is_back(stage) == {room: room == first for room in ("garden", "orchard")}
    stage.client(ANNA).says(f"<message to='{ORCHARD}'><body>hello</body></message>")
    await stage.settled()
    assert is_back(stage) == {"garden": True, "orchard": True}
    stage.gateway.close()
    await stage.host.close()
