"""Tables of a server that is being emptied: who wants to leave leaves, and no game begins."""

import asyncio
from collections.abc import Callable
from itertools import count

import pytest

from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.cli._drained import Drained
from parlour.games import Refusal, Refused
from parlour.gateways import Bans
from parlour.gateways.admin import Drain, Hands
from parlour.gateways.admin import _requests as requests
from parlour.gateways.admin._acts import DrainBegun, DrainEnded
from parlour.host import Host, nothing
from parlour.match import (
    CreateMatch,
    GoAway,
    LeaveSeat,
    Newcomer,
    SetReady,
    Status,
    Terms,
)
from parlour.stores import MemoryStore

ANN, BEN, CID = "ruc:ann", "ruc:ben", "ruc:cid"


def newcomer(identity: str, ready: bool) -> Newcomer:
    return Newcomer(identity, identity.partition(":")[2], Terms(ready=ready))


class Emptied:
    """A host that drains while a star waits for Cid, the only one of three who is not ready."""

    def __init__(self) -> None:
        names = map(str, count(1))
        drain = Drain(nothing)
        self.host = Host(
            MemoryStore(), MemoryBus(), [Drained(GAMES, drain)], lambda: 1000, lambda: next(names)
        )
        self.hands = Hands(self.host, Bans(), [], None, drain, lambda level, logger: None)
        self.said: list[Refused] = []

    async def begin(self) -> None:
        people = newcomer(ANN, True), newcomer(BEN, True), newcomer(CID, False)
        self.match = self.host.create("match", CreateMatch("chinese_checkers", {}, people))
        await self.status()
        await self.hands.act(requests.Drain(), DrainBegun(1))

    async def status(self) -> Status:
        """How the match stands when what was asked for is done."""
        await asyncio.sleep(0)
        state, _ = await self.host.state(self.match)
        status: Status = state.status
        return status

    async def seated(self) -> list[str]:
        await self.status()
        return [one.name for one in self.host.directory.unfinished[self.match].sitters]


@pytest.fixture
async def emptied() -> Emptied:
    emptied = Emptied()
    await emptied.begin()
    return emptied


@pytest.mark.parametrize("leave", [LeaveSeat, GoAway])
async def test_who_leaves_in_a_drain_is_gone_and_the_game_begins_after_it(
    emptied: Emptied, leave: Callable[[str], LeaveSeat | GoAway]
) -> None:
    host = emptied.host

    host.submit(emptied.match, leave(CID), emptied.said.append)

    assert await emptied.seated() == ["ann", "ben"]
    assert emptied.said == []
    assert await emptied.status() is Status.OPEN
    await emptied.hands.act(requests.Undrain(), DrainEnded(1))
    assert await emptied.status() is Status.LIVE
    folded = [record.event for record in await host.history(emptied.match)]
    assert [type(event).__name__ for event in folded[-2:]] == ["SeatLeft", "MatchStarted"]
    await host.close()


async def test_who_wants_to_begin_in_a_drain_is_refused(emptied: Emptied) -> None:
    emptied.host.submit(emptied.match, SetReady(CID, True), emptied.said.append)

    assert await emptied.status() is Status.OPEN
    assert [no.refusal for no in emptied.said] == [Refusal.UNAVAILABLE]
    await emptied.hands.act(requests.Undrain(), DrainEnded(1))
    assert await emptied.status() is Status.OPEN  # Cid is not ready
    await emptied.host.close()
