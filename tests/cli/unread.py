"""A pipe that is full, and that nobody reads."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def unread(path: Path) -> Iterator[None]:
    """Whoever writes to `path` waits until the block ends."""
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writing = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    try:
        for size in (4096, 1):
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.write(writing, bytes(size))
        yield
    finally:
        os.close(reading)
        os.close(writing)
