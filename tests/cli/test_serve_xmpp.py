"""`parlour serve --xmpp ...` as an operator meets it: real processes, greetings and ends."""

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.cli.servers import SOON, Server, parlour, taken_port
from tests.cli.xmpp_server import XmppParlour
from tests.interop.xmpp.servers import GAMES, SECRET, Prosody

pytestmark = pytest.mark.slow


STREAM = (
    "<stream:stream to='{}' version='1.0' xmlns='jabber:client' "
    "xmlns:stream='http://etherx.jabber.org/streams'>"
)


def until(client: socket.socket, word: bytes) -> bytes:
    """What comes, up to a piece with the word in it."""
    came = b""
    while word not in came:
        piece = client.recv(4096)
        assert piece, came
        came += piece
    return came


@pytest.fixture(autouse=True)
def _needs_prosody() -> None:
    if not Prosody.installed():
        pytest.skip("prosody is not installed")


def child_of(process: subprocess.Popen[str]) -> int:
    """The one child process."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) == 1
    return int(children[0])


def ended(descriptor: int) -> bool:
    """Whether the process ends soon."""
    try:
        return select.select([descriptor], [], [], SOON)[0] == [descriptor]
    finally:
        os.close(descriptor)


@pytest.mark.external
def test_a_prosody_of_our_own_is_there_when_the_server_greets(tmp_path: Path) -> None:
    with XmppParlour(tmp_path, "--xmpp", "managed") as server:
        assert server.greeting[-1] == (
            f"xmpp      127.0.0.1:{server.clients:<11} try: a client as guest of "
            f"anonymous.localhost, or ws://127.0.0.1:{server.http}/xmpp-websocket; "
            "rooms are at games.localhost"
        )
        with socket.create_connection(("127.0.0.1", server.clients), SOON) as client:
            client.sendall(STREAM.format("anonymous.localhost").encode())
            assert b"<mechanism>ANONYMOUS</mechanism>" in until(client, b"</stream:features>")
        status, said = server.stop(within=5.0)
    assert status == 0
    assert "Traceback" not in said


@pytest.mark.external
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_us_however_we_end(tmp_path: Path, by: signal.Signals) -> None:
    with XmppParlour(tmp_path, "--xmpp", "managed") as server:
        prosody = os.pidfd_open(child_of(server.process))
        server.stop(by, within=5.0)
        assert ended(prosody)


@pytest.mark.external
def test_a_second_start_on_the_same_data_finds_everything_free(tmp_path: Path) -> None:
    for _ in range(2):
        with XmppParlour(tmp_path, "--xmpp", "managed") as server:
            assert "try: a client" in server.greeting[-1]
            server.stop(signal.SIGKILL)


@pytest.mark.external
def test_a_port_in_use_costs_only_xmpp(tmp_path: Path) -> None:
    with taken_port() as port:
        (tmp_path / "settings").write_text(f"[xmpp]\nclients = {port}\nhttp = 0\n")
        options = ("--config", str(tmp_path / "settings"), "--xmpp", "managed")
        with Server(tmp_path / "data", *options, doors=("textbook",)) as server:
            assert server.process.stdout is not None
            assert server.process.stdout.readline() == (
                "xmpp      is not served yet; the log says why\n"
            )
            server.connect().close()
            status, said = server.stop(within=5.0)
    assert status == 0
    assert f"{port}" in said
    assert "Traceback" not in said


@pytest.mark.external
def test_a_server_of_the_operator_lets_us_in(tmp_path: Path) -> None:
    with Prosody(tmp_path / "prosody") as prosody:
        (tmp_path / "secret").write_text(SECRET + "\n")
        options = (
            *("--xmpp", f"component:127.0.0.1:{prosody.components}", "--xmpp-domain", GAMES),
            *("--xmpp-secret-file", str(tmp_path / "secret")),
        )
        with Server(tmp_path / "data", *options, doors=("textbook",)) as server:
            assert server.process.stdout is not None
            line = server.process.stdout.readline()
            assert re.fullmatch(
                rf"xmpp      127\.0\.0\.1:{prosody.components} +rooms are at {GAMES}\n", line
            )
            status, said = server.stop(within=5.0)
    assert status == 0
    assert f"{GAMES} is served through 127.0.0.1:{prosody.components}" in said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--xmpp", "on"),
            "--xmpp: 'on' is no XMPP server: expected managed, component:HOST:PORT or off",
        ),
        (
            ("--xmpp", "component:localhost:5347"),
            "an XMPP server lets no component in without a secret: --xmpp-secret-file FILE",
        ),
        (
            ("--xmpp", "managed", "--xmpp-domain", "a@b"),
            "--xmpp-domain: 'a@b' is no domain: expected a name such as games.example.org",
        ),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(
    tmp_path: Path, options: tuple[str, ...], sentence: str
) -> None:
    off = ("--textbook", "off", "--nedap", "off", "--ruc", "off", "--web", "off")
    done = parlour("serve", "--data", str(tmp_path), *off, *options)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"parlour: {sentence}\n")


def test_without_a_prosody_the_rest_is_served_at_once(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    environment = os.environ | {"PATH": str(tmp_path / "bin")}
    options = ("--xmpp", "managed")
    began = time.monotonic()
    with Server(
        tmp_path / "data", *options, doors=("textbook",), environment=environment
    ) as server:
        assert server.process.stdout is not None
        assert "is not served yet" in server.process.stdout.readline()
        assert time.monotonic() - began < SOON
        server.connect().close()
        status, said = server.stop(within=5.0)
    assert status == 0
    assert said.count("XMPP is not served: install prosody") == 1


@pytest.mark.external
def test_people_make_themselves_accounts(tmp_path: Path) -> None:
    """XEP-0077, on a stream that is not logged in; then the name is taken."""
    register = (
        "<iq type='set' id='r'><query xmlns='jabber:iq:register'><username>zoe</username>"
        "<password>moves</password></query></iq>"
    )
    with XmppParlour(tmp_path, "--xmpp", "managed") as server:
        answers = []
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", server.clients), SOON) as client:
                client.sendall(STREAM.format("localhost").encode())
                until(client, b"</stream:features>")
                client.sendall(register.encode())
                answers.append(until(client, b"<iq "))
    assert b"type='result'" in answers[0]
    assert b"<conflict" in answers[1]


@pytest.mark.external
def test_bosh_opens_a_session(tmp_path: Path) -> None:
    """XEP-0124, section 7."""
    body = (
        "<body xmlns='http://jabber.org/protocol/httpbind' to='anonymous.localhost' rid='1' "
        "wait='1' hold='1' ver='1.6' xmlns:xmpp='urn:xmpp:xbosh' xmpp:version='1.0'/>"
    )
    with XmppParlour(tmp_path, "--xmpp", "managed") as server:
        url = f"http://127.0.0.1:{server.http}/http-bind"
        with urllib.request.urlopen(url, body.encode(), SOON) as answer:
            text = answer.read()
    assert b" sid='" in text
    assert b"ANONYMOUS" in text
