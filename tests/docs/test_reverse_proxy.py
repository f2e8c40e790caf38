"""The page on reverse proxies: real nginx and Caddy with its blocks, in front of a real server."""

import contextlib
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.cli.servers import SOON, Server, free_port

PAGE = (Path(__file__).resolve().parents[2] / "docs/how-to/behind-a-reverse-proxy.md").read_text()
SITE = "games.example.org"

pytestmark = [pytest.mark.slow, pytest.mark.external]


class Proxy:
    """A proxy that is to listen on `port` and to speak for the page at `web`."""

    def __init__(self, folder: Path, web: int) -> None:
        self.folder = folder
        self.web = web
        self.port = free_port()
        self.certificate, self.key = folder / "site.pem", folder / "site.key"
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"]
        command += ["ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        command += ["-subj", f"/CN={SITE}", "-addext", f"subjectAltName=DNS:{SITE}"]
        command += ["-out", str(self.certificate), "-keyout", str(self.key)]
        subprocess.run(command, check=True, capture_output=True)

    def block(self, language: str) -> str:
        """The page's block, with our ports and files."""
        (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
        return str(found).replace("127.0.0.1:8080", f"127.0.0.1:{self.web}")

    def nginx(self) -> list[str]:
        site = self.block("nginx").replace("listen 443", f"listen 127.0.0.1:{self.port}")
        site = re.sub(r"(ssl_certificate) .*;", rf"\1 {self.certificate};", site)
        site = re.sub(r"(ssl_certificate_key) .*;", rf"\1 {self.key};", site)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        folders = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in kinds)
        account = "user root;" if os.geteuid() == 0 else ""
        configuration = self.folder / "nginx.conf"
        configuration.write_text(
            f"daemon off; {account} pid {self.folder}/pid; error_log stderr;\n"
            f"events {{}}\nhttp {{ access_log off; {folders}\n{site}}}\n"
        )
        return ["nginx", "-c", str(configuration)]

    def caddy(self) -> list[str]:
        site = self.block("caddy").replace(SITE, f"{SITE}:{self.port}", 1)
        here = f"    bind 127.0.0.1\n    tls {self.certificate} {self.key}\n"
        site = site.replace("{\n", f"{{\n{here}", 1)
        configuration = self.folder / "Caddyfile"
        configuration.write_text(f"{{\n    admin off\n    auto_https off\n}}\n{site}")
        return ["caddy", "run", "--adapter", "caddyfile", "--config", str(configuration)]


@contextlib.contextmanager
def running(command: list[str], port: int) -> Iterator[None]:
    """A program that listens on `port`, with nothing kept outside its folder."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            while process.poll() is None:
                with contextlib.suppress(ConnectionRefusedError):
                    socket.create_connection(("127.0.0.1", port), SOON).close()
                    break
            assert process.poll() is None, process.communicate()[1]
            yield
        finally:
            process.terminate()
            process.communicate(timeout=SOON)


@pytest.fixture(params=[Proxy.nginx, Proxy.caddy], ids=["nginx", "Caddy"])
def proxy(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Proxy]:
    """Each of the two in front of a page whose visitors may have two connections each."""
    make: Callable[[Proxy], list[str]] = request.param
    if shutil.which(make.__name__) is None:
        pytest.skip(f"needs {make.__name__}")
    monkeypatch.setenv("HOME", str(tmp_path))  # where Caddy keeps what it remembers
    settings = tmp_path / "parlour.toml"
    settings.write_text("[limits]\nexempt = []\nconnections = 2\n")
    options = ("--config", str(settings))
    with Server(tmp_path / "data", *options, doors=("web",)) as server:
        front = Proxy(tmp_path, server.ports["web"])
        with running(make(front), front.port):
            yield front


class Visitor:
    """Somebody at an address of their own who asks for `SITE`."""

    def __init__(self, proxy: Proxy, address: str) -> None:
        self.proxy = proxy
        self.address = address
        self.trust = ssl.create_default_context(cafile=str(proxy.certificate))

    def get(self, path: str) -> httpx.Response:
        transport = httpx.HTTPTransport(verify=self.trust, local_address=self.address)
        with httpx.Client(transport=transport) as http:
            return http.get(
                f"https://127.0.0.1:{self.proxy.port}{path}",
                headers={"Host": f"{SITE}:{self.proxy.port}"},
                extensions={"sni_hostname": SITE},
            )

    @contextlib.contextmanager
    def live(self) -> Iterator[dict[str, object]]:
        """A WebSocket, and what it was told first."""
        at = f"{SITE}:{self.proxy.port}"
        where = ("127.0.0.1", self.proxy.port)
        plain = socket.create_connection(where, SOON, source_address=(self.address, 0))
        with connect(
            f"wss://{at}/api/live", sock=plain, ssl=self.trust, origin=Origin(f"https://{at}")
        ) as live:
            yield json.loads(live.recv(SOON))


def test_the_page_comes_with_a_cookie_for_tls_only(proxy: Proxy) -> None:
    visitor = Visitor(proxy, "127.0.0.2")
    page = visitor.get("/")
    assert page.status_code == 200
    assert "<script" in page.text
    assert "secure" in visitor.get("/api/me").headers["set-cookie"].lower()
    assert visitor.get("/metrics").status_code == 403


def test_websockets_of_several_visitors_pass(proxy: Proxy) -> None:
    with contextlib.ExitStack() as stack:
        for number in (2, 2, 3, 3):  # two connections each are allowed, and four together are not
            visitor = Visitor(proxy, f"127.0.0.{number}")
            assert stack.enter_context(visitor.live())["type"] == "welcome"
        with pytest.raises(InvalidStatus):
            stack.enter_context(Visitor(proxy, "127.0.0.3").live())
