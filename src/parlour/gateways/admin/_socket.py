"""The local socket: where it is, and who is at its other end."""

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

NAME = "admin.sock"
PATH_MOST = 100  # bytes; the kernels take 104 to 108 with the NUL
CREDENTIALS = struct.Struct("3i")  # pid, uid, gid


class NoSocketError(Exception):
    """There can be no local socket here; the message says why."""


def supported() -> bool:
    """Whether this system has Unix sockets, and Python speaks them."""
    return hasattr(socket, "AF_UNIX") and sys.platform != "win32"


@contextlib.contextmanager
def short(path: Path) -> Iterator[str]:
    """A name of the path that a socket's address has room for, as long as the block lasts.

    Raises:
        NoSocketError: this system knows none.
    """
    if len(os.fsencode(path)) <= PATH_MOST:
        yield str(path)
        return
    if not Path("/proc/self/fd").is_dir():
        raise NoSocketError(f"{path} is too long for a local socket: use a shorter --data")
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def listening(path: Path) -> socket.socket:
    """A socket that only its owner can reach, in the place of one that a dead server has left.

    Raises:
        NoSocketError: there can be none.
    """
    if not supported():
        raise NoSocketError("this system has no Unix sockets: `parlour admin` cannot be served")
    bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        mask = os.umask(0o177)  # 0600 from its first moment on
        try:
            with short(path) as name:
                bound.bind(name)
        finally:
            os.umask(mask)
    except OSError as error:
        bound.close()
        raise NoSocketError(f"no local socket at {path}: {error.strerror}") from None
    except NoSocketError:
        bound.close()
        raise
    return bound


def peer_of(fileno: int) -> tuple[int, str]:
    """The number and the name of the user at the other end; -1 and nothing where nobody knows."""
    if not hasattr(socket, "SO_PEERCRED"):
        return -1, ""
    peer = socket.socket(fileno=fileno)  # not over another file: there may be none left
    try:
        data = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    finally:
        peer.detach()
    return user(CREDENTIALS.unpack(data)[1])


def user(uid: int) -> tuple[int, str]:
    """A user's number and name."""
    try:
        import pwd

        return uid, pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):  # Windows, or a number without a name
        return uid, ""
