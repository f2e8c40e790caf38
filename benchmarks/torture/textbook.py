"""A textbook client of a torture: integers by position, no name, no way back."""

import asyncio
import struct

from benchmarks.torture.notes import now
from benchmarks.torture.players import Caller, World
from parlour.games.tictactoe import Options, TicTacToe

WON_1, WON_2, DRAW, CONTINUE = 1, 2, 3, 4
# Tic-tac-toe document, flow chart: what row and column follow.
FOLLOWED = {(0, WON_2), (0, CONTINUE), (1, WON_1), (1, DRAW), (1, CONTINUE)}

APART = 0.1  # seconds between two matches: the proof tells them apart by when they were made


class Textbook(Caller):
    """Plays one game against whoever comes. `met` is set when it is told of one, or is gone.

    Its own last move is not noted as played: the status alone may also say that the other left.
    """

    protocol = "textbook"
    returns = False
    hears = False

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.roled = asyncio.Event()
        self.met = asyncio.Event()
        self._rest = b""
        self._numbers: list[int] = []
        self._mine = ""  # a move that nobody has answered
        self._heard: set[str] = set()

    def call(self) -> None:
        self.since = now()

    def enter(self) -> None:
        self._rest, self._numbers, self.seat = b"", [], -1

    def connection_lost(self, exc: Exception | None) -> None:
        self._fill_up()
        super().connection_lost(exc)
        if not self.begun:
            self.give_up()
        self.over = True
        self._gone_for_good()

    def _gone_for_good(self) -> None:
        self.roled.set()
        self.met.set()

    def lose_patience(self) -> None:
        super().lose_patience()
        if self.transport is None:
            self._gone_for_good()

    def ask(self, move: str) -> None:
        column, row = move.split(",")
        self._mine = move
        self.say(struct.pack(">ii", int(row), int(column)))

    def hear(self, data: bytes) -> None:
        data = self._rest + data
        whole = len(data) - len(data) % 4
        self._rest = data[whole:]
        self._numbers += [number for (number,) in struct.iter_unpack(">i", data[:whole])]
        before = self.plies, self.begun
        while self._numbers and not self.over and self._take():
            pass
        if (self.plies, self.begun) != before:
            self.consider()

    def eof_received(self) -> None:
        self._fill_up()

    def _fill_up(self) -> None:
        """A loser by the other's fault gets the status alone where a move could follow."""
        if self.begun and not self.over and len(self._numbers) == 1:
            self._result(self._numbers[0])

    def _take(self) -> bool:
        """Take one message; False when its end is still to come."""
        numbers = self._numbers
        if self.seat < 0:
            self.seat = numbers.pop(0) - 1
            self.roled.set()
            if self.seat == 1:
                self._meet()
            return True
        if not self.begun:
            numbers.pop(0)  # the start signal of player 1
            self._meet()
            return True
        status = numbers[0]
        follows = (self.seat, status) in FOLLOWED
        if follows and len(numbers) < 3:
            return False
        del numbers[0]
        if follows:
            row, column = numbers[:2]
            del numbers[:2]
            self._answered(f"{column},{row}")
        if status != CONTINUE:
            self._result(status)
        return True

    def _meet(self) -> None:
        self.begin(TicTacToe().start(Options(), 2), self.seat, 2, since=self.since)
        self.met.set()

    def _answered(self, move: str) -> None:
        """The other's move, which confirms our own before it.

        Who lost by its time hears an earlier move again, and that confirms nothing.
        """
        if move in self._heard:
            return
        self._heard.add(move)
        if self.position.turn == self.seat and self._mine:
            mine, self._mine = self._mine, ""
            self.told(self.seat, mine)
        if self.position.turn == 1 - self.seat:
            self.told(1 - self.seat, move)

    def _result(self, status: int) -> None:
        winner = status - 1
        self.ended([[0, 1]] if status == DRAW else [[winner], [1 - winner]])


async def meet(world: World, first: Textbook, second: Textbook) -> list[asyncio.Task[None]]:
    """Have them told of one match; each of them may be gone already. Returns their lives."""
    async with world.meeting:
        lives = [asyncio.create_task(first.live())]
        await first.roled.wait()
        if not first.met.is_set():
            first.since = now()
            lives.append(asyncio.create_task(second.live()))
            await second.roled.wait()
            if second.seat == 0:  # somebody else has played with the first
                second.give_up()
                second.hang_up()
            await second.met.wait()
            await first.met.wait()
        await asyncio.sleep(APART)
    return lives
