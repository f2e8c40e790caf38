"""The page on services, and its unit: understood by systemd, and as closed as it says."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.terminals import Terminal

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/how-to/run-as-a-service.md").read_text("utf-8")
UNIT = ROOT / "packaging/parlour.service"
WITHIN = 240.0  # seconds for a command of the page
EXPOSED_MOST = 15  # of 100: what systemd calls OK begins below 40

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze"
)
pytestmark = pytest.mark.external


def analyze(*words: str) -> str:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@needs_systemd
def test_systemd_finds_nothing_to_complain_of(tmp_path: Path) -> None:
    # It asks whether the program is there.
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/parlour/bin/parlour", "/bin/true"))
    assert analyze("verify", str(unit)) == ""


@needs_systemd
def test_the_service_can_do_little_harm() -> None:
    analyze("security", "--offline=true", f"--threshold={EXPOSED_MOST}", str(UNIT))


def moved(text: str, root: Path) -> str:
    """The same with every absolute path below `root`."""
    return re.sub(r"(?<=[ >=])/(?=(?:opt|etc|var)\b)", f"{root}/", f" {text}")[1:]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_page_installs_what_the_unit_starts(tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tmp_path / "source")], check=True)
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    for command in "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines():
        if "systemctl" in command or "matches" in command:
            continue
        clean = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
        done = subprocess.run(
            moved(command, tmp_path),
            shell=True,
            cwd=tmp_path / "source",
            env=clean,
            capture_output=True,
            timeout=WITHIN,
        )
        assert done.returncode == 0, f"{command}: {done.stderr.decode()}"
    settings = tmp_path / "etc/parlour.toml"
    settings.write_text(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:0", settings.read_text()))
    unit = (tmp_path / "etc/systemd/system/parlour.service").read_text("utf-8")
    (start,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    with Terminal(*shlex.split(moved(start, tmp_path)), "--xmpp", "off") as server:
        server.reads_until("web ")
    assert (tmp_path / "var/lib/parlour/log.sqlite3").exists()
