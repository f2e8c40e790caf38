"""Finds a Prosody to run; on Debian and its children it can fetch one for itself alone.

Nothing is installed: `apt install` would start a server for the whole system.
"""

import asyncio
import logging
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

log = logging.getLogger("parlour.prosody")

PATIENCE = 120.0  # seconds for one command of the package tools; a slow line takes a while


class NoProsodyError(Exception):
    """There is none and none can be had; the message says how to get one."""


class Program(Struct, frozen=True):
    """A command, and what it needs in its environment."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = {}


async def find_program(folder: Path) -> Program:
    """The installed Prosody, or one that is unpacked under `folder`, fetched if need be.

    Raises:
        NoProsodyError: there is none.
    """
    installed = shutil.which("prosody")
    if installed is not None:
        return Program((installed,))
    root = folder / "root"
    if not root.exists():
        if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
            raise NoProsodyError("install prosody (https://prosody.im/download), or --xmpp off")
        log.info("no prosody is installed: fetching its packages, for use in %s only", folder)
        await fetch(folder)
    return unpacked(root)


def unpacked(root: Path) -> Program:
    """How to run the Prosody whose Debian packages were unpacked in `root`.

    Raises:
        NoProsodyError: there is none in it.
    """
    try:
        text = (root / "usr/bin/prosody").read_text("utf-8")
    except OSError:
        text = ""
    lua = re.match(r"#!/usr/bin/env (lua([0-9.]+))\n", text)
    if lua is None:
        raise NoProsodyError(f"{root} holds no prosody: remove it, or install prosody")
    ours = root / "usr/bin" / lua[1]
    interpreter = str(ours) if ours.exists() else shutil.which(lua[1])
    if interpreter is None:
        raise NoProsodyError(f"prosody needs {lua[1]}: install it, or install prosody")
    # Debian's script says where it is installed, whatever the environment says.
    sources = root / "usr/lib/prosody"
    for name, path in (("CFG_SOURCEDIR", sources), ("CFG_PLUGINDIR", sources / "modules")):
        said = f"{name} = {lua_string(str(path))}".replace("\\", "\\\\")
        text = re.sub(rf"^{name} *=.*", said, text, flags=re.MULTILINE)
    script = root / "prosody.lua"
    script.write_text(text, "utf-8")
    libraries = [str(path) for path in (root / "usr/lib").glob("*-linux-gnu*")]
    scripts = root / "usr/share/lua" / lua[2]
    environment = {
        "LUA_PATH": f"{scripts}/?.lua;{scripts}/?/init.lua;;",
        "LUA_CPATH": "".join(f"{path}/lua/{lua[2]}/?.so;" for path in libraries) + ";",
        "LD_LIBRARY_PATH": ":".join(libraries),
    }
    return Program((interpreter, str(script)), environment)


def lua_string(text: str) -> str:
    """A string as Lua reads it."""
    escaped = re.sub(rb"[^ !#-\[\]-~]", lambda one: rb"\%03d" % one[0][0], text.encode())
    return f'"{escaped.decode()}"'


async def fetch(folder: Path) -> None:
    """Download Prosody and what it lacks here, and unpack that in `folder`/root.

    Raises:
        NoProsodyError: it cannot be had; `folder` is left as if nothing had been tried.
    """
    work = folder / "fetching"
    shutil.rmtree(work, ignore_errors=True)
    try:
        (work / "lists/partial").mkdir(parents=True)
        (work / "cache/archives/partial").mkdir(parents=True)
        await _download(work)
        for package in sorted(work.glob("*.deb")):
            await _run(["dpkg-deb", "--extract", str(package), str(work / "root")], work)
        (work / "root").replace(folder / "root")
    except OSError as error:
        raise NoProsodyError(f"cannot fetch prosody: {error}; install it yourself") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


async def _download(work: Path) -> None:
    """Bring the packages that an installation of prosody would bring."""
    own = ["-o", f"Dir::State::Lists={work}/lists", "-o", f"Dir::Cache={work}/cache"]
    options: Sequence[str] = ()
    try:
        packages = await _wanted(work, options)
    except NoProsodyError:  # the system's lists are empty or old: read new ones, into our folder
        options = own
        await _run(["apt-get", "update", "-q", "-q", *options], work)
        packages = await _wanted(work, options)
    if not packages:
        raise NoProsodyError("prosody is installed, but not on the PATH")
    await _run(["apt-get", "download", "-q", "-q", *options, *packages], work)


async def _wanted(work: Path, options: Sequence[str]) -> list[str]:
    """What an installation would bring, by a trial that changes nothing."""
    trial = ["apt-get", "install", "--simulate", "--no-install-recommends", *options, "prosody"]
    return re.findall(r"^Inst (\S+)", await _run(trial, work), re.MULTILINE)


async def _run(command: Sequence[str], work: Path) -> str:
    """What a command printed.

    Raises:
        NoProsodyError: it failed or took too long.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=work,
        env=os.environ | {"LC_ALL": "C"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            out, said = await process.communicate()
    except TimeoutError:
        said = b"took too long"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        last = (said.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]
        raise NoProsodyError(
            f"cannot fetch prosody ({command[0]}: {last}); install it yourself, or --xmpp off"
        )
    return out.decode(errors="replace")
