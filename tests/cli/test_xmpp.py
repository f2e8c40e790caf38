"""What the table [xmpp] may say, and what it leads to."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.cli._address import ConfigError, check_domain
from parlour.cli._config import XmppConfig
from parlour.cli._xmpp import plan
from parlour.gateways.mug import Account


def settings(**changed: Any) -> XmppConfig:
    return msgspec.convert(changed, XmppConfig)


def secret(folder: Path, text: str) -> str:
    path = folder / "secret"
    path.write_text(text, "utf-8")
    return str(path)


def test_off_is_nothing() -> None:
    assert plan(settings(server="off")) is None


@pytest.mark.parametrize(
    ("server", "host", "port", "address"),
    [
        ("component:127.0.0.1:5347", "127.0.0.1", 5347, "127.0.0.1:5347"),
        ("component:xmpp.example.org:5275", "xmpp.example.org", 5275, "xmpp.example.org:5275"),
        ("component:[::1]:5347", "::1", 5347, "[::1]:5347"),
    ],
)
def test_a_server_of_the_operator(
    tmp_path: Path, server: str, host: str, port: int, address: str
) -> None:
    file = secret(tmp_path, "open sesame\n")
    what = plan(settings(server=server, domain="games.example.org", secret_file=file))
    assert what is not None
    assert what.account == Account(host, port, "games.example.org", "open sesame")
    assert what.account.address == address
    assert what.managed is None


def test_a_prosody_of_our_own_has_hosts_beside_the_rooms_and_a_new_secret() -> None:
    first = plan(settings(server="managed", domain="games.example.org", clients=0, http=0))
    second = plan(settings(server="managed"))
    assert first is not None
    assert first.managed is not None
    assert second is not None
    assert second.managed is not None
    assert (first.managed.accounts, first.managed.guests) == (
        *("example.org", "anonymous.example.org"),
    )
    assert (second.managed.clients, second.managed.web) == (5222, 5280)
    assert first.account.port == first.managed.components
    assert len({first.managed.clients, first.managed.web, first.managed.components, 0}) == 4
    assert len({first.account.secret, second.account.secret, ""}) == 3


def wrong(**changed: Any) -> str:
    with pytest.raises(ConfigError) as error:
        plan(settings(**changed))
    return str(error.value)


@pytest.mark.parametrize(
    "server",
    [
        *("", "on", "Managed", "component", "component:", "component:5347", "localhost:5347"),
        *("component:a:0", "component:a:65536", "component:a b:1", "component:::1:5347"),
        "component:a:1\n",
    ],
)
def test_what_is_no_server(server: str) -> None:
    assert wrong(server=server) == (
        f"{server!r} is no XMPP server: expected managed, component:HOST:PORT or off"
    )


@pytest.mark.parametrize(
    "domain",
    [
        "",
        "a@b",
        "a/b",
        "a b",
        "-a.b",
        'a"',
        "GAMES.example.org",
        "a..b",
        "x" * 256,
        "x" * 250 + "!",
    ],
)
def test_what_is_no_domain(domain: str) -> None:
    with pytest.raises(ConfigError) as error:
        check_domain(domain)
    assert str(error.value) == f"{domain!r} is no domain: expected a name such as games.example.org"


def test_a_secret_must_be_given() -> None:
    assert wrong(server="component:a:1") == (
        "an XMPP server lets no component in without a secret: --xmpp-secret-file FILE"
    )


def test_a_secret_must_be_readable(tmp_path: Path) -> None:
    missing = str(tmp_path / "none")
    assert wrong(server="component:a:1", secret_file=missing) == (
        f"cannot read the secret in {missing}: No such file or directory"
    )
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert wrong(server="component:a:1", secret_file=str(tmp_path / "bytes")).endswith(
        ": no text in UTF-8"
    )


@pytest.mark.parametrize("text", ["", "\n", "one\ntwo\n"])
def test_a_secret_is_one_line(tmp_path: Path, text: str) -> None:
    file = secret(tmp_path, text)
    assert wrong(server="component:a:1", secret_file=file) == (
        f"{file} must hold the secret in one line, and nothing else"
    )
