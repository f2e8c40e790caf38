"""The secret that cookies are signed with, in a file of its own."""

import logging
import os
import secrets
import stat
from pathlib import Path

log = logging.getLogger("parlour.web")

LENGTH = 32  # bytes of a new one
SHORTEST = 16  # bytes; whoever guesses it is whoever they like


class WeakSecretError(Exception):
    """What the file holds protects nothing; the message says what to do."""


def load_secret(path: Path) -> bytes:
    """What cookies are signed with; made at the first start and kept for its owner only.

    Raises:
        OSError: the file can be neither read nor written.
        WeakSecretError: it holds too little.
    """
    try:
        secret = path.read_bytes()
    except FileNotFoundError:
        return _new_secret(path)
    if len(secret) < SHORTEST:
        raise WeakSecretError(
            f"{path} holds {len(secret)} bytes, too few for a secret: remove it and a new one is"
            " made (guests then get new names)"
        )
    _keep_private(path)
    return secret


def _new_secret(path: Path) -> bytes:
    secret = secrets.token_bytes(LENGTH)
    new = path.with_name(f"{path.name}.new")
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)
    return secret


def _keep_private(path: Path) -> None:
    """Let nobody else read one that was copied here, or made by an older version."""
    if os.name != "posix" or not stat.S_IMODE(path.stat().st_mode) & 0o077:
        return
    try:
        path.chmod(0o600)
    except OSError as error:
        log.warning("others can read %s, and so be any guest: %s", path, error.strerror)
    else:
        log.warning("others could read %s, and so be any guest: now only its owner can", path)
