"""The socket itself: who reaches it, what it makes of nonsense, and what outlives the server."""

import asyncio
import json
import os
import signal
import socket
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.cli import main
from parlour.gateways.admin import NAME
from parlour.gateways.admin._socket import peer_of
from tests.cli.servers import parlour
from tests.gateways.admin.operators import House, Operator
from tests.gateways.nedap.peers import Peer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets"),
]


def lines(path: Path, *sent: bytes) -> list[dict[str, Any]]:
    """What is answered to each line, on one connection."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(str(path))
        answers = connection.makefile("rb")
        told = []
        for line in sent:
            connection.sendall(line + b"\n")
            told.append(json.loads(answers.readline()))
        return told


def test_only_its_owner_reaches_it_and_it_goes_with_the_server(tmp_path: Path) -> None:
    with House(tmp_path, "textbook") as house:
        mode = (tmp_path / NAME).stat().st_mode
        assert stat.S_ISSOCK(mode)
        assert stat.S_IMODE(mode) == 0o600
        assert house.stop()[0] == 0
    assert not (tmp_path / NAME).exists()


def test_nonsense_is_answered_and_harms_nobody(tmp_path: Path) -> None:
    with House(tmp_path, "textbook") as house:
        told = lines(
            tmp_path / NAME,
            b"",
            b"hello",
            b'{"do":"dance"}',
            b'{"do":"kick"}',
            b'{"do":"kick","whom":7}',
            b'{"do":"ban","kind":"smell","who":"x"}',
            b'{"do":"connections","also":1}',
            b"[" * 10_000,
            b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b',"do":"bans"}',
            b"\xff\xfe",
            b'{"do":"kick","whom":"\xff\xfe"}',
            b'{"d\xff":1}',
            b'{"do":"bans"}',
        )
        assert [answer["ok"] for answer in told] == [False] * 12 + [True]
        assert {answer["refusal"] for answer in told[:-1]} == {"malformed"}
        assert "Invalid value 'dance'" in told[2]["detail"]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(tmp_path / NAME))
            connection.sendall(b"x" * 1000)  # and no more
        assert lines(tmp_path / NAME, b'{"do":"bans"}')[0]["ok"]
        status, said = house.stop()
    assert status == 0
    assert "Traceback" not in said


def test_who_says_nothing_does_not_keep_the_server(tmp_path: Path) -> None:
    with House(tmp_path, "textbook") as house, socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(tmp_path / NAME))
        assert lines(tmp_path / NAME, b'{"do":"bans"}')[0]["ok"]  # so it was let in
        status, said = house.stop()
    assert status == 0
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("kick", "nobody"),
            "nobody here is 'nobody': `parlour admin connections` lists who is",
        ),
        (
            ("ban", "--address", "10.0.0"),
            "'10.0.0' is no address: expected one such as 10.0.0.7 or 10.0.0.0/8",
        ),
        (
            ("ban", "--name", "alice", "--until", "2001-01-01"),
            "the ban would have ended already: say a later end",
        ),
        (
            ("ban", "--name", "alice", "--for", "soon"),
            "--for: 'soon' is no time: expected one such as 30m or 7d",
        ),
        (
            ("ban", "--name", "alice", "--for", "999999w"),
            "no calendar goes that far: ban for ever instead",
        ),
        (
            ("ban", "--name", "alice", "--until", "soon"),
            "--until: 'soon' is no date: expected one such as 2026-01-31 or 2026-01-31T12:00",
        ),
        (
            ("unban", "--jid", "anna@example.org"),
            "no jid 'anna@example.org' is banned: `parlour admin bans` lists who is",
        ),
        (
            ("close", "--match", "match-none"),
            "no match 'match-none' is going on: `parlour admin matches` lists those that are",
        ),
        (("close", "--room", "attic"), "there is no room 'attic'"),
        (("announce", "  "), "there is nothing to announce"),
        (
            ("log-level", "loud"),
            "'loud' is no level: expected one of debug, info, warning, error, critical",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    words: tuple[str, ...], sentence: str, house: House
) -> None:
    done = parlour("admin", "--data", str(house.operator.data), *words)
    assert (done.returncode, done.stderr) == (2, f"parlour: {sentence}\n")


def test_what_to_type_next_is_said_as_it_was_called(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PARLOUR_COMMAND", "./run")
    assert main(["admin", "--data", str(house.operator.data), "kick", "nobody"]) == 2
    assert capsys.readouterr().err == (
        "parlour: nobody here is 'nobody': `./run admin connections` lists who is\n"
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with House(tmp_path_factory.mktemp("data"), "textbook") as house:
        yield house


async def test_the_history_is_told_in_words(house: House) -> None:
    reads, before = house.operator.reads, len(await house.operator.acts())
    await house.operator.does("ban", "--name", "bob", "--until", "2099-01-31", "--reason", "rude")
    await house.operator.does("unban", "--name", "bob")
    await house.operator.asks("close", "--room", "attic")
    await house.operator.does("log-level", "info", "--logger", "parlour.tcp")
    kinds = (await house.operator.acts())[before:]
    told = [
        line.split(maxsplit=3)[3]
        for line in (await reads("history", "--last", str(len(kinds)))).splitlines()[1:]
    ]

    assert kinds == ["Banned/1", "Unbanned/1", "RoomShut/1", "ActRefused/1", "LogLevelSet/1"]
    assert [" ".join(line.split()) for line in told] == [
        "ban name bob until 2099-01-31 00:00:00: rude",
        "unban name bob",
        "close --room attic; refused: there is no room 'attic'",
        "log-level info for parlour.tcp",
    ]
    (alone,) = (await reads("history", "--last", "2")).splitlines()[1:-1]
    assert alone.endswith("close --room  refused: there is no room 'attic'")


async def test_what_is_refused_is_no_act(house: House) -> None:
    before = await house.operator.acts()
    await house.operator.asks("kick", "nobody")
    await house.operator.asks("unban", "--name", "nobody")
    assert await house.operator.acts() == before


def test_no_server_is_said_in_a_sentence(tmp_path: Path) -> None:
    done = parlour("admin", "--data", str(tmp_path), "connections")
    said = f"parlour: no server is running in {tmp_path}; --data says where it is\n"
    assert (done.returncode, done.stderr) == (2, said)


async def test_bans_and_acts_outlive_a_server_that_was_killed(tmp_path: Path) -> None:
    with House(tmp_path, "nedap") as house:
        await house.operator.does("ban", "--name", "alice")
        await house.operator.does("ban", "--name", "bob", "--for", "1d")
        await house.operator.does("unban", "--name", "bob")
        await house.operator.does("announce", "tea at five")
        house.stop(signal.SIGKILL)

    with House(tmp_path, "nedap") as house:  # at the socket that the dead one has left
        alice = await Peer.connect(house.ports["nedap"])
        alice.send("PLAYER alice")
        await alice.hears("WARNING you are banned")
        acts = (await house.operator.does("history"))["acts"]
        assert [act["type"] for act in acts] == [
            "Banned/1",
            "Banned/1",
            "Unbanned/1",
            "Announced/1",
        ]
        bob = acts[1]  # by the server's clock
        assert bob["ban"]["until"] == bob["at"] + 86_400_000
        assert {act["uid"] for act in acts if "uid" in act} <= {os.getuid()}
        assert "tea at five" in await house.operator.reads("history")
        assert "bob" not in await house.operator.reads("history", "--last", "1")
        await alice.close()
        house.stop()
    assert parlour("verify", "--data", str(tmp_path)).returncode == 0


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="a short name needs /proc")
async def test_a_data_directory_may_be_deep(tmp_path: Path) -> None:
    deep = tmp_path / ("a" * 80) / ("b" * 80)
    with House(deep, "textbook") as house:
        assert (await house.operator.does("connections"))["connections"] == []
        house.stop()


async def test_the_log_says_more_when_asked(tmp_path: Path) -> None:
    with House(tmp_path, "textbook") as house:
        await house.operator.does("log-level", "error")
        await house.operator.does("announce", "unheard")
        await house.operator.does("log-level", "info")
        await house.operator.does("announce", "heard")
        said = house.stop()[1]
    assert '"text":"heard"' in said
    assert '"text":"unheard"' not in said


@pytest.mark.parametrize("words", [("drain",), ("undrain",)])
async def test_a_drain_without_games_ends_the_server_at_once(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    with House(tmp_path, "textbook") as house:
        told = await house.operator.reads(*words)
        if words == ("drain",):
            assert told == "no game begins any more; the server ends with the last of 0 games\n"
            house.process.wait(timeout=10)
            assert house.process.returncode == 0
        else:
            assert told == "games begin again\n"
            await asyncio.sleep(0)
            assert house.process.poll() is None


async def test_two_operators_at_once_are_both_heard(tmp_path: Path) -> None:
    with House(tmp_path, "textbook"):
        operator, path = Operator(tmp_path), tmp_path / NAME
        requests = [b'{"do":"announce","text":"%d"}' % number for number in range(8)]
        told = await asyncio.gather(
            *(asyncio.to_thread(lines, path, request) for request in requests)
        )
        assert all(answer["ok"] for (answer,) in told)
        texts = sorted(act["text"] for act in (await operator.does("history"))["acts"])
        assert texts == [str(number) for number in range(8)]


def test_who_asks_is_known_where_no_file_is_left() -> None:
    resource = pytest.importorskip("resource")
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
        try:
            uid, _ = peer_of(ours.fileno())
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        ours.sendall(b"which is open still")
    assert uid == (os.getuid() if hasattr(socket, "SO_PEERCRED") else -1)
