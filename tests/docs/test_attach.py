"""The pages on attaching Parlour: their blocks, on fresh configurations of Debian's packages."""

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.cli.servers import Server, parlour
from tests.interop.xmpp.servers import Ejabberd, Prosody, XmppServer

HOW_TO = Path(__file__).resolve().parents[2] / "docs/how-to"
LONGEST = 30.0  # seconds for all commands and both starts; the pages promise five minutes

# What needs root, or the service manager: the test starts the servers itself.
ELSEWHERE = "chgrp() { :; }; chown() { :; }; systemctl() { :; }; ejabberdctl() { :; }; set -eu\n"

pytestmark = [pytest.mark.slow, pytest.mark.external]


def blocks(page: str, language: str) -> list[str]:
    text = (HOW_TO / f"{page}.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def pasted(page: str, server: XmppServer) -> tuple[list[str], str]:
    """The commands of a page that set a server up, and the one that starts ours.

    They are as on the page, for files in the server's folder and its port.
    """
    moved = [
        block.replace("5347", str(server.components))
        .replace("/etc/parlour", str(server.folder / "parlour"))
        .replace(f"/etc/{type(server).__name__.removeprefix('Fresh').lower()}", str(server.folder))
        for block in blocks(page, "sh")
    ]
    *setting_up, start = moved
    assert start.startswith("parlour serve ")
    return setting_up, start


def carry_out(commands: Iterable[str]) -> None:
    """All in one shell, as an operator pastes them."""
    script = ELSEWHERE + "".join(commands)
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), script


class FreshProsody(Prosody):
    """Debian's configuration, on other ports and in another folder, changed by the page."""

    def configure(self) -> None:
        (self.folder / "conf.d").mkdir(parents=True)
        (self.folder / "certs").mkdir()
        fresh = Path("/etc/prosody/prosody.cfg.lua").read_text("utf-8")
        fresh = re.sub(r"^(pidfile = .*?$|log = \{.*?^\})", "", fresh, flags=re.M | re.S)
        moved = f"""
run_as_root = {str(os.geteuid() == 0).lower()}
daemonize = false
data_path = "{self.folder}"
c2s_ports = {{ {self.clients} }}
s2s_ports = {{}}
component_ports = {{ {self.components} }}
log = {{ {{ levels = {{ min = "info" }}, to = "console" }} }}
"""
        head, found, tail = fresh.partition('VirtualHost "localhost"')
        assert found
        (self.folder / "prosody.cfg.lua").write_text(head + moved + found + tail)
        carry_out(pasted("attach-to-prosody", self)[0])
        assert "nagle = false" in (self.folder / "prosody.cfg.lua").read_text("utf-8")

    def command(self) -> tuple[list[str], dict[str, str], Iterable[str]]:
        words, environment, _ = super().command()
        return words, environment, ("Activated service 'component' on [",)


class FreshEjabberd(Ejabberd):
    """Debian's configuration, on other ports and in another folder, changed by the page."""

    def configure(self) -> None:
        self.folder.mkdir(parents=True)
        text = Path("/etc/ejabberd/ejabberd.yml").read_text("utf-8")
        # What is there listens on ports that may be taken here.
        text = re.sub(r"(?ms)^listen:\n.*?^(?=[a-z])", "listen: []\n", text, count=1)
        (self.folder / "ejabberd.yml").write_text(text)
        carry_out(pasted("attach-to-ejabberd", self)[0])
        changed = (self.folder / "ejabberd.yml").read_text("utf-8")
        assert 'mod_disco: {extra_domains: ["games.example.org"]}' in changed


@pytest.mark.parametrize(
    ("fresh", "page"),
    [(FreshProsody, "attach-to-prosody"), (FreshEjabberd, "attach-to-ejabberd")],
    ids=["Prosody", "ejabberd"],
)
def test_an_operator_is_attached_by_the_page(
    tmp_path: Path, fresh: type[XmppServer], page: str
) -> None:
    began = time.monotonic()
    with fresh(tmp_path / "server") as server:
        secret = server.folder / "parlour/xmpp-secret"
        assert secret.stat().st_mode & 0o077 == 0
        command = pasted(page, server)[1].replace('"$games"', "games.example.org")
        options = shlex.split(command)[2:]
        with Server(tmp_path / "data", *options, doors=("textbook",)) as ours:
            assert ours.process.stdout is not None
            line = ours.process.stdout.readline()
            where = f"127.0.0.1:{server.components}"
            assert line == f"xmpp      {where:21} rooms are at games.example.org\n", ours.stop()
    assert time.monotonic() - began < LONGEST


@pytest.mark.parametrize("page", ["attach-to-prosody", "attach-to-ejabberd"])
def test_the_settings_of_a_page_are_those_of_its_command(tmp_path: Path, page: str) -> None:
    (settings,) = blocks(page, "toml")
    (tmp_path / "parlour.toml").write_text(settings)
    *_, command = blocks(page, "sh")
    words = shlex.split(command.replace('"$games"', "games.example.org"))
    told = parlour(*words[1:], "--print-config")
    read = parlour("serve", "--config", str(tmp_path / "parlour.toml"), "--print-config")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout == read.stdout
