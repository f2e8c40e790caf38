"""The secret that cookies are signed with: nobody else reads it, and nobody guesses it."""

import os
import stat
from pathlib import Path

import pytest

from parlour.gateways.web import WeakSecretError, load_secret
from tests.cli.servers import parlour


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_one_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "web-secret"
    secret = load_secret(file)
    assert len(secret) == 32
    assert load_secret(file) == secret


@pytest.mark.skipif(os.name != "posix", reason="there are no modes there")
def test_only_its_owner_reads_it_whoever_could_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "web-secret"
    secret = load_secret(file)
    assert mode(file) == 0o600
    assert not caplog.messages

    file.chmod(0o644)
    assert load_secret(file) == secret
    assert mode(file) == 0o600
    assert "others could read" in caplog.text


@pytest.mark.parametrize("secret", [b"", b"\n", b"hunter2", bytes(15)])
def test_one_that_can_be_guessed_is_none(tmp_path: Path, secret: bytes) -> None:
    file = tmp_path / "web-secret"
    file.write_bytes(secret)
    with pytest.raises(WeakSecretError, match="too few"):
        load_secret(file)


@pytest.mark.slow
def test_a_server_does_not_start_with_one_that_can_be_guessed(tmp_path: Path) -> None:
    (tmp_path / "web-secret").touch()
    options = ("--data", str(tmp_path), "--xmpp", "off", "--web", "127.0.0.1:0")
    others = [word for name in ("textbook", "nedap", "ruc") for word in (f"--{name}", "off")]
    ended = parlour("serve", *options, *others)
    assert ended.returncode == 2
    assert "too few for a secret" in ended.stderr
    assert "Traceback" not in ended.stderr
