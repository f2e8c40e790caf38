"""Many wishes at once: whoever has few is heard, and nobody's match is ended by another's leave."""

from functools import partial

from parlour.games import Refusal, Refused
from parlour.gateways.mug import MugOptions
from parlour.gateways.mug._room_commands import ChangeNick, Configure, CreateRoom, Enter, Leave
from parlour.match import Newcomer, PlayMove, Status, TakeSeat, Terms
from tests.gateways.mug.stage import MUG, ROOM, Stage, on_stage
from tests.host.stores import HeldStore

WORD = "<message type='chat'><body>hurry up</body></message>"
GUEST = Newcomer("web:1", "zed", Terms(ready=True), 1)


async def test_the_crowd_of_one_occupant_keeps_no_other_waiting() -> None:
    store = HeldStore()
    async with on_stage(store, MugOptions(burst=5000)) as stage:
        anna, ben, carl = await stage.match("anna", "ben", "carl")
        phone = stage.client("carl@example.org/phone")
        phone.enters("carl")
        await stage.forget()
        store.held = True
        anna.moves(1, 1, 1)
        for _ in range(1100):
            carl.says(WORD)
            phone.says(WORD)
        ben.says("<message type='chat'><body>well played</body></message>")
        store.release()
        assert "well played" in (await anna.told())[-1]
        told = await carl.told() + await phone.told()
        assert sum("<resource-constraint " in one for one in told) == 2200 - 60


async def test_a_room_has_a_limit_for_all_together() -> None:
    store = HeldStore()
    async with on_stage(store, MugOptions(burst=5000)) as stage:
        users = [f"user{number}" for number in range(19)]
        anna, *others = await stage.table("anna", *users)
        store.held = True
        anna.takes_role("x")
        for other in others:
            for _ in range(60):
                other.says(WORD)
        store.release()
        refused = [sum("resource-constraint" in one for one in await who.told()) for who in others]
        assert sum(refused) == 19 * 60 - 1000


async def test_commands_of_one_occupant_do_not_use_up_what_others_may_ask(stage: Stage) -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        await stage.table("anna", "ben")
        (stream,) = stage.host.directory.others
        store.held = True
        refused: dict[str, list[Refusal]] = {"ben": [], "carl": []}

        def note(who: str, no: Refused) -> None:
            refused[who].append(no.refusal)

        for number in range(100):
            rename = ChangeNick("ben@example.org", f"ben{number}")
            stage.host.submit(stream, rename, partial(note, "ben"))
        enter = Enter("carl@example.org/home", "carl")
        stage.host.submit(stream, enter, partial(note, "carl"))
        store.release()
        await stage.settled()
        assert refused == {"ben": [Refusal.LIMIT] * 35, "carl": []}


def test_what_somebody_asks_for_says_by_whom() -> None:
    session = "ben@example.org/home"
    commands = (
        CreateRoom("garden", "tictactoe", {}, session, "ben"),
        Enter(session, "ben"),
        Leave(session),
        ChangeNick("ben@example.org", "benjamin"),
    )
    assert {one.by for one in commands} == {"ben@example.org"}
    assert "by" in Configure.__struct_fields__


async def test_a_guest_who_sits_down_as_the_last_occupant_leaves_keeps_the_match() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        (anna,) = await stage.table("anna")
        anna.takes_role("x")
        await stage.settled()
        (stream,) = stage.host.directory.unfinished
        store.held = True
        anna.leaves("anna")
        stage.host.submit(stream, TakeSeat(GUEST))
        await stage.settled()
        store.release()
        await stage.settled()
        match, _ = await stage.host.state(stream)
        assert match.status is not Status.ABORTED
        assert match.seat_of("web:1") == 1
        anna.enters("anna")  # the room is still there, and so is the guest
        told = await anna.told()
        assert any(f"from='{ROOM}/zed'" in one for one in told)
        assert not any(f"<game xmlns='{MUG}'><status>created" in one for one in told)


async def test_a_move_in_time_that_a_slow_disk_holds_up_loses_nothing() -> None:
    store = HeldStore()
    async with on_stage(store, MugOptions(turn_limit=300)) as stage:
        anna, _ = await stage.table("anna", "ben")
        zed = await stage.against_stranger(anna, "zed")
        anna.moves(1, 2, 2)
        await stage.settled()
        stage.now += 299_900
        store.held = True
        zed.does(PlayMove(zed.identity, "0,0"))
        await stage.settled()
        stage.now += 1000
        stage.gateway.tick()
        await stage.settled()
        store.release()
        await stage.settled()
        match, _ = await stage.host.state(zed.stream)
        assert match.status is Status.LIVE
        assert match.position.ply == 2
        stage.now += 299_900
        stage.gateway.tick()
        await stage.settled()
        match, _ = await stage.host.state(zed.stream)
        assert match.status is Status.OVER  # the next turn is Anna's, and has its own time
