"""From a move to the last browser that watches it: a crowd at one match, and a crowd of matches."""

import base64
import contextlib
import http.client
import itertools
import json
import selectors
import socket
import statistics
import time
from collections.abc import Iterator

from benchmarks.crowds import allow_files, crowd, letters
from benchmarks.figures import Figure
from benchmarks.processes import BenchError, parlour

WATCHERS = 1000
MOVES = 200  # of the match that everybody watches
RATE = 500  # moves a second of all matches together: each moves every other second
SECONDS = 4.0
WITHIN = 30.0  # seconds for anything
SIZE = 19
EVENTS = b'{"type":"events"'
UPGRADE = (
    "GET /api/live HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
)


class Spectator:
    """One WebSocket, without a library between the bytes and the clock."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.events = 0
        self.seated = False
        self._data = b""
        self._watch = b""

    def shake_hands(self, match: str) -> None:
        """Ask for a WebSocket; when it stands, the match is subscribed to."""
        key = base64.b64encode(bytes(16)).decode()
        request = json.dumps({"type": "watch", "match": match}).encode()
        # RFC 6455, 5.3: clients mask; a mask of zeros leaves the text as it is.
        self._watch = bytes((0x81, 0x80 | len(request))) + bytes(4) + request
        self.connection.sendall(UPGRADE.format(key=key).encode())

    def read(self) -> None:
        """Take in what has come."""
        data = self.connection.recv(1 << 16)
        if not data:
            raise BenchError("the server closed a spectator's connection")
        self._data += data
        if not self.seated and self._data.startswith(b"HTTP"):
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head[:15]:
                raise BenchError(f"a spectator was turned away: {head[:60]!r}")
            self._data = rest
            self.connection.sendall(self._watch)
        while (payload := self._frame()) is not None:
            self.events += payload.startswith(EVENTS)
            self.seated = self.seated or payload.startswith(b'{"type":"you"')

    def _frame(self) -> bytes | None:
        data = self._data
        if len(data) < 2:
            return None
        length, start = data[1], 2
        if length == 126:
            length, start = int.from_bytes(data[2:4]), 4
        elif length == 127:
            length, start = int.from_bytes(data[2:10]), 10
        if len(data) < start + length:
            return None
        self._data = data[start + length :]
        return data[start : start + length]


class Pair:
    """Two who play Go by text lines, far from each other's stones."""

    def __init__(self, black: socket.socket, white: socket.socket, name: str) -> None:
        self.name = name
        self._players = (black, white)
        points = [f"{x} {y}" for y in range(8) for x in range(SIZE)]
        others = [f"{x} {SIZE - 1 - y}" for y in range(8) for x in range(SIZE)]
        self._moves = itertools.chain.from_iterable(zip(points, others, strict=True))
        self._turn = 0

    def start(self) -> None:
        """Log in and wait until the game has begun."""
        for player, name in zip(self._players, ("a", "b"), strict=True):
            player.sendall(f"PLAYER {name}{self.name}\nGO {SIZE}\n".encode())
            until(player, b"WAITING")
        until(self._players[0], b"READY ")
        until(self._players[1], b"READY ")

    def move(self) -> None:
        """Send the next move; what comes back is read so that it does not pile up."""
        self._players[self._turn].sendall(f"MOVE {next(self._moves)}\n".encode())
        self._turn = 1 - self._turn

    def drain(self) -> None:
        """Read what the players were told."""
        for player in self._players:
            player.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                player.recv(1 << 16)
            player.setblocking(True)


def until(player: socket.socket, word: bytes) -> None:
    """Read a player's connection up to a line with that word, peeking so as to take no more."""
    player.settimeout(WITHIN)
    heard = b""
    while word not in heard or not heard.endswith(b"\n"):
        heard += (piece := player.recv(1))
        if not piece:
            raise BenchError(f"a player heard {heard!r} and then the end")


def matches(port: int, wanted: int) -> dict[str, str]:
    """The live matches by the name of their first player."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN)
    found: dict[str, str] = {}
    for offset in range(0, wanted, 200):
        asked.request("GET", f"/api/matches?status=live&limit=200&offset={offset}")
        for one in json.loads(asked.getresponse().read())["matches"]:
            found[one["players"][0]["name"]] = one["id"]
    asked.close()
    return found


class Crowd:
    """Spectators that are waited for together."""

    def __init__(self, spectators: list[Spectator]) -> None:
        self.spectators = spectators
        self._selector = selectors.DefaultSelector()
        for one in spectators:
            self._selector.register(one.connection, selectors.EVENT_READ, one)

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()

    def ready(self, within: float) -> list[Spectator]:
        """Those that something has come for; it is read."""
        found = [key.data for key, _ in self._selector.select(within)]
        for one in found:
            one.read()
        return found

    def gather(self, events: int) -> None:
        """Wait until everybody has seen so many events."""
        end = time.monotonic() + WITHIN
        while not all(one.seated and one.events >= events for one in self.spectators):
            waiting = sum(one.events < events or not one.seated for one in self.spectators)
            if time.monotonic() > end:
                raise BenchError(f"{waiting} spectators wait for event {events}")
            self.ready(1)

    def see(self, events: int) -> None:
        """The same for a single new event, without looking at everybody again and again."""
        left = len(self.spectators)
        end = time.monotonic() + WITHIN
        while left:
            left -= sum(one.events == events for one in self.ready(1))
            if time.monotonic() > end:
                raise BenchError(f"{left} spectators wait for event {events}")


def percentile(values: list[float], of: float) -> float:
    """The value that so many percent do not exceed."""
    return statistics.quantiles(values, n=1000, method="inclusive")[round(of * 10) - 1]


@contextlib.contextmanager
def spectators(port: int, watched: list[str]) -> Iterator[Crowd]:
    """One spectator for each of the matches named, all of whom have its state."""
    with crowd(port, len(watched)) as connections:
        found = [Spectator(connection) for connection in connections]
        with Crowd(found) as together:
            for one, match in zip(found, watched, strict=True):
                one.shake_hands(match)
            together.gather(0)
            yield together


def one_match() -> list[float]:
    """Milliseconds from each move to the last of the spectators of one match."""
    with parlour("nedap", "web") as server, crowd(server.ports["nedap"], 2) as players:
        pair = Pair(players[0], players[1], letters(0))
        pair.start()
        match = matches(server.ports["web"], 1)[f"a{pair.name}"]
        spent = []
        with spectators(server.ports["web"], [match] * WATCHERS) as together:
            time.sleep(1.5)  # the word on how many look on comes once, and not among the moves
            together.ready(0)
            for number in range(1, MOVES + 1):
                begin = time.perf_counter()
                pair.move()
                together.see(number)
                spent.append((time.perf_counter() - begin) * 1000)
                pair.drain()
        return spent


def many_matches() -> list[float]:
    """Milliseconds from each move to the one spectator of its match, at a steady rate."""
    with (
        parlour("nedap", "web") as server,
        crowd(server.ports["nedap"], 2 * WATCHERS) as players,
    ):
        pairs = [
            Pair(players[2 * number], players[2 * number + 1], letters(number))
            for number in range(WATCHERS)
        ]
        for pair in pairs:
            pair.start()
        found = matches(server.ports["web"], WATCHERS)
        with spectators(server.ports["web"], [found[f"a{one.name}"] for one in pairs]) as together:
            return paced(pairs, together)


def paced(pairs: list[Pair], together: Crowd) -> list[float]:
    """Move in one match after the other, so many times a second, whatever comes back."""
    spent: list[float] = []
    asked: dict[Spectator, float] = {}
    begin = time.perf_counter()
    order = itertools.cycle(zip(pairs, together.spectators, strict=True))
    for number in range(int(RATE * SECONDS)):
        wanted = begin + number / RATE
        while (left := wanted - time.perf_counter()) > 0:
            collect(together, asked, spent, left)
        pair, spectator = next(order)
        asked[spectator] = wanted
        pair.move()
        pair.drain()
    while asked:
        if time.perf_counter() > begin + SECONDS + WITHIN:
            raise BenchError(f"{len(asked)} spectators wait for a move")
        collect(together, asked, spent, 1)
    return spent


def collect(
    together: Crowd, asked: dict[Spectator, float], spent: list[float], within: float
) -> None:
    """Note how long each move took that has come."""
    for one in together.ready(within):
        if one.events and one in asked:
            one.events = 0
            spent.append((time.perf_counter() - asked.pop(one)) * 1000)


def measure(rounds: int) -> list[Figure]:
    """Both, a new server each round."""
    allow_files(4 * WATCHERS)
    figures = []
    for name, once in (
        (f"one match with {WATCHERS:,} spectators", one_match),
        (f"{WATCHERS:,} matches with one spectator each", many_matches),
    ):
        found = [once() for _ in range(rounds)]
        figures += [
            Figure(f"{name}, p50", "ms", [percentile(one, 50) for one in found]),
            Figure(f"{name}, p99", "ms", [percentile(one, 99) for one in found], most=100),
        ]
    return figures
