"""Nobody holds a role who is neither in the room nor missed at the table."""

from parlour.match import Newcomer, Status, TakeSeat, Terms
from tests.gateways.mug.stage import Stage, on_stage
from tests.gateways.mug.test_mug_restart import killed
from tests.host.stores import HeldStore


async def has_no_ghost(stage: Stage) -> None:
    """Ben is out of the room, and Carl can have the role that was his."""
    await stage.forget()
    keeper = stage.gateway._keepers["garden"]
    assert "ben@example.org" not in keeper.room.occupants
    carl = stage.client("carl@example.org/home")
    carl.enters("carl")
    await stage.forget()
    carl.takes_role("x")
    assert "role='x'" in (await carl.told())[0]


async def test_who_is_put_out_while_the_first_table_is_put_up_keeps_no_role() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        _, ben = await stage.table("anna", "ben")
        store.held = True
        ben.takes_role("x")
        stage.gateway.operator.send_away(ben.jid, "that will do")
        await stage.settled()
        store.release()
        await has_no_ghost(stage)


async def test_who_is_put_out_while_a_table_replaces_another_keeps_no_role() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        anna, ben = await stage.table("anna", "ben")
        anna.takes_role("o")
        ben.takes_role("x")
        await stage.forget()
        store.held = True
        anna.configures(game="rows=4")
        stage.gateway.operator.send_away(ben.jid, "that will do")
        await stage.settled()
        store.release()
        await has_no_ghost(stage)


async def test_who_is_found_gone_at_the_last_move_keeps_no_role_in_the_next_round() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        await stage.final_turn()
        await stage.forget()
        ben = stage.client("ben@example.org/home")
        stage.gateway.disconnected()
        stage.gateway.connected()
        asked = (await ben.told())[-1].partition(" id='")[2].partition("'")[0]
        store.held = True
        stage.client("anna@example.org/home").moves(5, 1, 3)
        await stage.settled()
        ben.gone = True
        ben.bounces("service-unavailable", "iq", f"id='{asked}'")
        store.release()
        await stage.forget()
        keeper = stage.gateway._keepers["garden"]
        assert list(keeper.room.occupants) == ["anna@example.org"]
        assert [player.identity for _, player in keeper.view.players()] == ["xmpp:anna@example.org"]


async def test_after_a_restart_nobody_in_doubt_plays_because_somebody_else_sits_down() -> None:
    async def offers_a_role(stage: Stage) -> None:
        anna, _ = await stage.table("anna", "ben")
        anna.takes_role("x")
        anna.starts()

    async with on_stage(await killed(offers_a_role), run=2) as stage:
        await stage.forget()
        (stream,) = stage.host.directory.unfinished
        stage.host.submit(stream, TakeSeat(Newcomer("web:1", "zed", Terms(ready=True), 1)))
        await stage.forget()
        match, _ = await stage.host.state(stream)
        assert match.player(0).away_since is not None
        assert match.status is Status.OPEN
        stage.client("anna@example.org/home").starts()
        await stage.settled()
        match, _ = await stage.host.state(stream)
        assert match.status is Status.LIVE
