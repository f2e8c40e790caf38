"""Whole games over real XMPP servers, with spectators and with players of other protocols."""

import asyncio
from pathlib import Path

import pytest
from slixmpp.exceptions import PresenceError

from parlour.clients.mug import TurnError
from tests.gateways.textbook.peers import Peer
from tests.interop.xmpp.house import ROOM, Player, parlour_behind, player
from tests.interop.xmpp.servers import SOON, XmppServer

pytestmark = [pytest.mark.external, pytest.mark.slow]

# What a server says of a component that is not there.
CLOSED = {"service-unavailable", "remote-server-not-found", "remote-server-timeout"}


async def begin(first: Player, second: Player) -> None:
    """A room made by the first, who plays x; the second plays o."""
    await first.mug.enter(ROOM, "anna")
    await first.mug.configure(ROOM)
    await second.mug.enter(ROOM, "ben")
    await first.mug.take_role(ROOM, "x")
    await second.mug.take_role(ROOM, "o")
    await first.mug.start(ROOM)
    await second.mug.start(ROOM)


async def enter_when_open(who: Player, nick: str) -> None:
    """Come in as soon as the component is back; until then the server refuses."""
    async with asyncio.timeout(SOON):
        while True:
            try:
                await who.mug.enter(ROOM, nick)
            except PresenceError as error:
                if error.condition not in CLOSED:
                    raise
                await asyncio.sleep(0.05)
            else:
                return


async def test_a_game_is_played_and_watched_and_the_other_begins_the_next(
    server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(server, tmp_path / "data"),
        player(server, "alice") as anna,
        player(server, "bob") as ben,
        player(server, "carol") as carl,
    ):
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        await ben.mug.enter(ROOM, "ben")
        await carl.mug.enter(ROOM, "carl")
        await anna.mug.take_role(ROOM, "x")
        await ben.mug.take_role(ROOM, "o")
        await carl.hears_of("carl: none", "anna: x", "ben: o")
        await anna.mug.start(ROOM)
        await ben.mug.start(ROOM)
        moves = [(anna, 1, 1), (ben, 2, 1), (anna, 1, 2), (ben, 2, 2), (anna, 1, 3)]
        for number, (mover, row, col) in enumerate(moves, 1):
            await mover.mug.move(ROOM, number, row, col)
        for seer in (anna, ben, carl):
            await seer.hears_of(
                *("active x:", "anna 1: 1,1", "active o: 1,1=x", "ben 2: 2,1"),
                *("active x: 1,1=x 2,1=o", "anna 3: 1,2", "ben 4: 2,2", "anna 5: 1,3"),
                "active : 1,1=x 1,2=x 1,3=x 2,1=o 2,2=o",
                "inactive o: won x",
            )
        await anna.mug.start(ROOM)
        await ben.mug.start(ROOM)
        await carl.hears_of("active o:")
        await carl.mug.leave(ROOM)
        await anna.hears_of("carl left")


async def test_a_textbook_client_takes_the_vacant_role_and_all_see_every_move(
    server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(server, tmp_path / "data") as service,
        player(server, "alice") as anna,
        player(server, "carol") as carl,
    ):
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        await carl.mug.enter(ROOM, "carl")
        await anna.mug.take_role(ROOM, "x")
        with pytest.raises(TurnError, match="a role is free"):  # and it is offered now
            await anna.mug.start(ROOM)
        textbook = await Peer.connect(service.listening["textbook"][1])
        assert await textbook.ints(1) == (2,)
        await anna.hears_of("*: o", "active x:")
        await anna.mug.move(ROOM, 1, 1, 1)
        assert await textbook.ints(3) == (4, 0, 0)
        textbook.mark(1, 0)
        await anna.hears_of("* 2: 2,1")
        await anna.mug.move(ROOM, 3, 1, 2)
        assert await textbook.ints(3) == (4, 0, 1)
        textbook.mark(1, 1)
        await anna.hears_of("* 4: 2,2")
        await anna.mug.move(ROOM, 5, 1, 3)
        assert await textbook.rest() == (1, 0, 2)
        for seer in (anna, carl):
            await seer.hears_of("active : 1,1=x 1,2=x 1,3=x 2,1=o 2,2=o", "inactive o: won x")
        await textbook.close()


async def test_an_invalid_turn_is_refused_and_costs_the_seat(
    server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(server, tmp_path / "data"),
        player(server, "alice") as anna,
        player(server, "bob") as ben,
    ):
        await begin(anna, ben)
        await anna.mug.move(ROOM, 1, 1, 1)
        with pytest.raises(TurnError) as error:
            await ben.mug.move(ROOM, 2, 1, 1)
        assert error.value.condition == "undefined-condition"
        assert error.value.invalid_turn
        await anna.hears_of("ben left", "paused o: 1,1=x")
        await ben.hears_of("ben left")
        assert ROOM not in ben.mug.rooms


async def test_who_vanishes_pauses_the_match_and_finds_it_again(
    server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(server, tmp_path / "data"),
        player(server, "alice") as anna,
    ):
        async with player(server, "bob") as ben:
            await begin(anna, ben)
            await anna.mug.move(ROOM, 1, 1, 1)
            ben.vanish()
            await anna.hears_of("ben left", "paused o: 1,1=x")
        async with player(server, "bob") as ben:
            await ben.mug.enter(ROOM, "ben")
            await anna.hears_of("ben: o")
            await ben.mug.start(ROOM)
            await anna.mug.start(ROOM)
            await anna.hears_of("active o: 1,1=x")
            await ben.mug.move(ROOM, 2, 2, 2)
            await anna.hears_of("ben 2: 2,2")


async def test_a_server_that_restarts_in_mid_game_loses_nothing(
    own_server: XmppServer, tmp_path: Path
) -> None:
    async with parlour_behind(own_server, tmp_path / "data") as service:
        async with player(own_server, "alice") as anna, player(own_server, "bob") as ben:
            await begin(anna, ben)
            await anna.mug.move(ROOM, 1, 1, 1)
            own_server.stop()
        own_server.start()
        assert service.xmpp is not None
        async with player(own_server, "alice") as anna, player(own_server, "bob") as ben:
            await enter_when_open(anna, "anna")
            await enter_when_open(ben, "ben")
            for one in (anna, ben):
                await one.mug.start(ROOM)
            await anna.hears_of("active o: 1,1=x")
            await ben.mug.move(ROOM, 2, 2, 2)
            await anna.hears_of("ben 2: 2,2", "active x: 1,1=x 2,2=o")


async def test_who_hibernates_misses_nothing_and_pauses_nothing(
    server: XmppServer, tmp_path: Path
) -> None:
    """XEP-0198: the server holds the session of a cut connection, and what comes for it."""
    async with (
        parlour_behind(server, tmp_path / "data"),
        player(server, "alice") as anna,
        player(server, "bob", "xep_0198") as ben,
    ):
        await begin(anna, ben)
        await ben.cut()
        await anna.mug.move(ROOM, 1, 1, 1)
        await ben.come_back()
        await ben.hears_of("anna 1: 1,1", "active o: 1,1=x")
        await ben.mug.move(ROOM, 2, 2, 2)
        await anna.hears_of("ben 2: 2,2", "active x: 1,1=x 2,2=o")
        assert "ben left" not in anna.heard


async def test_a_client_knows_itself_however_it_writes_names(
    server: XmppServer, tmp_path: Path
) -> None:
    async with (
        parlour_behind(server, tmp_path / "data"),
        player(server, "alice") as anna,
        player(server, "alice", resource="phone") as phone,
    ):
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        async with asyncio.timeout(SOON):
            room = await phone.mug.enter(ROOM.upper(), "ANNA")
            assert room.nick == "anna"  # a further session shares the nickname
            await phone.mug.take_role(ROOM.upper(), "none")  # of a spectator
            await phone.mug.take_role(ROOM, "x")
            await phone.mug.leave(ROOM.upper())
        assert phone.mug.rooms == {}
