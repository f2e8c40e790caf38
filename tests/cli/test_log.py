"""Log lines, and who may read what is kept beside them."""

import json
import logging
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from parlour.cli._data import DataDirectory
from parlour.cli._log import set_up_log

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
    capsys: pytest.CaptureFixture[str], form: Literal["text", "json"]
) -> None:
    set_up_log(form)
    logging.getLogger("parlour.tcp").info("%s dropped", FORGED)
    (line,) = capsys.readouterr().err.splitlines()
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


def test_a_traceback_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_log("text")
    try:
        raise ValueError("a mistake of ours")
    except ValueError:
        logging.getLogger("parlour").exception("it failed")
    lines = capsys.readouterr().err.splitlines()
    assert lines[1] == "Traceback (most recent call last):"
    assert lines[-1] == "ValueError: a mistake of ours"


def test_nobody_else_reads_a_new_data_directory(tmp_path: Path) -> None:
    with DataDirectory(tmp_path / "new" / "data") as data:
        assert stat.S_IMODE(data.path.stat().st_mode) == 0o700
