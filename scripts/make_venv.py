#!/usr/bin/env python3
"""Make or renew a virtual environment: `make_venv.py VENV LOCK`.

Of two that start at once the second waits, then finds the work done. One that was interrupted
leaves a mark, and the next one starts from nothing. Nothing outside VENV is written.
"""

import errno
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import venv

FOREIGN = (errno.EACCES, errno.EPERM, errno.EROFS)
ROOT = pathlib.Path(__file__).resolve().parent.parent


def stamp_of(python: pathlib.Path, lock: pathlib.Path) -> str:
    """What the environment is made of, as scripts/set-up.sh reckons it."""
    version = subprocess.run([python, "-V"], capture_output=True, text=True).stdout
    return f"{lock.read_text()}{(ROOT / 'pyproject.toml').read_text()}{version}{ROOT}\n"


def is_usable(place: pathlib.Path) -> bool:
    """Whether the environment can be renewed in place: whole, not moved, and with a working pip."""
    stamp = place / "parlour-stamp"
    if (place / "unfinished").exists():
        return False
    if stamp.exists() and stamp.read_text().splitlines()[-1:] != [str(ROOT)]:
        return False
    try:
        pip = subprocess.run([place / "bin/python", "-m", "pip", "-V"], capture_output=True)
    except OSError:
        return False
    return pip.returncode == 0


def install(place: pathlib.Path, lock: pathlib.Path) -> None:
    """Install the pins, then the project itself with the pinned build backend.

    Raises: subprocess.CalledProcessError
    """
    pip = [str(place / "bin/python"), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    command = [*pip, "install", "--quiet", "--quiet", "--no-cache-dir"]
    # Wheels only: building a source archive would fetch tools that no lock names.
    pinned = ["--require-hashes", "--only-binary", ":all:", "-r", str(lock)]
    subprocess.run([*command, *pinned], check=True)
    project = ["--no-build-isolation", "--no-deps", "--editable", str(ROOT)]
    subprocess.run([*command, *project], check=True)


def make(place: pathlib.Path, lock: pathlib.Path) -> None:
    """Bring `place` to what `lock` says, unless it is there already.

    Raises: subprocess.CalledProcessError
    """
    python = place / "bin/python"
    stamp = place / "parlour-stamp"
    if python.exists() and stamp.exists() and stamp.read_text() == stamp_of(python, lock):
        return
    print(f"parlour: setting up {place.name} ...", file=sys.stderr, flush=True)
    usable = is_usable(place)
    if not usable:
        shutil.rmtree(place, ignore_errors=True)
    scratch = place / "tmp"
    scratch.mkdir(parents=True, exist_ok=True)
    # pip asks rustc for its version, and rustup answers by writing to the home folder.
    os.environ.update(TMPDIR=str(scratch), RUSTUP_HOME=str(scratch))
    (place / "unfinished").touch()
    stamp.unlink(missing_ok=True)
    if not usable:
        venv.create(place, with_pip=True, symlinks=True)
    install(place, lock)
    shutil.rmtree(scratch)
    stamp.write_text(stamp_of(python, lock))
    (place / "unfinished").unlink()


def main() -> None:
    """Hold the lock file while working: the system lets go of it however this process ends.

    The exit status is 2 where one sentence has said all there is to say.
    """
    place, lock = (pathlib.Path(argument) for argument in sys.argv[1:])
    with lock.open() as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(
                f"parlour: {place.name} is being set up, waiting ...", file=sys.stderr, flush=True
            )
            fcntl.flock(held, fcntl.LOCK_EX)
        try:
            make(place, lock)
        except subprocess.CalledProcessError:  # which has said why
            sys.exit(1)
        except OSError as error:
            advice = "; use a checkout of your own" if error.errno in FOREIGN else ""
            reason = error.strerror or error
            print(f"parlour: cannot write {place}: {reason}{advice}", file=sys.stderr)
            sys.exit(2)


if __name__ == "__main__":
    main()
