"""A server that has every file the operating system gives it, and those who still need one."""

import contextlib
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
def small_server(data: Path) -> Iterator[Server]:
    """One that may have few files."""
    few = ("sh", "-c", f'ulimit -n {FILES} && exec "$@"', "sh")
    doors = ("textbook", "nedap", "ruc", "web", "nedap-tls")
    proof = ("--tls-cert", str(TLS / "one.crt"), "--tls-key", str(TLS / "one.key"))
    settings = data / "settings.toml"
    settings.write_text("[limits]\nhandshake = 60\n")  # which none of them makes
    options = (*proof, "--config", str(settings))
    with Server(data, *options, doors=doors, before=few) as server:
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
