"""`parlour serve` as an operator meets it: real processes, ports, signals and mistakes."""

import json
import os
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.cli._config import PROTOCOLS
from tests.cli.servers import COMMAND, SOON, Server, addresses, parlour, taken_port

pytestmark = pytest.mark.slow


def receive(connection: socket.socket, count: int) -> tuple[int, ...]:
    """So many integers from a textbook server."""
    data = b""
    while len(data) < 4 * count:
        piece = connection.recv(4 * count - len(data))
        assert piece, "the server closed the connection"
        data += piece
    return struct.unpack(f">{count}i", data)


def play_one_move(server: Server) -> None:
    """Two textbook clients meet, and the first one's move reaches the second."""
    with server.connect() as first:
        assert receive(first, 1) == (1,)
        with server.connect() as second:
            assert receive(second, 1) == (2,)
            receive(first, 1)
            first.sendall(struct.pack(">ii", 1, 2))
            assert receive(second, 3) == (4, 1, 2)


def test_the_greeting_names_where_each_protocol_listens(tmp_path: Path) -> None:
    with Server(tmp_path / "data") as server:
        where = {name: f"127.0.0.1:{port}" for name, port in server.ports.items()}
        assert server.greeting[0] == f"Parlour keeps its log in {tmp_path / 'data'}"
        assert addresses(server.greeting) == where
        for name in where:
            server.connect(name).close()


def test_the_greeting_tells_the_whole_path_of_the_log(tmp_path: Path) -> None:
    relative = Path(os.path.relpath(tmp_path))
    with Server(relative, doors=("textbook",)) as server:
        assert server.greeting[0] == f"Parlour keeps its log in {relative.absolute()}"


def test_a_protocol_that_is_off_is_not_listened_for(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("nedap",)) as server:
        assert list(addresses(server.greeting)) == ["nedap"]
        status, said = server.stop()
    assert status == 0
    assert [line.partition(" INFO ")[2] for line in said.splitlines()] == [
        "parlour: serving nedap; taken up: 0 unfinished matches",
        "parlour: stopping",
    ]


def test_with_every_protocol_off_there_is_nothing_to_serve(tmp_path: Path) -> None:
    off = (argument for name in PROTOCOLS for argument in (f"--{name}", "off"))
    ended = parlour("serve", "--data", str(tmp_path), "--xmpp", "off", *off)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == "parlour: every protocol is off: there is nothing to serve\n"


def test_a_port_in_use_is_said_in_a_sentence(tmp_path: Path) -> None:
    with taken_port() as port:
        where = f"127.0.0.1:{port}"
        ended = parlour(
            *("serve", "--data", str(tmp_path), "--textbook", where, "--nedap", "off"),
            *("--ruc", "off", "--web", "off"),
        )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(f"parlour: cannot listen on {where} for textbook: ")
    assert "; --textbook HOST:PORT listens elsewhere, --textbook off not at all" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_data_directory_in_use_is_said_in_a_sentence(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("textbook",)):
        ended = parlour("serve", "--data", str(tmp_path), "--textbook", "127.0.0.1:0")
    assert (ended.returncode, ended.stdout) == (2, "")
    holders = "another server, or `parlour erase` or `prune`,"
    assert ended.stderr == f"parlour: {holders} is using {tmp_path}; --data DIR uses another\n"


def test_a_data_directory_is_free_again_after_sigkill(tmp_path: Path) -> None:
    with Server(tmp_path, doors=("textbook",)) as first:
        first.process.kill()
        first.process.wait()
        with Server(tmp_path, doors=("textbook",)) as second:
            play_one_move(second)


def test_a_file_as_data_directory_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = parlour("serve", "--data", str(tmp_path / "file"))
    assert (ended.returncode, ended.stdout) == (2, "")
    reason = "it is a file, not a directory"
    assert ended.stderr == f"parlour: cannot use {tmp_path / 'file'} for data: {reason}\n"


def test_a_log_that_is_no_database_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "log.sqlite3").write_text("no database " * 1000)
    ended = parlour("serve", "--data", str(tmp_path))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("parlour: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_with_clients_in_it(tmp_path: Path, by: signal.Signals) -> None:
    with (
        Server(tmp_path) as server,
        server.connect() as one,
        server.connect() as two,
        server.connect() as three,
    ):
        assert receive(one, 1) == (1,)
        assert receive(two, 1) == (2,)
        assert receive(three, 1) == (1,)
        status, said = server.stop(by, within=5.0)
        assert status == 0
        assert "Traceback" not in said
        assert three.recv(1) == b""


def started(data: Path) -> subprocess.Popen[str]:
    """A server that is starting, of which the log is there."""
    off = [word for name in ("--nedap", "--ruc", "--web", "--xmpp") for word in (name, "off")]
    process = subprocess.Popen(
        [*COMMAND, "serve", "--data", str(data), "--textbook", "127.0.0.1:0", *off],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    limit = time.monotonic() + SOON
    while not (data / "log.sqlite3").exists():
        assert time.monotonic() < limit
        assert process.poll() is None
    return process


def test_a_hangup_while_it_starts_is_heard_when_it_has(tmp_path: Path) -> None:
    with started(tmp_path / "data") as process:
        process.send_signal(signal.SIGHUP)
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Parlour keeps its log in ")
        process.terminate()
        _, said = process.communicate(timeout=SOON)
    assert process.returncode == 0
    assert "there is no certificate to read again" in said


def test_a_hangup_without_a_certificate_changes_nothing(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.process.send_signal(signal.SIGHUP)
        play_one_move(server)
        status, said = server.stop()
    assert status == 0
    assert "there is no certificate to read again" in said


@pytest.fixture
def hangups_are_heard() -> Iterator[None]:
    """Also by the children of tests that are run by nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangups_are_heard")
def test_a_server_ends_with_its_terminal(tmp_path: Path) -> None:
    ours, terminal = os.openpty()
    at_terminal = ("sh", "-c", f'exec "$@" 2>{os.ttyname(terminal)}', "sh")
    with Server(tmp_path, doors=("textbook",), before=at_terminal) as server:
        os.close(terminal)
        server.process.send_signal(signal.SIGHUP)  # somebody asks, and it is still there
        play_one_move(server)
        os.close(ours)
        status, _ = server.stop(signal.SIGHUP, within=5.0)
    assert status == 0


@pytest.mark.parametrize("before", ['exec "$@" <{}', 'trap "" HUP; exec "$@" 2>{}'])
def test_a_server_that_is_to_live_on_outlives_the_terminal(tmp_path: Path, before: str) -> None:
    ours, terminal = os.openpty()
    left_behind = ("sh", "-c", before.format(os.ttyname(terminal)), "sh")
    with Server(tmp_path, doors=("textbook",), before=left_behind) as server:
        os.close(terminal)
        os.close(ours)
        server.process.send_signal(signal.SIGHUP)  # years later, to renew
        play_one_move(server)
        assert server.stop()[0] == 0


def test_json_log_lines_are_json(tmp_path: Path) -> None:
    with Server(tmp_path, "--log", "json") as server:
        with server.connect() as stranger:
            stranger.sendall(b"GET / HTTP/1.1\r\nHost: \x1b[2J\r\n\r\n")
            with stranger.makefile("rb") as stream:
                stream.read()
        status, said = server.stop()
    assert status == 0
    lines = [json.loads(line) for line in said.splitlines()]
    assert any("HTTP" in line["message"] for line in lines)
    assert all(line.keys() >= {"time", "level", "logger", "message"} for line in lines)
    assert "\x1b" not in said


def test_a_server_runs_without_uvloop(tmp_path: Path) -> None:
    (tmp_path / "uvloop.py").write_text("raise ImportError('not here')\n")
    paths = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": paths}
    with Server(tmp_path / "data", environment=environment) as server:
        play_one_move(server)
        status, said = server.stop(within=5.0)
    assert status == 0
    assert "Traceback" not in said


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="reads /proc")
def test_the_soft_limit_of_open_files_is_raised(tmp_path: Path) -> None:
    lowered = ("sh", "-c", 'ulimit -Sn 256 && exec "$@"', "sh")
    with Server(tmp_path, doors=("textbook",), before=lowered) as server:
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
    (line,) = (line for line in limits.splitlines() if line.startswith("Max open files"))
    soft, hard = line.split()[3:5]
    assert int(soft) == (65_536 if hard == "unlimited" else min(int(hard), 65_536))
