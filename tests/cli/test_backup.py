"""`parlour backup`: a whole file or none, from a log that is being written, and back again."""

import asyncio
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from parlour.cli import main
from tests.cli.servers import COMMAND, Server, parlour
from tests.cli.test_matches import WIN, played, record
from tests.durability.log import lines
from tests.gateways.textbook.peers import visiting


def log_of(folder: Path, backup: Path) -> Path:
    """A data directory with nothing but a backup for its log."""
    folder.mkdir()
    shutil.copy(backup, folder / "log.sqlite3")
    return folder


def test_a_backup_holds_what_the_log_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN), "match-two": played("0,0")}))
    file = tmp_path / "monday.sqlite3"

    assert main(["backup", str(file), "--data", str(tmp_path)]) == 0

    events = len(lines(tmp_path))
    assert capsys.readouterr().out == (
        f"{file}: 2 streams, {events} events, {file.stat().st_size} bytes, read back\n"
    )
    assert lines(log_of(tmp_path / "restored", file)) == lines(tmp_path)
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no modes there")
def test_only_its_owner_reads_a_backup_and_the_log(tmp_path: Path) -> None:
    """Also in a data directory that was there already, which anybody may enter."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    file = tmp_path / "monday.sqlite3"
    mask = os.umask(0o022)
    try:
        asyncio.run(record(data, {"match-one": played(*WIN)}))
        assert main(["backup", str(file), "--data", str(data)]) == 0
    finally:
        os.umask(mask)

    for private in (file, data / "log.sqlite3"):
        assert stat.S_IMODE(private.stat().st_mode) == 0o600, private


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    file = tmp_path / "monday.sqlite3"
    file.write_bytes(b"precious")

    assert main(["backup", str(file), "--data", str(tmp_path)]) == 2

    assert file.read_bytes() == b"precious"
    sentence = f"parlour: {file} is there already: take another name, or move it\n"
    assert capsys.readouterr() == ("", sentence)


def test_a_folder_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    assert main(["backup", str(tmp_path), "--data", str(tmp_path)]) == 2
    said = f"parlour: {tmp_path} is a folder: say the name of a new file in it\n"
    assert capsys.readouterr() == ("", said)


def test_no_log_and_no_folder_are_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", str(tmp_path / "new"), "--data", str(tmp_path)]) == 2
    assert f"there is no log in {tmp_path}; --data says where it is" in capsys.readouterr().err

    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    away = tmp_path / "nowhere" / "new"
    assert main(["backup", str(away), "--data", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"parlour: cannot copy {tmp_path / 'log.sqlite3'} to {away}: ")
    assert not away.parent.exists()


def test_a_damaged_log_makes_no_backup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    with closing(sqlite3.connect(tmp_path / "log.sqlite3")) as db:
        db.execute("DELETE FROM events WHERE version = 3")
        db.commit()
    file = tmp_path / "monday.sqlite3"

    assert main(["backup", str(file), "--data", str(tmp_path)]) == 2

    assert "the copy is not sound: match-one has " in capsys.readouterr().err
    assert not file.exists()
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL there")
def test_a_backup_that_is_killed_leaves_no_file_of_that_name(tmp_path: Path) -> None:
    table = played(*WIN)
    asyncio.run(record(tmp_path, {f"match-{number}": table for number in range(20_000)}))
    file = tmp_path / "monday.sqlite3"
    command = [*COMMAND, "backup", str(file), "--data", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)

    while not any(one.stat().st_size for one in tmp_path.glob("*.partial")):
        assert process.poll() is None
    process.kill()
    process.communicate()

    assert not file.exists()
    assert parlour(*command[3:]).returncode == 0


@pytest.mark.slow
async def test_a_backup_of_a_running_server_is_restored(tmp_path: Path) -> None:
    """Players play on while it is made; what they have played by then is in it, and goes on."""
    data, file = tmp_path / "data", tmp_path / "monday.sqlite3"
    with Server(data, doors=("textbook",)) as server:
        async with visiting(server.ports["textbook"]) as door:
            first, second = await door.pair()
            first.mark(0, 0)
            await second.ints(3)
            before = lines(data)

            done = await asyncio.to_thread(parlour, "backup", str(file), "--data", str(data))

            assert done.returncode == 0, done.stderr
            second.mark(1, 1)
            await first.ints(3)
        server.stop()

    restored = log_of(tmp_path / "restored", file)
    assert lines(restored) == before
    with Server(restored, doors=("textbook",)) as server:
        listed = parlour("matches", "--data", str(restored)).stdout.splitlines()
        assert len(listed) == 1
        server.stop()
    checked = parlour("verify", "--data", str(restored))
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_longest_name_that_a_file_can_have_will_do(tmp_path: Path) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    file = tmp_path / ("n" * 255)
    assert main(["backup", str(file), "--data", str(tmp_path)]) == 0
    assert file.is_file()


@pytest.mark.parametrize("name", ["n" * 256, "no \udcff text"])
def test_a_name_that_no_file_can_have_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    assert main(["backup", str(tmp_path / name), "--data", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("parlour: ")
