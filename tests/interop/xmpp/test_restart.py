"""The server killed in mid-game, and started again on the same data."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from parlour.clients.mug import TurnError
from tests.cli.servers import Server
from tests.gateways.textbook.peers import Peer
from tests.interop.xmpp.house import ROOM, player
from tests.interop.xmpp.servers import GAMES, SECRET, XmppServer
from tests.interop.xmpp.test_games import begin, enter_when_open

pytestmark = [pytest.mark.external, pytest.mark.slow]


@contextmanager
def process(server: XmppServer, folder: Path) -> Iterator[Server]:
    """A real process of the server, let in when it greets."""
    (folder / "secret").write_text(SECRET)
    where = ("--xmpp", f"component:127.0.0.1:{server.components}", "--xmpp-domain", GAMES)
    secret = ("--xmpp-secret-file", str(folder / "secret"))
    with Server(folder / "data", *where, *secret, doors=("textbook",)) as parlour:
        assert parlour.process.stdout is not None
        assert "rooms are at" in parlour.process.stdout.readline()
        yield parlour


async def test_a_match_of_two_goes_on_after_sigkill(server: XmppServer, tmp_path: Path) -> None:
    async with (
        player(server, "alice", "xep_0199") as anna,
        player(server, "bob", "xep_0199") as ben,
        player(server, "carol") as carl,
    ):
        with process(server, tmp_path) as parlour:
            await begin(anna, ben)
            await carl.mug.enter(ROOM, "carl")
            await anna.mug.move(ROOM, 1, 1, 1)
            await carl.hears_of("anna 1: 1,1", "active o: 1,1=x")
            await asyncio.to_thread(parlour.process.kill)
        with process(server, tmp_path):
            # Both clients answer the question whether they are there; nobody needs to do anything.
            await carl.hears_of("paused o: 1,1=x", "active o: 1,1=x")
            await ben.hears_of("paused o: 1,1=x", "active o: 1,1=x")
            await ben.mug.move(ROOM, 2, 2, 2)
            await carl.hears_of("ben 2: 2,2", "active x: 1,1=x 2,2=o")


async def test_a_textbook_seat_is_lost_after_sigkill_and_the_other_is_told(
    server: XmppServer, tmp_path: Path
) -> None:
    async with player(server, "alice") as anna:
        with process(server, tmp_path) as parlour:
            await anna.mug.enter(ROOM, "anna")
            await anna.mug.configure(ROOM)
            await anna.mug.take_role(ROOM, "x")
            with pytest.raises(TurnError, match="a role is free"):  # and it is offered now
                await anna.mug.start(ROOM)
            textbook = await Peer.connect(parlour.ports["textbook"])
            await textbook.ints(1)
            await anna.hears_of("*: o", "active x:")
            await anna.mug.move(ROOM, 1, 1, 1)
            await textbook.ints(3)
            await asyncio.to_thread(parlour.process.kill)
            await textbook.close()
        with process(server, tmp_path):
            await anna.hears_of("inactive *won x")


async def test_who_was_gone_at_the_restart_finds_the_room(
    server: XmppServer, tmp_path: Path
) -> None:
    with process(server, tmp_path) as parlour:
        async with player(server, "alice") as anna, player(server, "bob") as ben:
            await begin(anna, ben)
            await anna.mug.move(ROOM, 1, 1, 1)
            await asyncio.to_thread(parlour.process.kill)
    with process(server, tmp_path):
        async with player(server, "alice") as anna, player(server, "bob") as ben:
            await enter_when_open(anna, "anna")
            await enter_when_open(ben, "ben")
            await ben.hears_of("active o: 1,1=x")
            await ben.mug.move(ROOM, 2, 2, 2)
            await anna.hears_of("active o: 1,1=x", "ben 2: 2,2", "active x: 1,1=x 2,2=o")
