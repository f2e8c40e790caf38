"""Scripted peers that read and write as public clients do in the one respect that hurt.

Which client has which habit, and what it did here, is in docs/reference/real-clients.md.
"""

import asyncio
import contextlib
import itertools
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import pytest

from parlour.gateways.nedap import NedapOptions
from parlour.wire.ruc import ErrorCode, Opcode
from tests.games.chinese_checkers.play import greedy
from tests.gateways.nedap.peers import Club, club
from tests.gateways.nedap.peers import Peer as GoPeer
from tests.gateways.ruc.peers import Peer as RucPeer
from tests.gateways.ruc.peers import Said, house
from tests.gateways.ruc.race import Race, some
from tests.gateways.textbook.peers import SOON, table

Kind = TypeVar("Kind", bound=GoPeer | RucPeer)


@contextlib.asynccontextmanager
async def clients(kind: type[Kind], port: int, count: int) -> AsyncIterator[list[Kind]]:
    """So many connections, closed in the end."""
    opened = [kind(*await asyncio.open_connection("127.0.0.1", port)) for _ in range(count)]
    try:
        yield opened
    finally:
        for one in opened:
            await one.close()


# Textbook


async def read(sock: socket.socket, count: int) -> tuple[int, ...]:
    """So many integers and not a byte more: the rest stays in the kernel."""
    loop = asyncio.get_running_loop()
    numbers = []
    for _ in range(count):
        data = await asyncio.wait_for(loop.sock_recv(sock, 4), SOON)
        numbers.append(int.from_bytes(data, "big"))
    return tuple(numbers)


@pytest.mark.slow
async def test_a_loser_that_never_reads_the_last_move_is_let_go() -> None:
    """The JavaFX client's reader dies of saying "Player2 (O) has won!", its socket lives on."""
    async with table() as room:
        with socket.create_connection(("127.0.0.1", room.port)) as loser:
            loser.setblocking(False)
            assert await read(loser, 1) == (1,)
            winner = await room.peer()
            assert await winner.ints(1) == (2,)
            assert await read(loser, 1) == (1,)
            for mine, others in (((0, 0), (1, 0)), ((0, 1), (1, 1)), ((2, 2), (1, 2))):
                for number in mine:  # one write each, as writeInt does
                    await asyncio.get_running_loop().sock_sendall(loser, number.to_bytes(4, "big"))
                assert await winner.ints(3) == (4, *mine)
                winner.mark(*others)
                if others != (1, 2):
                    assert await read(loser, 3) == (4, *others)
            assert await read(loser, 1) == (2,)
            assert await winner.rest() == (2,)
            await winner.close()

            await room.settled()  # though the loser has not closed

            await room.pair()


# Go


class Blamer(GoPeer):
    """Names who gave up when it reads `END -1 -1`, and dies when nobody has been named.

    It presses Enter at READY, for it waits for a line before it looks whether it is on turn.
    """

    quitter = ""

    async def shown(self) -> str:
        """What it prints at the END that comes next."""
        while True:
            match (await self.line()).split(" "):
                case ["READY", _, _, _]:
                    self.write(b"\n")
                case ["INVALID" | "TABLEFLIPPED", colour, *_]:
                    self.quitter = colour
                case ["END", "-1", "-1"]:
                    assert self.quitter, "nobody was named: its reader is dead"
                    return f"{self.quitter} is a coward"
                case ["END", black, white]:
                    return f"{int(black)} to {int(white)}"


async def flips(black: GoPeer, _: GoPeer, __: Club) -> None:
    black.send("TABLEFLIP")


async def cheats(black: GoPeer, _: GoPeer, __: Club) -> None:
    black.send("MOVE 5 5")


async def exits(black: GoPeer, _: GoPeer, __: Club) -> None:
    black.send("EXIT")


async def thinks_too_long(_: GoPeer, __: GoPeer, room: Club) -> None:
    await room.passes(600_000)


async def is_killed(black: GoPeer, white: GoPeer, room: Club) -> None:
    black.reset()
    while not (await white.line()).endswith("alice is away, 30 s"):
        pass
    await room.passes(30_000)


@pytest.mark.parametrize("deed", [flips, cheats, exits, thinks_too_long, is_killed])
async def test_whoever_gives_up_is_named_before_the_end(
    deed: Callable[[GoPeer, GoPeer, Club], Awaitable[None]],
) -> None:
    async with club(NedapOptions(turn_limit=600)) as room:
        async with clients(GoPeer, room.port, 3):
            pass  # is this the port?
        async with clients(Blamer, room.port, 2) as (black, white):
            black.send("PLAYER alice", "GO 5")
            await black.hears("WAITING")
            white.send("PLAYER bob", "GO 5")
            await white.hears("WAITING")

            await deed(black, white, room)

            assert await white.shown() == "black is a coward"
            if deed not in (exits, is_killed):
                assert await black.shown() == "black is a coward"
            white.send("GO 5")
            assert "WAITING" in await white.heard()


class Engine(GoPeer):
    """Moves at READY whatever its colour, and after every move and pass of the other.

    So white moves out of turn at once, and the one who hears the last pass moves after END.
    """

    def asks(self, name: str, *moves: str) -> None:
        self.send(f"PLAYER {name}")
        self.moves = itertools.chain(moves, itertools.repeat("PASS"))

    async def plays(self, warned: asyncio.Event) -> list[str]:
        """A game, and what was said besides it; over when the move after END was answered.

        Black is the slower one: it begins when white has been warned.
        """
        said: list[str] = []
        own = ""
        while not (said and said[-1].startswith("WARNING" if own == "black" else "END")):
            line = await self.line()
            match line.split(" "):
                case ["READY", own, _, _]:
                    if own == "black":
                        await warned.wait()
                    self.send(next(self.moves))
                case ["VALID" | "PASSED", colour, *_] if colour != own:
                    self.send(next(self.moves))
                case ["WARNING" | "END", *_]:
                    said.append(line)
                    warned.set()
        return said


async def test_engines_that_never_look_whose_turn_it_is_play_game_after_game() -> None:
    async with club() as room, clients(Engine, room.port, 2) as (first, second):
        first.asks("alice", "MOVE 0 0", "MOVE 1 0")
        second.asks("bob", "MOVE 4 4", "MOVE 4 4")
        for score in ("2 1", "0 0"):
            first.send("GO 5")  # the second time without a login
            await first.hears("WAITING")
            second.send("GO 5")
            warned = asyncio.Event()
            black, white = await asyncio.gather(first.plays(warned), second.plays(warned))
            assert black == [f"END {score}", "WARNING you are not in a game"]
            assert white == ["WARNING it is somebody else's turn", f"END {score}"]


# Chinese checkers


class Insister(RucPeer):
    """Asks for another room, of a name made up, as often as a JOIN_ROOM is refused."""

    asked = 0

    async def enters(self, room: str, name: str, at_most: int) -> bool:
        """Whether it is in a room at last."""
        refusals = (str(ErrorCode.INVALID_JOIN.value), str(ErrorCode.ROOM_IS_RUNNING.value))
        rooms = random.Random(0)
        while self.asked < at_most:
            self.says(Opcode.JOIN_ROOM, room, name)
            self.asked += 1
            op, code, _ = await self.frame()
            if op == "JOIN_ROOM_REPLY":
                return True
            assert op == "ERROR"
            assert code in refusals
            room = f"{rooms.randrange(1_000_000):x}"
        return False


async def test_a_name_that_is_refused_for_ever_makes_no_rooms_and_disturbs_nobody() -> None:
    async with house() as home, clients(Insister, home.port, 1) as (insister,):
        peers = await home.started("alice", "bob")
        storm = asyncio.create_task(insister.enters("room1", "bob-9", 500))
        race = Race(peers)
        rng = random.Random(3)
        for _ in range(20):
            await race.plays(greedy(race.position, rng))
        assert insister.asked > 20  # they played in the storm
        assert await storm is False
        assert len(home.service.host.directory.unfinished) == 1

        insister.asked = 0
        assert await insister.enters("room1", "bob9", 2)  # it runs; the next room is free
        await race.quiet()


class Counter(RucPeer):
    """Reads no zone out of START_TURN: it counts on to the next one that has not won.

    It takes END_TURN for whoever is on turn by its count. That another has won it is never told,
    so from then on it is out of step, with any server.
    """

    counts = True

    async def frame(self) -> Said:
        said = op, data1, data2 = await super().frame()
        match op:
            case "START_GAME":
                self.zones, self.turn, self.won = data2.split(), -1, set[int]()
            case "END_TURN":
                self.won.add(self.turn)
            case "START_TURN" if self.counts:
                self.turn = (self.turn + 1) % len(self.zones)
                while self.turn in self.won:
                    self.turn = (self.turn + 1) % len(self.zones)
                assert self.zones[self.turn] == data1
        return said


async def test_who_counts_the_turns_keeps_up_and_skips_itself_when_it_is_home() -> None:
    async with house() as home, clients(Counter, home.port, 3) as counters:
        await home.gathered([*counters], some(3))
        race = Race([*counters])
        rng = random.Random(47)  # a seed with which greedy players all come home
        while not race.over:
            await race.plays(greedy(race.position, rng))
            if len(race.position.finished) == 1:
                for seat, counter in enumerate(counters):
                    counter.counts = seat in race.position.finished
        assert any(counter.counts for counter in counters)


@pytest.mark.parametrize("seat", [0, 1])
async def test_who_leaves_and_hangs_up_in_one_breath_is_lost_once(seat: int) -> None:
    """`bye()` follows LEAVE_ROOM without a look at the answer."""
    async with house() as home:
        race = Race(await home.started(*some(3)))
        race.peers[seat].says(Opcode.LEAVE_ROOM, "room1", race.names[seat])
        race.peers[seat].writer.write_eof()
        await race.loses(seat, ("LEAVE_ROOM", race.names[seat], ""), but=seat)
        await race.quiet()
