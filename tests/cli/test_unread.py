"""A server plays and ends whether or not anybody reads what it says."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.servers import COMMAND, Server
from tests.cli.test_serve import play_one_move
from tests.cli.unread import unread

WITHIN = 5.0  # seconds: what is promised of SIGTERM

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes there"),
]


@pytest.mark.parametrize("form", ["text", "json"])
def test_log_lines_that_nobody_reads_hold_nobody_up(tmp_path: Path, form: str) -> None:
    pipe = tmp_path / "pipe"
    unheard = ("sh", "-c", f'exec "$@" 2>{pipe}', "sh")
    with unread(pipe), Server(tmp_path / "data", "--log", form, before=unheard) as server:
        for _ in range(3):
            with server.connect("nedap") as stranger:
                stranger.sendall(b"PLAYER a\n\xff\xff\n")
                with stranger.makefile("rb") as stream:
                    stream.read()
        play_one_move(server)
        assert server.stop(within=WITHIN)[0] == 0


def test_a_greeting_that_nobody_reads_holds_nobody_up(tmp_path: Path) -> None:
    off = [word for name in ("textbook", "ruc", "web", "xmpp") for word in (f"--{name}", "off")]
    words = ["serve", "--data", str(tmp_path / "data"), "--nedap", "127.0.0.1:0", *off]
    with unread(tmp_path / "pipe"), (tmp_path / "pipe").open("w") as full:
        server = subprocess.Popen(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True
        )
        try:
            assert server.stderr is not None
            assert "serving nedap" in server.stderr.readline()
            server.send_signal(signal.SIGTERM)
            _, rest = server.communicate(timeout=WITHIN)
        finally:
            server.kill()
            server.communicate()
    assert rest.endswith("INFO parlour: stopping\n")
    assert server.returncode == 0
