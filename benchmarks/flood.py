"""Games of others while one address floods: new connections, and lines on those it has."""

import contextlib
import selectors
import socket
import threading
import time

from benchmarks.figures import Figure
from benchmarks.processes import Running, load, parlour

# The games come from this machine's own address, the flood from another one of it.
SETTINGS = '[limits]\nexempt = ["127.0.0.1"]\n'
FLOODER = "127.0.0.2"
GAMES = 100
TALKERS = 50  # connections of the flood that never stop writing
ATTEMPTS = 400  # new connections a second, twice of what is let in
LINES = b"NONSENSE\n" * 100


class Flood:
    """One address that does whatever it can."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._stop = threading.Event()
        self.came = 0
        self.written = 0
        self._threads = [threading.Thread(target=one) for one in (self._connect, self._talk)]

    def __enter__(self) -> "Flood":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _connection(self) -> socket.socket:
        made = socket.socket()
        made.setblocking(False)
        made.bind((FLOODER, 0))
        made.connect_ex(("127.0.0.1", self._port))
        return made

    def _connect(self) -> None:
        """Come, wait a moment for what is said, and come again."""
        kept: list[socket.socket] = []
        began = time.monotonic()
        while not self._stop.wait(0.005):
            while self.came < (time.monotonic() - began) * ATTEMPTS:
                with contextlib.suppress(OSError):
                    kept.append(self._connection())
                self.came += 1
            while len(kept) > ATTEMPTS // 2:
                kept.pop(0).close()
        for one in kept:
            one.close()

    def _talk(self) -> None:
        """Write without an end, and read so that the server can answer."""
        with selectors.DefaultSelector() as ready, contextlib.ExitStack() as stack:
            for _ in range(TALKERS):
                talker = stack.enter_context(self._connection())
                ready.register(talker, selectors.EVENT_READ | selectors.EVENT_WRITE)
            while not self._stop.wait(0.01):
                for key, events in ready.select(0):
                    talker = key.fileobj  # type: ignore[assignment]  # what was registered
                    with contextlib.suppress(OSError):
                        if events & selectors.EVENT_READ:
                            talker.recv(1 << 16)
                        if events & selectors.EVENT_WRITE:
                            self.written += talker.send(LINES)


def share(server: Running, seconds: float) -> float:
    """Which part of a core the flood alone keeps busy."""
    with Flood(server.ports["nedap"]):
        time.sleep(1)  # what may come at once has come
        begin, spent = time.monotonic(), server.processor()
        time.sleep(seconds)
        return (server.processor() - spent) / (time.monotonic() - begin)


def slowest(seconds: float, flooded: bool) -> float:
    """Milliseconds of all but one in a hundred moves, on a new server."""
    with parlour("nedap", settings=SETTINGS) as server, contextlib.ExitStack() as stack:
        port = server.ports["nedap"]
        if flooded:
            stack.enter_context(Flood(port))
        return load("nedap", port, GAMES, seconds)["p99_ms"]


def measure(rounds: int, seconds: float) -> list[Figure]:
    """The slowest moves in peace and in a flood, in turn."""
    peace: list[float] = []
    flooded: list[float] = []
    shares: list[float] = []
    for number in range(rounds):
        for loud in (False, True) if number % 2 else (True, False):
            (flooded if loud else peace).append(slowest(seconds, loud))
        with parlour("nedap", settings=SETTINGS) as server:
            shares.append(share(server, seconds))
    ratios = [loud / quiet for loud, quiet in zip(flooded, peace, strict=True)]
    name = f"go 19x19, {GAMES} games, p99"
    return [
        Figure(name, "ms", peace),
        Figure(f"{name} while another address floods", "ms", flooded),
        Figure(f"{name} in the flood, of that in peace", "ratio", ratios, most=1.1),
        Figure("processor time that the flood alone takes", "ratio", shares, most=0.1),
    ]
