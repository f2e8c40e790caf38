"""Every command of the page on TLS, as it is written there, on ports that are free."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.servers import SOON, free_port
from tests.terminals import Terminal

PAGE = Path(__file__).resolve().parents[2] / "docs/how-to/tls.md"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.external,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl"),
]


def commands() -> list[str]:
    """The page's commands, on free ports of this machine and without what has a test elsewhere."""
    found = re.findall(r"^```sh\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    text = "\n".join(found).replace("0.0.0.0", "127.0.0.1")
    for port in ("8001", "2728", "16667", "8443"):
        text = text.replace(f":{port}", f":{free_port()}")
    return text.replace("parlour ", f"{sys.executable} -m parlour ").splitlines()


def test_the_page_leads_to_a_game_over_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, serve, play, renew = commands()
    monkeypatch.chdir(tmp_path)
    subprocess.run(make.split(), check=True, capture_output=True, timeout=SOON)
    plain = [word for name in ("textbook", "nedap", "ruc", "web") for word in (f"--{name}", "off")]
    with Terminal(*serve.split(), *plain, "--xmpp", "off") as server:
        server.reads_until("web-tls")
        with Terminal(*play.split()) as alice:
            alice.reads_until("Waiting")
            assert renew.startswith("kill -HUP ")
            os.kill(server.process.pid, signal.SIGHUP)
            assert server.process.stderr is not None
            while "the certificate was read again" not in (
                line := server.process.stderr.readline()
            ):
                assert line
            with Terminal(*play.replace("alice", "bob").split()):
                alice.reads_until("You have black against bob")
