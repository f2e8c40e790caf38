"""Whole games over real XMPP servers, with spectators and with players of other protocols."""

from pathlib import Path

import pytest

from tests.interop.xmpp.house import ROOM, Player, parlour_behind, player
from tests.interop.xmpp.servers import XmppServer

pytestmark = [pytest.mark.external, pytest.mark.slow]


async def begin(first: Player, second: Player) -> None:
    """A room made by the first, who plays x; the second plays o."""
    await first.mug.enter(ROOM, "anna")
    await first.mug.configure(ROOM)
    await second.mug.enter(ROOM, "ben")
    await first.mug.take_role(ROOM, "x")
    await second.mug.take_role(ROOM, "o")
    await first.mug.start(ROOM)
    await second.mug.start(ROOM)


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
