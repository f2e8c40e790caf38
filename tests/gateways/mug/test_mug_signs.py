"""A sign of life counts in every room, and a leave in that room only."""

from tests.gateways.mug.stage import DOMAIN, GAME, MUG, Client, Stage, on_stage
from tests.gateways.mug.test_mug_leaves import bounces, inside, second
from tests.gateways.mug.test_mug_restart import ANNA, BEN, killed
from tests.host.stores import FailingStore

ORCHARD = f"orchard@{DOMAIN}"


async def two_rooms(stage: Stage) -> None:
    """A match of Anna and Ben in the garden; Ben has the orchard open as well."""
    _, ben = await stage.match("anna", "ben")
    ben.says(f"<presence to='{ORCHARD}/ben'><game xmlns='{MUG}' var='{GAME}'/></presence>")
    ben.says(
        f"<iq type='set' id='c' to='{ORCHARD}'><query xmlns='{MUG}#owner'><options>"
        "<x xmlns='jabber:x:data' type='submit'/></options></query></iq>"
    )
    await stage.forget()


def leaves_the_orchard(ben: Client) -> None:
    ben.says(f"<presence type='unavailable' to='{ORCHARD}/ben'/>")


def status(stage: Stage) -> str:
    return stage.gateway._keepers["garden"].view.status()


async def test_who_leaves_one_room_after_a_restart_is_still_asked_for_in_the_other() -> None:
    async with on_stage(await killed(two_rooms), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await stage.forget()
        leaves_the_orchard(ben)
        anna.says("<presence/>")
        await stage.settled()
        assert status(stage) == "paused"
        ben.says("<presence/>")
        await stage.settled()
        assert status(stage) == "active"


async def test_who_leaves_the_room_has_given_no_sign_for_it() -> None:
    async with on_stage(await killed(two_rooms), run=2) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        await stage.forget()
        ben.leaves("ben")
        anna.says("<presence/>")
        await stage.settled()
        assert status(stage) == "paused"


async def test_who_was_believed_lost_in_one_room_does_not_stay_by_leaving_another() -> None:
    store = FailingStore()
    async with on_stage(store) as stage:
        await two_rooms(stage)
        ben = stage.client(BEN)
        store.failing = True
        bounces(ben)
        await second(stage)
        leaves_the_orchard(ben)
        store.failing = False
        await second(stage)
        assert inside(stage) == ["anna"]
