"""TLS as an operator and a player meet it: real processes, certificates, and SIGHUP."""

import http.client
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from parlour.cli._serve import line as greeting_line
from parlour.cli._service import Listening
from tests.cli.servers import COMMAND, SOON, Server, parlour
from tests.terminals import Terminal

pytestmark = pytest.mark.slow

TLS = Path(__file__).parents[1] / "data" / "tls"
DOORS = ("textbook-tls", "nedap", "nedap-tls", "ruc-tls", "web-tls")


def certificate(folder: Path, name: str) -> tuple[str, ...]:
    """Put a certificate where the server reads it; the options that say where."""
    for end in ("crt", "key"):
        shutil.copyfile(TLS / f"{name}.{end}", folder / f"server.{end}")
    return "--tls-cert", str(folder / "server.crt"), "--tls-key", str(folder / "server.key")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "data", *certificate(tmp_path, "one"), doors=DOORS) as running:
        yield running


def trusting(name: str) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(TLS / f"{name}.crt"))


def shown(server: Server, name: str) -> bool:
    """Whether newcomers are shown that certificate."""
    with socket.create_connection(("127.0.0.1", server.ports["nedap-tls"]), SOON) as plain:
        try:
            with trusting(name).wrap_socket(plain, server_hostname="localhost"):
                return True
        except ssl.SSLCertVerificationError:
            return False


def log_of(server: Server, *words: str) -> str:
    """What the server has logged, up to a line with these words."""
    assert server.process.stderr is not None
    said = ""
    for line in server.process.stderr:
        said += line
        if all(word in line for word in words):
            return said
    raise AssertionError(said)


def test_what_the_server_says_to_try_over_tls_works(tmp_path: Path) -> None:
    cert = tmp_path / "the {club}'s.pem"
    cert.write_bytes((TLS / "one.crt").read_bytes() + (TLS / "one.key").read_bytes())
    doors = ("textbook", "textbook-tls")
    with Server(tmp_path, "--tls-cert", str(cert), doors=doors) as server:
        (line,) = [line for line in server.greeting if line.startswith("textbook-tls ")]
        words = shlex.split(line.partition("try: ")[2])
        assert words[:3] == ["parlour", "play", "textbook"]
        with Terminal(*COMMAND, *words[1:]) as one:
            one.reads_until("You are player 1")
        starts = {line.index(" try: ") for line in server.greeting if " try: " in line}
        assert len(starts) == 1  # in columns


def test_who_forgets_tls_is_told(server: Server) -> None:
    at = f"127.0.0.1:{server.ports['nedap-tls']}"
    with Terminal(*COMMAND, "play", "nedap", "--name", "eve", at) as eve:
        status, _, said = eve.end()

    assert status == 2
    assert "--tls" in said


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (b"\x15\x03\x01\x00\x02\x02\x46", "speaks TLS: add --tls"),
        (b"", "closed the connection without a word: it takes nobody just now, or wants --tls"),
    ],
)
def test_what_does_not_answer_in_plain_may_want_tls(first: bytes, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        at = f"127.0.0.1:{door.getsockname()[1]}"
        with Terminal(*COMMAND, "play", "textbook", at) as eve:
            with door.accept()[0] as connection:
                connection.sendall(first)
            assert eve.end() == (2, "Connected; waiting for a role.\n", f"parlour: {at} {said}\n")


def test_where_a_server_listens_everywhere_its_name_is_tried() -> None:
    everywhere = Listening("0.0.0.0", 8443, "https://{address}/ in a browser")
    assert greeting_line("web-tls", everywhere, 9).endswith(
        "try: https://localhost:8443/ in a browser"
    )


def play(server: Server, protocol: str, *arguments: str) -> Terminal:
    """Somebody who plays over TLS."""
    at = f"127.0.0.1:{server.ports[f'{protocol}-tls']}"
    trust = ("--tls", "--ca", str(TLS / "one.crt"))
    return Terminal(*COMMAND, "play", protocol, *arguments, at, *trust)


def test_two_people_play_textbook_over_tls(server: Server) -> None:
    with play(server, "textbook") as one:
        one.reads_until("You are player 1")
        with play(server, "textbook") as two:
            two.reads_until("You are player 2")
            for ply, move in enumerate(("0 0", "1 0", "0 1", "1 1", "0 2")):
                mover = (one, two)[ply % 2]
                mover.reads_until("Your row and column")
                mover.types(move)
            for player, verdict in ((one, "You won!"), (two, "Player 1 won.")):
                player.reads_until(verdict)
                status, _, said = player.end()
                assert (status, said) == (0, "")


def test_go_and_chinese_checkers_are_played_over_tls(server: Server) -> None:
    with play(server, "nedap", "--name", "alice") as alice:
        alice.reads_until("Waiting")
        with play(server, "nedap", "--name", "bob") as bob:
            alice.reads_until("You have black against bob")
            bob.reads_until("You have white against alice")
    with play(server, "ruc", "--room", "garden", "--name", "carol") as carol:
        carol.reads_until("You are in garden")


def test_the_page_is_served_over_tls_and_its_cookie_is_for_tls_only(server: Server) -> None:
    context = trusting("one")
    page = http.client.HTTPSConnection("localhost", server.ports["web-tls"], context=context)
    page.request("GET", "/api/me")
    answer = page.getresponse()
    page.close()

    assert answer.status == 200
    assert "Secure" in (answer.headers["set-cookie"] or "").split("; ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--tls",), "proves nothing: self-signed certificate; --ca FILE names"),
        (("--tls", "--ca", str(TLS / "two.crt")), "proves nothing: self-signed certificate"),
        (("--tls", "--ca", str(TLS / "no.crt")), "No such file or directory"),
        (("--ca", str(TLS / "one.crt")), "--ca is for --tls"),
    ],
)
def test_a_player_is_told_why_there_is_no_connection(
    server: Server, arguments: tuple[str, ...], said: str
) -> None:
    at = f"127.0.0.1:{server.ports['textbook-tls']}"
    failed = parlour("play", "textbook", at, *arguments)

    assert failed.returncode != 0
    assert said in failed.stderr
    assert "Traceback" not in failed.stderr


def test_tls_at_a_plain_port_and_plain_text_at_a_tls_port_are_one_line_each(
    server: Server,
) -> None:
    plain = f"127.0.0.1:{server.ports['nedap']}"
    failed = parlour("play", "nedap", "--name", "eve", plain, "--tls")
    assert "no TLS at" in failed.stderr or "nobody answers" in failed.stderr
    assert "a TLS hello instead of a line" in log_of(server, "TLS hello")

    with server.connect("nedap-tls") as stranger:
        stranger.sendall(b"PLAYER eve\nGO 9\n")
        while stranger.recv(100):
            pass
    assert "no TLS: something else" in log_of(server, "no TLS")


def test_a_renewed_certificate_is_read_on_sighup(server: Server, tmp_path: Path) -> None:
    assert shown(server, "one")
    certificate(tmp_path, "two")
    server.process.send_signal(signal.SIGHUP)
    log_of(server, "the certificate was read again")

    assert shown(server, "two")
    assert not shown(server, "one")


def test_a_broken_certificate_on_sighup_changes_nothing_and_is_said(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "server.crt").write_text("nonsense")
    server.process.send_signal(signal.SIGHUP)
    log_of(server, "ERROR", "the old certificate stays in use", "server.crt")

    assert shown(server, "one")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--nedap-tls needs --tls-cert FILE"),
        (("--tls-cert", "no.pem"), "cannot read no.pem: No such file or directory"),
        (("--tls-cert", str(TLS / "one.crt")), "one.crt"),
        (("--tls-cert", str(TLS / "one.crt"), "--tls-key", str(TLS / "two.key")), "two.key"),
    ],
)
def test_what_is_wrong_with_a_certificate_is_said_at_the_start(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    failed = subprocess.run(
        [*COMMAND, "serve", "--data", str(tmp_path), "--nedap", "off", "--textbook", "off",
         "--ruc", "off", "--web", "off", "--xmpp", "off", "--nedap-tls", "127.0.0.1:0", *options],
        capture_output=True, text=True, timeout=SOON, check=False,
    )  # fmt: skip

    assert failed.returncode != 0
    assert said in failed.stderr
    assert "Traceback" not in failed.stderr


def test_the_pages_websocket_runs_over_tls(server: Server) -> None:
    at = f"wss://localhost:{server.ports['web-tls']}/api/live"
    for _ in range(3):  # and leaves nothing behind that would be in the way of the next
        with connect(at, ssl=trusting("one"), open_timeout=SOON) as socket:
            assert '"welcome"' in str(socket.recv(SOON))
            socket.send('{"type":"ping","id":1}')
            assert '"pong"' in str(socket.recv(SOON))
