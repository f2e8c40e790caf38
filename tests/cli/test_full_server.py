"""A server that has every file the operating system gives it, and those who still need one."""

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.servers import Server, parlour

FILES = 96  # that the server may have: alone it has some thirty
TLS = Path(__file__).parents[1] / "data" / "tls"
FULL = b"the server has no room for one more connection: try again later"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit"),
]


@contextlib.contextmanager
def small_server(data: Path, before_path: str = "") -> Iterator[Server]:
    """One that may have few files, and finds modules in `before_path` first."""
    few = ("sh", "-c", f'ulimit -n {FILES} && exec "$@"', "sh")
    doors = ("textbook", "nedap", "ruc", "web", "nedap-tls")
    proof = ("--tls-cert", str(TLS / "one.crt"), "--tls-key", str(TLS / "one.key"))
    settings = data / "settings.toml"
    settings.write_text("[limits]\nhandshake = 60\n")  # which none of them makes
    options = (*proof, "--config", str(settings))
    path = os.pathsep.join(filter(None, (before_path, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    with Server(data, *options, doors=doors, before=few, environment=environment) as server:
        yield server


def said(connection: socket.socket) -> bytes:
    """All that is said to somebody who says nothing."""
    with connection, connection.makefile("rb") as answers:
        return answers.read()


@pytest.mark.parametrize("door", ["nedap", "nedap-tls"])
def test_strangers_leave_the_last_files_to_the_log_and_to_operators(
    door: str, tmp_path: Path
) -> None:
    with small_server(tmp_path) as server, contextlib.ExitStack() as crowd:
        alice = crowd.enter_context(server.connect("nedap"))
        alice.sendall(b"PLAYER alice\nGO 9\n")
        heard = crowd.enter_context(alice.makefile("rb"))
        assert heard.readline() == b"WAITING\n"
        for through in (*[door] * FILES, *["nedap"] * FILES):  # TLS takes two: some are left
            crowd.enter_context(server.connect(through))

        assert said(server.connect("nedap")) == b"WARNING " + FULL + b"\n"
        assert said(server.connect("textbook")) == b""
        assert FULL in said(server.connect("ruc"))
        answer = said(server.connect("web"))
        assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        assert FULL in answer
        for words in (("connections",), ("announce", "too many here")):
            ran = parlour("admin", "--data", str(tmp_path), *words)
            assert (ran.returncode, ran.stderr) == (0, "")
        assert heard.readline() == b"WARNING too many here\n"
        status, log = server.stop()
    assert status == 0
    assert "raise the limit (ulimit -n)" in log
    assert "Traceback" not in log


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_a_crowd_that_comes_in_one_instant_leaves_them_too(loop: str, tmp_path: Path) -> None:
    """asyncio's own loop accepts many before it serves the first of them."""
    without = tmp_path / "without"
    without.mkdir()
    (without / "uvloop.py").write_text("raise ImportError('not installed')\n")
    path = str(without) if loop == "asyncio" else ""
    with small_server(tmp_path, path) as server, contextlib.ExitStack() as crowd:
        for _ in range(FILES):
            for door in ("nedap", "ruc", "web"):
                one = crowd.enter_context(socket.socket())
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", server.ports[door]))

        ran = parlour("admin", "--data", str(tmp_path), "connections")
        assert (ran.returncode, ran.stderr) == (0, "")
        one.setblocking(True)
        assert FULL in said(one)
        status, log = server.stop()
    assert status == 0
    assert "raise the limit (ulimit -n)" in log
    assert "Traceback" not in log
