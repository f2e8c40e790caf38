"""Real XMPP servers on free loopback ports: started until ready, stopped by their process.

Each serves the hosts `localhost` (accounts) and `anonymous.localhost` (guests), and lets one
component in as `games.localhost`.
"""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from parlour.cli._prosody import free_port

SOON = 30.0  # seconds in which a server has started or ended on a busy machine
HOST = "localhost"
GUESTS = "anonymous.localhost"
GAMES = "games.localhost"
SECRET = "the component's secret"
ACCOUNTS = ("alice", "bob", "carol", "dave")
PASSWORD = "moves"


def free_ports(count: int) -> list[int]:
    """So many loopback ports that nobody had a moment ago, all different."""
    ports: dict[int, None] = {}
    while len(ports) < count:
        ports[free_port()] = None
    return list(ports)


class XmppServer:
    """One process of a server; the ports stay the same when it is started again."""

    hibernation = 300  # seconds that the session of a cut connection is held (XEP-0198)

    def __init__(self, folder: Path) -> None:
        if not self.installed():
            pytest.skip(f"{type(self).__name__} is not installed")
        self.folder = folder
        self.clients, self.components, self.web = free_ports(3)
        self.log: list[str] = []
        self.process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self.configure()

    @classmethod
    def installed(cls) -> bool:
        """Whether this machine has the program."""
        raise NotImplementedError

    @property
    def websocket(self) -> str:
        """Where browsers connect."""
        raise NotImplementedError

    def configure(self) -> None:
        """Write the configuration and the accounts."""
        raise NotImplementedError

    def command(self) -> tuple[list[str], dict[str, str], Iterable[str]]:
        """The program, what it needs in its environment, and what it says when it is ready."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the process and return when it takes clients and components."""
        words, environment, wanted = self.command()
        self.process = subprocess.Popen(
            words,
            cwd=self.folder,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        ready = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(set(wanted), ready), daemon=True)
        self._reader.start()
        if not ready.wait(SOON) or self.process.poll() is not None:
            self.stop()
            pytest.fail("the server did not get ready:\n" + "".join(self.log))

    def _read(self, wanted: set[str], ready: threading.Event) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.log.append(line)
            wanted -= {word for word in wanted if word in line}
            if not wanted:
                ready.set()
        ready.set()

    def stop(self, by: signal.Signals = signal.SIGTERM) -> None:
        """End the process, in an orderly way or at once."""
        process = self.process
        if process is None:
            return
        process.send_signal(by)
        try:
            process.wait(SOON)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join()
        if process.stdout is not None:
            process.stdout.close()
        self.process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop(signal.SIGKILL)


class Prosody(XmppServer):
    """Prosody, as an operator would have it, with the component of the how-to page."""

    @classmethod
    def installed(cls) -> bool:
        return shutil.which("prosody") is not None

    @property
    def websocket(self) -> str:
        return f"ws://127.0.0.1:{self.web}/xmpp-websocket"

    def configure(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "prosody.cfg.lua").write_text(
            PROSODY.format(
                root="true" if os.geteuid() == 0 else "false",
                folder=self.folder,
                clients=self.clients,
                components=self.components,
                web=self.web,
                host=HOST,
                guests=GUESTS,
                games=GAMES,
                secret=SECRET,
                hibernation=self.hibernation,
            )
        )
        accounts = self.folder / HOST / "accounts"
        accounts.mkdir(parents=True)
        for name in ACCOUNTS:
            (accounts / f"{name}.dat").write_text(f'return {{ ["password"] = "{PASSWORD}" }};\n')

    def command(self) -> tuple[list[str], dict[str, str], Iterable[str]]:
        words = ["prosody", "-F", "--config", str(self.folder / "prosody.cfg.lua")]
        ready = (f"Activated service '{name}'" for name in ("c2s", "component", "http"))
        return words, {}, ready


PROSODY = """
run_as_root = {root}
daemonize = false
data_path = "{folder}"
log = {{ {{ levels = {{ min = "info" }}, to = "console" }} }}
interfaces = {{ "127.0.0.1" }}
c2s_ports = {{ {clients} }}
component_ports = {{ {components} }}
component_interfaces = {{ "127.0.0.1" }}
http_ports = {{ {web} }}
http_interfaces = {{ "127.0.0.1" }}
https_ports = {{ }}
http_default_host = "{host}"
c2s_require_encryption = false
network_settings = {{ nagle = false }}
consider_websocket_secure = true
consider_bosh_secure = true
modules_enabled = {{
    "roster"; "saslauth"; "disco"; "ping"; "posix"; "websocket"; "bosh"; "smacks"; "blocklist";
}}
modules_disabled = {{ "s2s"; "tls"; }}
smacks_hibernation_time = {hibernation}

VirtualHost "{host}"
    authentication = "internal_plain"

VirtualHost "{guests}"
    authentication = "anonymous"

Component "{games}"
    component_secret = "{secret}"
"""


class Ejabberd(XmppServer):
    """ejabberd on a plain Erlang, without its control script, node name or port mapper."""

    @classmethod
    def installed(cls) -> bool:
        return shutil.which("erl") is not None and any(Path("/usr/lib").glob("*/ejabberd-*"))

    @property
    def websocket(self) -> str:
        return f"ws://127.0.0.1:{self.web}/ws"

    def configure(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "ejabberd.yml").write_text(
            EJABBERD.format(
                clients=self.clients,
                components=self.components,
                web=self.web,
                host=HOST,
                guests=GUESTS,
                games=GAMES,
                secret=SECRET,
                hibernation=self.hibernation,
            )
        )

    def command(self) -> tuple[list[str], dict[str, str], Iterable[str]]:
        register = ", ".join(
            f'ejabberd_auth:try_register(<<"{name}">>, <<"{HOST}">>, <<"{PASSWORD}">>)'
            for name in ACCOUNTS
        )
        words = [
            *("erl", "-noinput", "-boot", "start_sasl", "-mnesia", "dir", f'"{self.folder}/db"'),
            *("-s", "ejabberd", "-eval", f'{register}, io:format("accounts are made~n").'),
        ]
        environment = {
            "EJABBERD_CONFIG_PATH": str(self.folder / "ejabberd.yml"),
            "EJABBERD_LOG_PATH": str(self.folder / "ejabberd.log"),
            "ERL_LIBS": str(next(Path("/usr/lib").glob("*/ejabberd-*")).parent),
            "ERL_CRASH_DUMP": os.devnull,
            "HOME": str(self.folder),
        }
        return words, environment, ("accounts are made",)


EJABBERD = """
loglevel: info
hosts: ["{host}", "{guests}"]
host_config:
  "{guests}":
    auth_method: [anonymous]
    anonymous_protocol: sasl_anon
certfiles: []
listen:
  - {{port: {clients}, ip: "127.0.0.1", module: ejabberd_c2s, starttls: false}}
  - {{port: {web}, ip: "127.0.0.1", module: ejabberd_http,
     request_handlers: {{"/ws": ejabberd_http_ws, "/http-bind": mod_bosh}}}}
  - {{port: {components}, ip: "127.0.0.1", module: ejabberd_service, access: all,
     hosts: {{"{games}": {{password: "{secret}"}}}}}}
modules:
  mod_blocking: {{}}
  mod_bosh: {{}}
  mod_disco: {{}}
  mod_ping: {{}}
  mod_privacy: {{}}
  mod_roster: {{}}
  mod_stream_mgmt: {{resume_timeout: {hibernation}}}
"""
