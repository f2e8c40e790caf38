"""A game on the wire beside the same game by the rules: what each player must hear of it."""

import asyncio
import random

from parlour.games import Seat
from parlour.games.chinese_checkers import ChineseCheckers, Options, Position
from parlour.wire.ruc import LOST, Opcode
from tests.games.chinese_checkers.play import greedy
from tests.gateways.ruc.peers import House, Peer, Said
from tests.service import Clock

NAMES = "alice bob cleo dora emil fred"
STEP = "-4,5>-4,4"  # a piece of A steps out of its zone
TURN = 15_000  # milliseconds for a move
GRACE = 30_000


class Race:
    """Follows a game by the rules alone and holds every player's frames to it.

    `listening` are the seats whose players are still in the room.
    """

    def __init__(self, peers: list[Peer], options: Options | None = None) -> None:
        self.names = some(len(peers))
        self.peers = peers
        self.position: Position = ChineseCheckers().start(options or Options(), len(peers))
        self.listening = set(range(len(peers)))

    @property
    def mover(self) -> Peer:
        assert self.position.turn is not None
        return self.peers[self.position.turn]

    @property
    def over(self) -> bool:
        return self.position.outcome is not None

    def ranking(self) -> str:
        assert self.position.outcome is not None
        order = [seat for group in self.position.outcome.ranking for seat in group]
        return " ".join(self.names[seat] for seat in order)

    def sends(self, move: str) -> None:
        """The player on turn asks for a move."""
        assert self.position.turn is not None
        zone = self.position.zones[self.position.turn]
        self.mover.says(Opcode.MOVE, zone, _path(move))

    async def plays(self, move: str) -> None:
        """The player on turn moves, and everybody hears what that means for them."""
        self.sends(move)
        await self.moved(move)

    async def moved(self, move: str) -> None:
        """A move that was asked for is played."""
        before, seat = self.position, self.position.turn
        assert seat is not None
        self.position = before.play(move)
        told: Said = ("MOVE", before.zones[seat], _path(move))
        for listener in self.listening:
            said = [] if listener == seat else [told]
            await self.hears(listener, said, before)

    async def loses(self, seat: Seat, *before_it: Said, but: Seat | None = None) -> None:
        """A seat is out: everybody in the room hears so, after what `before_it` says.

        `but` is a player who hears nothing any more.
        """
        before = self.position
        self.position = before.without(seat)
        if but is not None:
            self.listening.discard(but)
        for listener in self.listening:
            await self.hears(listener, [*before_it, ("MOVE", before.zones[seat], LOST)], before)

    async def hears(self, listener: Seat, said: list[Said], before: Position) -> None:
        """What was said, then what the position says: END_TURN, then START_TURN or END_GAME."""
        now = self.position
        if listener in now.finished and listener not in before.finished:
            said = [*said, ("END_TURN", "", "")]
        if now.outcome is not None:
            said = [*said, ("END_GAME", self.ranking(), "")]
        elif now.turn is not None and now.turn != before.turn:
            said = [*said, ("START_TURN", now.zones[now.turn], "*")]
        await self.peers[listener].hears(*said)

    async def quiet(self) -> None:
        """Nobody has been told anything else."""
        heard = await asyncio.gather(*(self.peers[seat].heard() for seat in self.listening))
        assert heard == [[] for _ in self.listening]

    async def until_home(self, seed: int) -> None:
        """Everybody plays greedily until the first player is home."""
        rng = random.Random(seed)
        while not self.position.finished:
            await self.plays(greedy(self.position, rng))

    async def to_the_end(self, seed: int) -> None:
        """Everybody plays greedily until the game is over."""
        rng = random.Random(seed)
        while not self.over:
            await self.plays(greedy(self.position, rng))
        await self.quiet()


def some(count: int) -> list[str]:
    """That many of the names."""
    return NAMES.split()[:count]


async def begun(home: House, count: int, options: Options | None = None) -> Race:
    """A game of that many which has just begun."""
    return Race(await home.started(*some(count)), options)


async def passes(home: House, clock: Clock, milliseconds: int) -> None:
    """Time goes by, and the matches notice."""
    clock.now += milliseconds
    home.tick()


def _path(move: str) -> str:
    return move.replace(",", " ").replace(">", " ")
