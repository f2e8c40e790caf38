"""Many connections: what an idle one costs, and whether a crowd that comes at once gets in."""

import contextlib
import resource
import selectors
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.processes import BenchError, Running, parlour

IDLE = 10_000
SECURE = 2_000  # over TLS: the clients' ends, which are ours, take time and memory too
LOGINS = 500
WITHIN = 30.0  # seconds for a crowd to be answered
TLS = Path(__file__).parents[1] / "tests" / "data" / "tls"
OVER_TLS = f"""
[nedap]
tls = "127.0.0.1:0"
[tls]
cert = "{TLS / "one.crt"}"
key = "{TLS / "one.key"}"
"""
ADDRESSES = 4  # of the loopback network: one has some 28,000 ports for its ends


@contextlib.contextmanager
def crowd(
    port: int, count: int, context: ssl.SSLContext | None = None
) -> Iterator[list[socket.socket]]:
    """So many connections, from a few addresses; over TLS with a `context`."""
    with contextlib.ExitStack() as stack:
        connections = []
        for number in range(count):
            source = f"127.0.0.{2 + number % ADDRESSES}"
            made = socket.create_connection(("127.0.0.1", port), WITHIN, (source, 0))
            if context is not None:
                made = context.wrap_socket(made, server_hostname="localhost")
            connections.append(stack.enter_context(made))
        yield connections


def allow_files(wanted: int) -> None:
    """Raise our own limit of open files.

    Raises:
        BenchError: it cannot be raised so far.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        raise BenchError(f"needs {wanted} open files, and the hard limit is {hard}: ulimit -n")
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def answers(connections: list[socket.socket], word: bytes) -> int:
    """How many are told `word` in time."""
    waiting = selectors.DefaultSelector()
    heard = dict.fromkeys(connections, b"")
    for connection in connections:
        waiting.register(connection, selectors.EVENT_READ, connection)
    answered, end = 0, time.monotonic() + WITHIN
    while waiting.get_map() and time.monotonic() < end:
        for key, _ in waiting.select(1):
            connection = key.data
            data = connection.recv(4096)
            heard[connection] += data
            if word in heard[connection] or not data:
                answered += word in heard[connection]
                waiting.unregister(connection)
    waiting.close()
    return answered


def letters(number: int) -> str:
    """A name of small letters for each number."""
    text = ""
    for _ in range(4):
        number, letter = divmod(number, 26)
        text += chr(ord("a") + letter)
    return text


def settled(server: Running) -> int:
    """Its memory when it no longer works."""
    before = -1.0
    while (spent := server.processor()) != before:
        before = spent
        time.sleep(0.3)
    return server.memory()


def idle(count: int = IDLE, secure: int = SECURE) -> list[Figure]:
    """Bytes of the server's memory for each of many connections that say nothing."""
    figures = []
    for protocol, of, most in (("nedap", count, 6), ("textbook", count, None)):
        with parlour(protocol) as server:
            each = cost(server, server.ports[protocol], of)
        name = f"idle connection, {protocol}, {of:,} of them"
        figures.append(Figure(name, "KiB each", [each], most=most))
    context = ssl.create_default_context(cafile=str(TLS / "one.crt"))
    with parlour("tls", settings=OVER_TLS) as server:
        each = cost(server, server.ports["tls"], secure, context)
    name = f"idle connection, nedap over TLS, {secure:,} of them"
    return [*figures, Figure(name, "KiB each", [each])]


def cost(server: Running, port: int, count: int, context: ssl.SSLContext | None = None) -> float:
    """KiB of memory for each of so many connections."""
    allow_files(count + 100)
    with crowd(port, 100, context):  # what the first connections load is no cost of the others
        settled(server)
    before = settled(server)
    with crowd(port, count, context):
        grown = settled(server) - before
        if server.files() < count:
            raise BenchError(f"the server has {server.files()} of {count} connections")
    return grown / count / 1024


def logins(rounds: int, count: int = LOGINS) -> list[Figure]:
    """A crowd that logs in and asks for games in one instant: who gets one, and how soon."""
    allow_files(2 * count + 100)
    lost, spent = [], []
    for _ in range(rounds):
        with parlour("nedap") as server, crowd(server.ports["nedap"], count) as connections:
            begin = time.perf_counter()
            for number, connection in enumerate(connections):
                connection.sendall(f"PLAYER {letters(number)}\nGO 9\n".encode())
            lost.append(float(count - answers(connections, b"READY ")))
            spent.append((time.perf_counter() - begin) * 1000)
    return [
        Figure(f"{count} logins at once, without a game", "players", lost, most=0),
        Figure(f"{count} logins at once, all playing after", "ms", spent),
    ]
