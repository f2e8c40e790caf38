"""Log lines, and who may read what is kept beside them."""

import json
import logging
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from parlour.cli._data import DataDirectory
from parlour.cli._log import WAITING_MOST, Unhurried, set_up_log
from tests.cli.servers import SOON
from tests.cli.unread import unread

FORGED = "alice\n2026-01-01 INFO parlour: all is well\r\x1b[2J\u2028\ud800"


@pytest.fixture(autouse=True)
def log_of_the_tests() -> Iterator[None]:
    """Afterwards logging is as it was."""
    root, slixmpp = logging.getLogger(), logging.getLogger("slixmpp")
    handlers, levels = root.handlers[:], (root.level, slixmpp.level)
    yield
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    slixmpp.setLevel(levels[1])


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_stranger_says_makes_no_line_of_its_own(
    capfd: pytest.CaptureFixture[str], form: Literal["text", "json"]
) -> None:
    with closing(set_up_log(form)):
        logging.getLogger("parlour.tcp").info("%s dropped", FORGED)
    (line,) = capfd.readouterr().err.splitlines()
    assert line.isprintable()
    if form == "json":
        assert json.loads(line)["message"] == f"{FORGED} dropped"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit there")
def test_a_line_is_written_when_no_file_is_left() -> None:
    """Nothing is loaded for it at that moment."""
    script = """
import logging, resource
from parlour.cli._log import set_up_log
set_up_log("text")
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
logging.getLogger("parlour.tcp").error("%s: no file is left", "al\\x1b\\u2028\\n")
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert ran.stderr.endswith("al\\x1b\\u2028\\x0a: no file is left\n")


def test_a_traceback_is_whole(capfd: pytest.CaptureFixture[str]) -> None:
    with closing(set_up_log("text")):
        try:
            raise ValueError("a mistake of ours")
        except ValueError:
            logging.getLogger("parlour").exception("it failed")
    lines = capfd.readouterr().err.splitlines()
    assert lines[1] == "Traceback (most recent call last):"
    assert lines[-1] == "ValueError: a mistake of ours"


def test_what_nobody_reads_in_time_is_counted_where_it_is_missing() -> None:
    """Nobody waits for the reader, and the lines that there are keep their order."""
    reading, writing = os.pipe()
    log = Unhurried(writing, "utf-8")
    said = 4 * WAITING_MOST
    for number in range(said):
        log.handle(logging.makeLogRecord({"msg": str(number)}))

    def end() -> None:
        log.close()
        os.close(writing)

    ending = threading.Thread(target=end)
    ending.start()
    with os.fdopen(reading) as pipe:
        lines = pipe.read().splitlines()
    ending.join()

    number = 0
    for line in lines:
        if line.endswith(" missing here: standard error did not take them"):
            number += int(line.split()[0])
        else:
            assert line == str(number)
            number += 1
    assert number == said
    assert WAITING_MOST < len(lines) < said


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("read", [True, False])
def test_a_crash_has_the_last_word(tmp_path: Path, form: str, read: bool) -> None:
    """Where nobody reads it, it keeps the process no longer than the log does."""
    script = f"""
import logging
from contextlib import closing
from parlour.cli._log import set_up_log
with closing(set_up_log({form!r})):
    logging.getLogger("parlour").info("it begins")
    raise RuntimeError("a mistake of ours")
"""
    words = [sys.executable, "-c", script]
    if read:
        ran = subprocess.run(words, stderr=subprocess.PIPE, text=True, timeout=SOON)
        lines = ran.stderr.splitlines()
        assert "it begins" in lines[0]
        assert lines[-1] == "RuntimeError: a mistake of ours"
    else:
        with unread(tmp_path / "pipe"), (tmp_path / "pipe").open("w") as full:
            ran = subprocess.run(words, stderr=full, text=True, timeout=SOON)
    assert ran.returncode == 1


def test_nobody_else_reads_a_new_data_directory(tmp_path: Path) -> None:
    with DataDirectory(tmp_path / "new" / "data") as data:
        assert stat.S_IMODE(data.path.stat().st_mode) == 0o700
