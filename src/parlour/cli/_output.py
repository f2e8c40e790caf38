"""Standard output that cannot be written: its disk is full, or its reader has had enough."""

import errno
import os
import select
import sys

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  # what a disk says to a write


def prepare() -> None:
    """Names of files may hold what is no text: show it, and do not fail."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


def flush() -> None:
    """Write what has gathered.

    Raises:
        OSError: it cannot be written.
    """
    if sys.stdout is not None:  # it is none when a program closes it before it starts us
        sys.stdout.flush()


def forget(descriptor: int | None = None) -> None:
    """Write what has gathered, and what comes, nowhere: Python would try again at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno() if descriptor is None else descriptor)
    os.close(nowhere)


def write(descriptor: int, data: bytes) -> None:
    """Write all of it past Python's buffers: who waits here keeps nobody who ends from flushing.

    Raises:
        OSError: it cannot be written.
    """
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:  # another process that has it too has made it so
            select.select([], [descriptor], [])
