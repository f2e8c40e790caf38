"""Commands whose output cannot be written say so in one sentence, and a server serves."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.servers import COMMAND, SOON
from tests.cli.test_matches import WIN, played, record

FULL = Path("/dev/full")
OFF = [word for door in ("textbook", "ruc", "web") for word in (f"--{door}", "off")]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FULL.exists(), reason="there is no disk here that is always full"),
]


@pytest.mark.parametrize(
    ("words", "at_once"),
    [
        (("verify",), ""),
        (("verify",), "1"),
        (("matches",), ""),
        (("serve", "--print-config"), ""),
        (("-h",), ""),
    ],
)
def test_a_full_disk_is_told_in_one_sentence(
    tmp_path: Path, words: tuple[str, ...], at_once: str
) -> None:
    """Python writes at once, or at the end."""
    asyncio.run(record(tmp_path, {"match-one": played(*WIN)}))
    data = [] if words[0].startswith("-") else ["--data", str(tmp_path)]
    with FULL.open("w") as full:
        ran = subprocess.run(
            [*COMMAND, *words, *data],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SOON,
            env={**os.environ, "PYTHONUNBUFFERED": at_once},
        )
    assert ran.stderr == "parlour: cannot write: No space left on device\n"
    assert ran.returncode == 2


def test_a_server_serves_though_its_greeting_cannot_be_written(tmp_path: Path) -> None:
    words = ["serve", "--data", str(tmp_path), "--xmpp", "off", "--nedap", "127.0.0.1:0", *OFF]
    with FULL.open("w") as full:
        server = subprocess.Popen(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert server.stderr is not None
    lines = [server.stderr.readline() for _ in range(2)]
    server.send_signal(signal.SIGTERM)
    _, rest = server.communicate(timeout=SOON)

    assert "serving nedap" in lines[0]
    assert lines[1].endswith("cannot say where it serves: No space left on device\n")
    assert rest.endswith("INFO parlour: stopping\n")
    assert server.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_folder_whose_name_is_no_text_is_shown_all_the_same(tmp_path: Path) -> None:
    data = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(data)
    asyncio.run(record(Path(os.fsdecode(data)), {"match-one": played(*WIN)}))
    ran = subprocess.run([*COMMAND, "verify", "--data", data], capture_output=True, timeout=SOON)
    assert (ran.returncode, ran.stderr) == (0, b"")
