"""The Prosody of our own: found or fetched, ready, watched, and gone with its parent."""

import asyncio
import logging
import os
import random
import re
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from parlour.cli._config import PROTOCOLS, Config, XmppConfig
from parlour.cli._prosody import Hosts, ManagedProsody, configuration, free_port
from parlour.cli._prosody_program import NoProsodyError, Program, fetch, find_program, unpacked
from parlour.cli._service import running
from parlour.gateways.mug import Account, Component
from tests.cli.servers import SOON, taken_port
from tests.interop.xmpp.peers import Notes

ROOT = Path(__file__).resolve().parents[2]

external = pytest.mark.external
needs_prosody = pytest.mark.skipif(shutil.which("prosody") is None, reason="needs prosody")


def hosts(clients: int = 0) -> Hosts:
    return Hosts(
        "games.localhost",
        clients or free_port(),
        free_port(),
        free_port(),
        secrets.token_hex(8),
    )


async def until(event: asyncio.Event) -> None:
    await asyncio.wait_for(event.wait(), SOON)


async def while_set(event: asyncio.Event) -> None:
    async with asyncio.timeout(SOON):
        while event.is_set():
            await asyncio.sleep(0.01)


async def until_said(caplog: pytest.LogCaptureFixture, words: str) -> None:
    async with asyncio.timeout(SOON):
        while words not in caplog.text:
            await asyncio.sleep(0.01)


@external
@needs_prosody
async def test_it_lets_our_component_in_and_ends_in_order(tmp_path: Path) -> None:
    names = hosts()
    prosody = ManagedProsody(tmp_path, names)
    prosody.start()
    await until(prosody.ready)
    component = Component(Account("127.0.0.1", names.components, names.games, names.secret))
    notes = Notes(component)
    component.start(notes)
    assert await notes.next_told() == "connected"
    await component.close()
    process = prosody.process
    assert process is not None
    await prosody.close()
    assert process.returncode == 0
    for port in (names.clients, names.web, names.components):
        with socket.socket() as free, socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", port))


@external
@needs_prosody
async def test_its_folder_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    prosody = ManagedProsody(Path("parlour-data/prosody"), hosts())
    prosody.start()
    await until(prosody.ready)
    await prosody.close()


@external
@needs_prosody
async def test_it_is_started_again_when_it_dies(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    opened: list[Hosts] = []
    prosody = ManagedProsody(tmp_path, hosts(), opened.append)
    prosody.start()
    await until(prosody.ready)
    assert prosody.process is not None
    first = prosody.process.pid
    prosody.process.kill()
    await while_set(prosody.ready)
    await until(prosody.ready)
    assert prosody.process.pid != first
    assert len({one.components for one in opened}) == 2
    assert prosody.hosts == opened[-1]
    await prosody.close()
    assert "Prosody ended with status -9; starting it again" in caplog.text


@external
@needs_prosody
async def test_a_port_in_use_is_said_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with taken_port() as port:
        prosody = ManagedProsody(tmp_path, hosts(port))
        prosody.start()
        await until_said(caplog, "starting it again")
        assert f"{port}" in caplog.text
        assert not prosody.ready.is_set()
    await until(prosody.ready)
    await prosody.close()


@external
@needs_prosody
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_it_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    code = f"""
import asyncio, pathlib
from tests.cli.test_prosody import ManagedProsody, hosts
async def main():
    prosody = ManagedProsody(pathlib.Path({str(tmp_path)!r}), hosts())
    prosody.start()
    await prosody.ready.wait()
    print(prosody.process.pid, prosody.hosts.clients, flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child, port = (int(word) for word in parent.stdout.readline().split())
    descriptor = os.pidfd_open(child)
    try:
        os.kill(child, signal.SIGSTOP)  # it would not hear SIGTERM
        parent.send_signal(signal.SIGKILL)
        parent.communicate()
        ended, _, _ = select.select([descriptor], [], [], SOON)
        assert ended == [descriptor], "Prosody is still there"
    finally:
        os.close(descriptor)
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


@external
@needs_prosody
@pytest.mark.slow
async def test_a_client_is_heard_at_a_pace_and_loses_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = hosts()
    prosody = ManagedProsody(tmp_path, names)
    prosody.start()
    await until(prosody.ready)
    reader, writer = await asyncio.open_connection("127.0.0.1", names.clients)
    streams = "xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'"
    header = f"<stream:stream to='{names.guests}' version='1.0' {streams}>".encode()
    writer.write(header)
    await reader.readuntil(b"</stream:features>")
    writer.write(b"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>")
    await reader.readuntil(b"<success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'/>")
    writer.write(header)
    await reader.readuntil(b"</stream:features>")
    writer.write(b"<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
    await reader.readuntil(b"</iq>")
    began = asyncio.get_running_loop().time()
    ask = f"<iq type='get' id='{'i' * 900}' to='{names.games}'><x xmlns='x'/></iq>"
    writer.write(ask.encode() * 300)
    for _ in range(300):  # our component is not there
        assert b"type='error'" in await asyncio.wait_for(reader.readuntil(b"</iq>"), SOON)
    assert asyncio.get_running_loop().time() - began > 2.0
    writer.close()
    await prosody.close()
    _, counted = [one for one in caplog.messages if "bouncing" in one]
    assert counted.endswith(" (and 298 more like it before)")


def stands_in(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    """A program in the place of Prosody, started again at once; each start adds a line here."""
    starts = folder / "starts"
    program = folder / "prosody"
    program.write_text(f"#!/bin/sh\necho started >> {starts}\n{script}\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    for wait in ("FIRST_WAIT", "LONGEST_WAIT"):
        monkeypatch.setattr(f"parlour.cli._prosody.{wait}", 0.001)
    return starts


async def test_what_keeps_it_from_starting_is_a_line_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    problem = "Failed to open server port 5222 on 127.0.0.1, address already in use"
    starts = stands_in(
        tmp_path, monkeypatch, rf"printf 'portmanager    error\t{problem}\n'; exec sleep 0.01"
    )
    prosody = ManagedProsody(tmp_path / "data", hosts())
    prosody.start()
    async with asyncio.timeout(SOON):
        while not starts.exists() or starts.read_text().count("started") < 20:
            await asyncio.sleep(0.01)
    assert caplog.messages == [
        f"portmanager: {problem}",
        f"Prosody says: {problem}; starting it again",
    ]
    await prosody.close()
    last = caplog.messages[2:]
    assert [re.sub("[0-9]+ more", "N more", one) for one in last] == [
        f"portmanager: {problem} (and N more like it before)"
    ]


async def test_what_strangers_make_it_say_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    opened = "".join(
        rf"portmanager   info\tActivated service '\''{name}'\'' on [::1]:1\n"
        for name in ("c2s", "component", "http")
    )
    later = r"c2s12   info\tActivated service '\''c2s'\'' on [\nportmanager   info\tActivated"
    later += rf" service '\''s2s'\'' on [::1]:2\nmod_c2s   warn\t{'z' * 60_000}\n"
    stands_in(tmp_path, monkeypatch, f"printf '{opened}{later}'; exec sleep 60")
    ready: list[int] = []
    prosody = ManagedProsody(tmp_path / "data", hosts(), lambda _: ready.append(1))
    prosody.start()
    await until_said(caplog, "mod_c2s: zzz")
    assert ready == [1]
    assert prosody.process is not None
    prosody.process.kill()
    await until_said(caplog, "Prosody says: zzz")
    assert max(map(len, caplog.messages)) < 600
    await prosody.close()


def test_without_prosody_and_without_debian_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoProsodyError, match=r"install prosody \(https://prosody.im/download\)"):
        asyncio.run(find_program(tmp_path))


async def test_what_cannot_be_had_is_one_line_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    caplog.set_level(logging.INFO)
    prosody = ManagedProsody(tmp_path, hosts())
    prosody.start()
    await until_said(caplog, "XMPP is not served: install prosody")
    await prosody.close()
    assert len(caplog.records) == 1


async def test_a_disk_that_fails_is_one_line_and_closing_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    lua = tmp_path / "lua5.4"
    lua.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    script = tmp_path / "prosody" / "root" / "usr" / "bin" / "prosody"
    script.parent.mkdir(parents=True)
    script.write_text("#!/usr/bin/env lua5.4\n", "utf-8")
    (script.parents[2] / "prosody.lua").mkdir()  # where a file is to be written
    prosody = ManagedProsody(tmp_path / "prosody", hosts())
    await asyncio.wait_for(prosody.start(), SOON)
    assert "XMPP is not served: [Errno 21] Is a directory" in caplog.text
    await prosody.close()


def test_package_tools_that_fail_leave_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("apt-get", "dpkg-deb"):
        (tools / name).write_text("#!/bin/sh\necho 'E: no such thing' >&2\nexit 100\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}")
    folder = tmp_path / "prosody of ours"
    with pytest.raises(NoProsodyError, match="apt-get: E: no such thing"):
        asyncio.run(find_program(folder))
    assert list(folder.iterdir()) == []


def test_a_folder_that_holds_no_prosody_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoProsodyError, match="holds no prosody"):
        unpacked(tmp_path)


def debian_without_prosody(folder: Path) -> Path:
    """A configuration of apt for which neither Prosody nor anything in Lua is installed."""
    status = Path("/var/lib/dpkg/status").read_text("utf-8")
    kept = [one for one in status.split("\n\n") if not re.match(r"Package: (prosody|lua)", one)]
    (folder / "status").write_text("\n\n".join(kept), "utf-8")
    path = folder / "apt.conf"
    path.write_text(f'Dir::State::status "{folder}/status";\n')
    return path


@external
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("apt-get") is None, reason="needs Debian's package tools")
async def test_on_debian_it_is_fetched_and_runs_without_being_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("APT_CONFIG", str(debian_without_prosody(tmp_path)))
    folder = tmp_path / "prosody of ours"
    await fetch(folder)
    program: Program = unpacked(folder / "root")
    assert all(str(folder) in word for word in program.command)
    assert sorted(path.name for path in folder.iterdir()) == ["root"]
    monkeypatch.setattr("parlour.cli._prosody_program.shutil.which", lambda _: None)
    prosody = ManagedProsody(folder, hosts())
    prosody.start()
    await until(prosody.ready)
    assert prosody.process is not None
    maps = Path(f"/proc/{prosody.process.pid}/maps").read_text()
    assert str(folder.joinpath("root", "usr", "lib", "prosody", "util", "encodings.so")) in maps
    await prosody.close()


def test_names_are_quoted_as_lua_reads_them(tmp_path: Path) -> None:
    text = configuration(tmp_path / 'a"b\\c\nd\u00e9', hosts())
    assert r'a\034b\092c\010d\195\169/data"' in text


async def test_no_port_is_free_that_a_door_has_taken_and_does_not_listen_at_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken, other = free_port(), free_port()
    loop = asyncio.get_running_loop()
    door = await loop.create_server(asyncio.Protocol, "127.0.0.1", taken, start_serving=False)
    chosen = iter((taken, taken, other))
    monkeypatch.setattr(random, "randrange", lambda *_: next(chosen))

    assert free_port() == other
    door.close()


@external
@needs_prosody
async def test_rooms_are_served_although_somebody_has_the_port_for_components(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with taken_port() as port:
        monkeypatch.setattr("parlour.cli._xmpp.free_port", lambda: port)
        names = XmppConfig(clients=free_port(), http=free_port())
        off = {name: {"listen": "off"} for name in PROTOCOLS}
        config = msgspec.convert({**off, "xmpp": msgspec.to_builtins(names)}, Config)
        async with running(config, tmp_path / "log.sqlite3") as service:
            assert service.xmpp is not None
            greeting = service.xmpp.greeting()
    assert greeting.endswith("rooms are at games.localhost")
