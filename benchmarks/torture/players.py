"""A client of a torture: plays its game, notes what it is told, and suffers what is done to it."""

import asyncio
import contextlib
import random
import socket
import ssl
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from benchmarks.torture.house import CERTIFICATE
from benchmarks.torture.notes import (
    Began,
    CalledOff,
    Ended,
    Fault,
    GaveUp,
    Missed,
    Notebook,
    Out,
    Ranking,
    Refused,
    Secured,
    Sent,
    Told,
    now,
)
from parlour.games import Position
from parlour.games import Refused as Forbidden

AGAIN = 0.05  # seconds between attempts to reach a server that is not there
AWAY = 2.0  # seconds that a client that was cut stays away, at most
STALLED = (0.5, 5.0)  # seconds; the shortest turn limit is longer
DRIBBLE = 0.01  # seconds between the bytes of a throttled client
LOST_PATIENCE = 60.0  # seconds that a client waits for a game to begin
GOODBYE = 2.0  # seconds for the other's goodbye, over TLS
NO_LINGER = struct.pack("ii", 1, 0)  # struct linger: close() sends RST


class World:
    """What all players of a run share. `think` is the mean time for a move, in seconds."""

    def __init__(self, notebook: Notebook, rng: random.Random, think: float) -> None:
        self.notebook = notebook
        self.rng = rng
        self.think = think
        self.ports: dict[str, int] = {}
        self.calm = False  # nothing is done to anybody any more
        self.meeting = asyncio.Lock()  # two textbook clients at a time find each other
        self.seeking = asyncio.Lock()  # one browser at a time looks for anybody
        self.waits: list[float] = []  # seconds from a move to the word that it was played
        self.moves = 0
        self.trust = ssl.create_default_context(cafile=CERTIFICATE)
        self._callers: Counter[str] = Counter()
        self._names = 0

    def secures(self, protocol: str) -> bool:
        """Whether the next client of that protocol comes over TLS, as every third does."""
        self._callers[protocol] += 1
        return self._callers[protocol] % 3 == 0

    def name(self) -> str:
        """A name of small letters that nobody has had before."""
        self._names += 1
        number, letters = self._names, ""
        while number:
            number, digit = divmod(number, 26)
            letters = chr(ord("a") + digit) + letters
        return f"t{letters:a>5}"


class Player:
    """One seat of one game, whatever the protocol."""

    protocol: ClassVar[str]
    returns: ClassVar[bool] = True  # whether the protocol has a way back
    hears: ClassVar[bool] = True  # whether the mover is told at once that the move was played

    def __init__(self, world: World, name: str = "") -> None:
        self.world = world
        self.name = name or world.name()
        self.id = f"{self.protocol}:{self.name}"
        self.since = now()  # when the client has come
        self.position: Any = None
        self.seat = -1
        self.plies = 0
        self.over = False  # nothing more is to come of this game
        self.begun = False
        self.seated = asyncio.Event()  # at a table where it waits for others
        self.limit = world.rng.randint(16, 40)  # plies, for games that players must end
        self._thinking: asyncio.TimerHandle | None = None
        self._asked = 0.0

    def note(self, what: Callable[..., Any], /, **fields: Any) -> None:
        """Write down what has happened."""
        self.world.notebook.write(what(now(), self.id, **fields))

    # What the client is told

    def begin(self, position: Position, seat: int, seats: int, **found_by: Any) -> None:
        """The game begins, or is told from its beginning again."""
        self.note(Began, seat=seat, seats=seats, returns=self.returns, **found_by)
        self.position, self.seat, self.plies, self.begun = position, seat, 0, True
        self.seated.set()

    def told(self, seat: int, move: str) -> None:
        """A move was played."""
        self.note(Told, seat=seat, move=move)
        self.plies += 1
        if seat == self.seat and self._asked:
            self.answered()
        with contextlib.suppress(Forbidden):  # the proof will say so
            self.position = self.position.play(move)

    def answered(self) -> None:
        """The move that we have asked for was played."""
        self.world.moves += 1
        if self.hears:
            self.world.waits.append(asyncio.get_running_loop().time() - self._asked)
        self._asked = 0.0

    def out(self, seat: int) -> None:
        """A seat has lost, and the others may play on."""
        self.note(Out, seat=seat)
        self.position = self.position.without(seat)

    def ended(self, ranking: Ranking, scores: list[int] | None = None) -> None:
        """The result."""
        self.note(Ended, ranking=ranking, scores=scores or [])
        self.finish()

    def called_off(self) -> None:
        """There is no result."""
        if self.begun:
            self.note(CalledOff)
            self.finish()
        else:
            self.give_up()

    def missed(self) -> None:
        """The game was not there any more when the client came back."""
        if self.begun:
            self.note(Missed)
            self.finish()
        else:
            self.give_up()

    def refused(self, text: str) -> None:
        """The server said no."""
        self.note(Refused, text=text)

    def give_up(self) -> None:
        """No game has begun, and none will."""
        if not self.begun and not self.over:
            self.note(GaveUp, since=self.since)
        self.finish()

    def finish(self) -> None:
        """Nothing more is to come."""
        self.over = True
        self.rest()

    # What the client does

    def consider(self) -> None:
        """Think about a move where it is ours to make."""
        self.rest()
        if not self.over and self.position is not None and self.position.turn == self.seat:
            delay = self.world.rng.expovariate(1 / self.world.think)
            wait = min(delay, 3 * self.world.think)
            self._thinking = asyncio.get_running_loop().call_later(wait, self.act)

    def rest(self) -> None:
        """Think no more."""
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None

    def act(self) -> None:
        """Make a move."""
        self._thinking = None
        move = choose(self.position, self.limit, self.world.rng)
        self.note(Sent, ply=self.plies, move=move)
        self._asked = asyncio.get_running_loop().time()
        self.ask(move)

    def ask(self, move: str) -> None:
        """Send a move."""
        raise NotImplementedError

    async def live(self) -> None:
        """From coming to the end of the game."""
        raise NotImplementedError

    def suffer(self, kind: str) -> None:
        """One of the faults, now, where this client can have it."""
        raise NotImplementedError


def choose(position: Any, limit: int, rng: random.Random) -> str:
    """Any legal move; who may pass does so after `limit` plies."""
    size = getattr(position.options, "size", 0)
    if not size:
        moves = list(position.moves())
        move: str = rng.choice(moves)
        return move
    for _ in range(30 if position.ply < limit else 0):
        point = f"{rng.randrange(size)},{rng.randrange(size)}"
        with contextlib.suppress(Forbidden):
            position.play(point)
            return point
    return "pass"


class Caller(Player, asyncio.Protocol):
    """A player on a TCP connection, that may be cut and come back over another one."""

    def __init__(self, world: World, name: str = "") -> None:
        super().__init__(world, name)
        self.secure = world.secures(self.protocol)
        self.transport: asyncio.Transport | None = None
        self._gone: asyncio.Future[None] | None = None
        self._away = 0.0
        self.stalled = False
        self._throttled = False
        self._drops = bytearray()
        self._secured = False  # a connection over TLS was made

    async def live(self) -> None:
        loop = asyncio.get_running_loop()
        self.since = now()
        patience = loop.call_later(LOST_PATIENCE, self.lose_patience)
        while not self.over:
            gone = self._gone = loop.create_future()
            self.call()
            try:
                await self._connect()
            except OSError:
                await asyncio.sleep(AGAIN)
                continue
            await gone
            if self.begun and not self.returns:
                break
            away, self._away = self._away, 0.0
            await asyncio.sleep(max(away, AGAIN))
        patience.cancel()
        self.rest()

    @property
    def port(self) -> int:
        """Where the client comes to."""
        return self.world.ports[f"{self.protocol}-tls" if self.secure else self.protocol]

    async def _connect(self) -> None:
        await asyncio.get_running_loop().create_connection(
            lambda: self,
            "127.0.0.1",
            self.port,
            ssl=self.world.trust if self.secure else None,
            ssl_shutdown_timeout=GOODBYE if self.secure else None,
        )
        if self.secure and not self._secured:
            self._secured = True
            self.note(Secured)

    def lose_patience(self) -> None:
        """Nobody came to play with us."""
        if not self.begun:
            self.give_up()
            self.hang_up()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._asked = 0.0
        self.stalled = self._throttled = False
        self._drops.clear()
        self.enter()

    def data_received(self, data: bytes) -> None:
        if not self.over:
            self.hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self.rest()
        if not self.over:
            self.note(Fault, kind="lost")
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)

    def call(self) -> None:
        """Before a connection is asked for."""

    def enter(self) -> None:
        """The first words on a connection."""

    def hear(self, data: bytes) -> None:
        """Bytes of the server."""
        raise NotImplementedError

    def junk(self) -> bytes:
        """What the protocol allows to be said at any time, too much of it; or nothing."""
        return b""

    def finish(self) -> None:
        super().finish()
        asyncio.get_running_loop().call_later(0.2, self.hang_up)

    def act(self) -> None:
        if self.stalled:
            self.consider()
        elif self.transport is not None:
            super().act()

    def say(self, data: bytes) -> None:
        """Send, byte after byte where that is how things are."""
        if self.transport is None or self.transport.is_closing():
            return
        if self._throttled or self._drops:
            first = not self._drops
            self._drops += data
            if first:
                self._drip(self.transport)
        else:
            self.transport.write(data)

    def _drip(self, transport: asyncio.Transport) -> None:
        if transport is not self.transport or not self._drops:
            return
        transport.write(bytes(self._drops[:1]))
        del self._drops[:1]
        asyncio.get_running_loop().call_later(DRIBBLE, self._drip, transport)

    # What is done to the client

    def suffer(self, kind: str) -> None:
        """One of the faults, now."""
        if self.transport is None or self.transport.is_closing() or self.over:
            return
        rng, loop = self.world.rng, asyncio.get_running_loop()
        seconds = rng.uniform(*STALLED)
        self.note(Fault, kind=kind, until=now() + int(1000 * seconds))
        match kind:
            case "cut":
                self._away = rng.uniform(0, AWAY)
                self.hang_up()
            case "reset":
                self._away = rng.uniform(0, AWAY)
                self._reset(self.transport)
            case "stall":
                self.stalled = True
                self.transport.pause_reading()
                loop.call_later(seconds, self._read_on, self.transport)
            case "throttle":
                self._throttled = True
                loop.call_later(seconds, self._speed_up)
            case "flood":
                self.say(self.junk())

    def hang_up(self) -> None:
        """End the connection in an orderly way."""
        if self.transport is not None:
            self.transport.close()

    def _reset(self, transport: asyncio.Transport) -> None:
        peer: socket.socket = transport.get_extra_info("socket")
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        transport.abort()

    def _read_on(self, transport: asyncio.Transport) -> None:
        if transport is self.transport:
            self.stalled = False
            if not transport.is_closing():
                transport.resume_reading()

    def _speed_up(self) -> None:
        self._throttled = False
