"""How many are in rooms, as `/metrics` and the lobby of the page say it."""

from pathlib import Path

import pytest

from tests.interop.xmpp.house import ROOM, parlour_behind, player
from tests.interop.xmpp.servers import XmppServer

pytestmark = [pytest.mark.external, pytest.mark.slow]


async def test_clients_in_rooms_are_counted(server: XmppServer, tmp_path: Path) -> None:
    async with (
        parlour_behind(server, tmp_path / "data") as service,
        player(server, "alice") as anna,
        player(server, "bob") as ben,
    ):
        assert service.connections() == {"textbook": 0, "xmpp": 0}
        await anna.mug.enter(ROOM, "anna")
        await anna.mug.configure(ROOM)
        await ben.mug.enter(ROOM, "ben")
        assert service.connections() == {"textbook": 0, "xmpp": 2}
