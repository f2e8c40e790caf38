"""The unit of systemd: understood by systemd, and as closed as it says."""

import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).resolve().parents[2] / "packaging/parlour.service"
EXPOSED_MOST = 15  # of 100: what systemd calls OK begins below 40

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze"),
]


def analyze(*words: str) -> str:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_systemd_finds_nothing_to_complain_of(tmp_path: Path) -> None:
    # It asks whether the program is there.
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace("/opt/parlour/bin/parlour", "/bin/true"))
    assert analyze("verify", str(unit)) == ""


def test_the_service_can_do_little_harm() -> None:
    analyze("security", "--offline=true", f"--threshold={EXPOSED_MOST}", str(UNIT))
