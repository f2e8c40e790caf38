"""The pages on attaching Parlour: their blocks, on fresh configurations of Debian's packages."""

import os
import re
import shlex
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.cli.servers import Server, parlour
from tests.interop.xmpp.servers import Ejabberd, Prosody, XmppServer

HOW_TO = Path(__file__).resolve().parents[2] / "docs/how-to"
SECRET = "7f3a9c"
LONGEST = 30.0  # seconds for the server's start and ours; the pages promise five minutes

pytestmark = [pytest.mark.slow, pytest.mark.external]


def blocks(page: str, language: str) -> list[str]:
    text = (HOW_TO / f"{page}.md").read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


class FreshProsody(Prosody):
    """Debian's configuration, on other ports and in another folder, and the page's file."""

    def configure(self) -> None:
        conf_d = self.folder / "conf.d"
        conf_d.mkdir(parents=True)
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
        (block,) = blocks("attach-to-prosody", "lua")
        (conf_d / "parlour.cfg.lua").write_text(block.replace("the secret", SECRET))

    def command(self) -> tuple[list[str], dict[str, str], Iterable[str]]:
        words, environment, _ = super().command()
        return words, environment, ("Activated service 'component' on [",)


class FreshEjabberd(Ejabberd):
    """Debian's configuration, on other ports and in another folder, and the page's blocks."""

    def configure(self) -> None:
        self.folder.mkdir(parents=True)
        text = Path("/etc/ejabberd/ejabberd.yml").read_text("utf-8")
        listen, disco = blocks("attach-to-ejabberd", "yaml")
        # What is there listens on ports that may be taken here; its place is what matters.
        before, rest = text.split("\nlisten:\n", 1)
        after = rest[re.search(r"^\S", rest, re.MULTILINE).start() :]  # type: ignore[union-attr]
        listen = listen.replace("5347", str(self.components)).replace("the secret", SECRET)
        assert "  mod_disco: {}\n" in after
        after = after.replace("  mod_disco: {}\n", disco)
        (self.folder / "ejabberd.yml").write_text(f"{before}\nlisten:\n{listen}\n{after}")


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
        (tmp_path / "xmpp-secret").write_text(f"{SECRET}\n")
        *_, command = (block for block in blocks(page, "sh") if block.startswith("parlour"))
        options = shlex.split(
            command.replace("5347", str(server.components)).replace("/etc/parlour", str(tmp_path))
        )[2:]
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
    (command,) = (block for block in blocks(page, "sh") if block.startswith("parlour"))
    told = parlour(*shlex.split(command)[1:], "--print-config")
    read = parlour("serve", "--config", str(tmp_path / "parlour.toml"), "--print-config")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout == read.stdout
