"""A name is one room's, whatever protocol the room speaks, and from the moment it is made."""

import asyncio
from functools import partial

from parlour.gateways import Connection, Desk
from parlour.gateways.ruc import RucGateway, RucOptions
from parlour.match import CreateMatch
from parlour.stores import MemoryStore
from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.mug.stage import DOMAIN, GAME, MUG, ROOM, Client, Stage, on_stage
from tests.gateways.ruc.peers import Peer
from tests.gateways.web.browsers import Browser, door
from tests.host.stores import HeldStore

ANNA, BEN = "anna@example.org/home", "ben@example.org/home"


def makes(client: Client, node: str) -> None:
    client.says(f"<presence to='{node}@{DOMAIN}/n'><game xmlns='{MUG}' var='{GAME}'/></presence>")


async def test_rooms_whose_names_look_the_same_are_not_made_twice(stage: Stage) -> None:
    """XEP-0106: `\\20` is a space, and nobody sees one at the end of a name."""
    anna, ben = stage.client(ANNA), stage.client(BEN)
    anna.enters("anna")  # nobody sits down: there is no table
    makes(ben, "garden\\20")
    await ben.is_refused("not-allowed", "cancel")
    makes(ben, "garden\\202")
    assert "<status>created</status>" in (await ben.told())[0]


async def test_two_who_ask_in_the_same_moment_do_not_both_get_it() -> None:
    store = HeldStore()
    async with on_stage(store) as stage:
        anna, ben = stage.client(ANNA), stage.client(BEN)
        store.held = True
        anna.enters("anna")
        makes(ben, "garden\\20")
        await stage.settled()
        store.release()
        await ben.is_refused("not-allowed")
        assert "<status>created</status>" in (await anna.told())[0]


async def test_the_name_is_free_when_the_room_is_gone_and_kept_over_a_restart() -> None:
    store = MemoryStore()
    async with on_stage(store) as stage:
        anna = stage.client(ANNA)
        anna.enters("anna")
        makes(anna, "attic")
        await stage.settled()
        anna.leaves("anna")
        await stage.settled()
        assert not stage.host.directory.taken("garden")
    async with on_stage(store, run=2) as stage:
        ben = stage.client(BEN)
        makes(ben, "attic\\20")
        await ben.is_refused("not-allowed")
        makes(ben, "garden\\20")
        assert "<status>created</status>" in (await ben.told())[0]


async def test_a_table_elsewhere_keeps_its_name_from_a_room_that_only_looks_so(
    stage: Stage,
) -> None:
    stage.host.create("match", CreateMatch("go", room="Garden "), room="Garden ")
    anna = stage.client(ANNA)
    anna.enters("anna")
    await anna.is_refused("not-allowed")


async def test_a_ruc_room_of_that_name_is_not_opened(stage: Stage) -> None:
    stage.client(ANNA).enters("anna")
    await stage.settled()
    desk = Desk(stage.host, stage.pairer, stage.chat)
    session = RucGateway(RucOptions(), stage.host.directory).session
    port = await desk.listen(partial(Connection, desk, session), "127.0.0.1", 0)
    await desk.start()
    try:
        carl = Peer(*await asyncio.open_connection("127.0.0.1", port))
        carl.says(Opcode.JOIN_ROOM, " GARDEN", "carl")
        await carl.is_told(ErrorCode.INVALID_JOIN)
        carl.says(Opcode.JOIN_ROOM, "meadow", "carl")
        await carl.hears(("JOIN_ROOM_REPLY", "", ""))
        await carl.close()
    finally:
        await desk.close()
    anna = stage.client(ANNA)
    anna.accepts_defaults()
    anna.takes_role("x")
    await stage.settled()
    assert stage.host.directory.room("garden") is not None  # her table has the name


async def test_a_browser_s_room_of_that_name_is_not_opened(stage: Stage) -> None:
    stage.client(ANNA).enters("anna")
    await stage.settled()
    async with door(Desk(stage.host, stage.pairer, stage.chat), stage.new_id) as (_, port):
        bob = Browser(port)
        await bob.arrive("Bob")
        taken = await bob.http.post(
            "/api/matches", json={"game": "tictactoe", "room": "Garden"}, headers=bob.writing
        )
        free = await bob.http.post(
            "/api/matches", json={"game": "tictactoe", "room": "Meadow"}, headers=bob.writing
        )
        await bob.http.aclose()
    assert (taken.status_code, free.status_code) == (409, 201)
    assert ROOM.startswith("garden@")
