"""`scripts/fuzz.py` says what it leaves out; docs/reference/fuzzing.md tells what it has found."""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/fuzz.py"


def test_a_target_that_is_not_there_is_said_with_those_that_are() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "chess"], capture_output=True, text=True)

    assert done.returncode == 2
    assert "no target chess, only" in done.stderr
    assert "nedap-session" in done.stderr


def test_without_atheris_it_says_so_and_passes(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    bare = tmp_path / "bare/bin/python"
    done = subprocess.run([bare, SCRIPT, "--seconds", "1", "ruc"], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("fuzz: left out")
