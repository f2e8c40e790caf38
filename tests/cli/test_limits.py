"""The table [limits] as an operator meets it: settings in a file, and what strangers then meet."""

import socket
from pathlib import Path

import pytest

from parlour.cli._address import ConfigError
from parlour.cli._config import load
from tests.cli.servers import SOON, Server


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('exempt = ["10.0.0.0/33"]', "'10.0.0.0/33' is no network: expected one as in 10.0.0.0/8"),
        ('proxies = ["nginx"]', "'nginx' is no network"),
        ('proxies = ["10.0.0.1/8"]', "'10.0.0.1/8' is no network"),
        ("connections = 0", "limits.connections: expected a whole number >= 1"),
        ("conections = 5", "unknown setting 'conections' in [limits]"),
    ],
)
def test_a_limit_that_cannot_be_is_an_error_with_its_line(
    tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / "parlour.toml"
    path.write_text(f"[limits]\n{line}\n")
    with pytest.raises(ConfigError) as wrong:
        load(path, {})

    assert said in str(wrong.value)
    assert "line 2" in str(wrong.value)


@pytest.mark.slow
def test_a_server_holds_strangers_to_its_settings(tmp_path: Path) -> None:
    settings = tmp_path / "parlour.toml"
    settings.write_text(
        '[limits]\nexempt = ["127.0.0.1"]\nproxies = []\nconnections = 2\n'
        "lines = 100\nlines_at_once = 50\n"
    )
    doors = ("textbook", "nedap", "ruc", "web")
    with Server(tmp_path / "data", "--config", str(settings), doors=doors) as server:
        ports = [server.ports[name] for name in doors]
        kept = [let_in(ports[1]), let_in(ports[2])]
        words = [told(port) for port in ports]
        assert words[0] == b""
        assert words[1] == b"WARNING your address has 2 connections already\n"
        assert b"your address has 2 connections already" in words[2]
        assert words[3].startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
        kept[0].sendall(b"X\n" * 200)
        with server.connect("nedap") as local:
            local.sendall(b"PLAYER alice\nGO 9\n")
            with local.makefile("rb") as heard:
                assert heard.readline() == b"WAITING\n"
        with kept[0].makefile("rb") as answers:
            assert [answers.readline()[:7] for _ in range(200)] == [b"WARNING"] * 200
        for one in kept:
            one.close()
        _, log = server.stop()

    assert "127.0.0.2 is turned away: your address has 2 connections already" in log
    assert "Traceback" not in log


def told(port: int) -> bytes:
    """What a stranger hears until the end."""
    with stranger(port) as connection, connection.makefile("rb") as answers:
        return answers.read()


def let_in(port: int) -> socket.socket:
    """A stranger who has been answered, and hence counted."""
    connection = stranger(port)
    connection.sendall(b"hello\n")
    while not connection.recv(1024).endswith(b"\n"):
        pass
    return connection


def stranger(port: int) -> socket.socket:
    """A connection from an address that is not exempt."""
    return socket.create_connection(("127.0.0.1", port), SOON, ("127.0.0.2", 0))
