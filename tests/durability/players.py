"""Textbook players who know which match of the log is theirs, and note what they were told."""

import asyncio
import contextlib
import random

from tests.durability.log import Cell
from tests.gateways.textbook.peers import SOON, Peer, visiting

WON_1, WON_2, DRAW, CONTINUE = 1, 2, 3, 4
CELLS = [(row, column) for row in range(3) for column in range(3)]
# Flow chart, player 1 steps 6 to 8 and player 2 steps 4 to 6: what the other's move follows.
FOLLOWED = {(0, WON_2), (0, CONTINUE), (1, WON_1), (1, DRAW), (1, CONTINUE)}
# How it shows that a server was killed: no connection, a reset, or the end of the stream.
GONE = (ConnectionError, asyncio.IncompleteReadError)


class Player:
    """One seat of one match: what its client has sent, and what it has been told."""

    def __init__(self, peer: Peer, seat: int) -> None:
        self.peer = peer
        self.seat = seat
        self.board: list[Cell] = []  # with a move of its own that nobody has answered yet
        self.confirmed: list[Cell] = []
        self.status: int | None = None  # the result

    async def play(self, crowd: "Crowd") -> None:
        """Random moves until the result, or until the server is gone."""
        with contextlib.suppress(*GONE):
            if self.seat == 0:
                self._mark(crowd)
            while self.status is None:
                (status,) = await self.peer.ints(1)
                if (self.seat, status) in FOLLOWED:
                    row, column = await self.peer.ints(2)
                    self.board.append((row, column))
                self.confirmed = list(self.board)  # an answer to a move confirms that move
                crowd.told()
                if status == CONTINUE:
                    self._mark(crowd)
                else:
                    self.status = status

    def _mark(self, crowd: "Crowd") -> None:
        move = crowd.rng.choice([cell for cell in CELLS if cell not in self.board])
        self.board.append(move)
        self.peer.mark(*move)


class Crowd:
    """Pairs at one server that play game after game until it is gone.

    One pair meets at a time, the next when both are told of their match: so the n-th pair of
    `matches` plays the n-th match that the server has recorded.
    """

    def __init__(self, port: int, rng: random.Random) -> None:
        self.rng = rng
        self.matches: list[tuple[Player, Player]] = []
        self._port = port
        self._meeting = asyncio.Lock()
        self._to_tell = 0
        self._enough = asyncio.Event()

    async def games(self) -> None:
        """One game after the other at one table."""
        with contextlib.suppress(*GONE):
            while True:
                async with visiting(self._port) as door:
                    async with self._meeting:
                        first, second = await door.pair()
                        match = Player(first, 0), Player(second, 1)
                        self.matches.append(match)
                    await asyncio.gather(*(player.play(self) for player in match))

    async def hear(self, answers: int) -> None:
        """Return when the server has given so many answers more."""
        self._to_tell = answers
        self._enough.clear()
        await asyncio.wait_for(self._enough.wait(), 4 * SOON)

    def told(self) -> None:
        """An answer has come."""
        self._to_tell -= 1
        if self._to_tell <= 0:
            self._enough.set()
