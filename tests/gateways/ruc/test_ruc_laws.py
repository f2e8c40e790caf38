"""Whatever players do and in whatever order, nobody is told what the protocol does not allow."""

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.chinese_checkers import Options
from parlour.wire.ruc import Opcode
from tests.gateways.ruc.peers import House, house
from tests.gateways.ruc.witness import Witness
from tests.service import Clock

NAMES = ("alice", "bob", "cleo", "dora")
ROUNDS = 6
DEEDS = ("join", "ready", "move", "move", "move", "leave", "close", "again", "wait", "late", "junk")
scripts = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 3)), max_size=60)


class Party:
    """Some players at one server, who do what a script says."""

    def __init__(self, home: House, clock: Clock, seed: int) -> None:
        self.home = home
        self.clock = clock
        self.rng = random.Random(seed)
        self.players: list[Witness] = []

    async def comes(self) -> None:
        for name in NAMES:
            self.players.append(await self.connected(name))

    async def connected(self, name: str) -> Witness:
        return Witness(await self.home.peer(), name, Options(max_rounds=ROUNDS))

    async def does(self, deed: str, who: int) -> None:
        player = self.players[who]
        match deed:
            case "join":
                player.asked = player.asked or not player.inside
                player.peer.says(Opcode.JOIN_ROOM, "room1", player.name)
            case "ready":
                player.peer.says(Opcode.PLAYER_READY)
            case "move":
                self.moves(next((one for one in self.players if one.on_turn), player))
            case "leave":
                player.peer.says(Opcode.LEAVE_ROOM)
            case "close" | "again":
                await player.peer.close()
                self.players[who] = await self.connected(player.name)
                if deed == "again":
                    await self.does("join", who)
            case "wait" | "late":
                self.clock.now += 1_000 if deed == "wait" else 15_000
                self.home.tick()
            case "junk":
                player.peer.says(Opcode.MOVE, "A", "0 0 0 1")
        for one in self.players:
            await one.listens()
        for one in self.players:
            await one.listens()

    def moves(self, player: Witness) -> None:
        if player.on_turn and player.position is not None and player.position.outcome is None:
            player.sent = self.rng.choice(player.position.moves())
            path = player.sent.replace(",", " ").replace(">", " ")
            player.peer.says(Opcode.MOVE, player.zones[player.name], path)

    def agrees(self) -> None:
        """Those in a game see the same pieces, and whose turn it is."""
        views = [one.position for one in self.players if one.inside and one.position is not None]
        assert all((one.pieces, one.turn) == (views[0].pieces, views[0].turn) for one in views)


async def play(script: list[tuple[str, int]], seed: int, grace: int) -> None:
    clock = Clock()
    async with house(clock, max_rounds=ROUNDS, grace=grace) as home:
        party = Party(home, clock, seed)
        await party.comes()
        for deed, who in script:
            await party.does(deed, who)
            party.agrees()


TOGETHER = [("join", who) for who in range(4)] + [("ready", who) for who in range(4)]


@pytest.mark.parametrize("grace", [0, 30])
@settings(max_examples=40)
@given(script=scripts, seed=st.integers(0, 9), together=st.booleans())
def test_no_order_of_deeds_tells_anybody_something_wrong(
    script: list[tuple[str, int]], seed: int, together: bool, grace: int
) -> None:
    asyncio.run(play(TOGETHER + script if together else script, seed, grace))
