"""The data directory: who may write to it, and where the log is."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from parlour.cli._called import called
from parlour.cli._errors import CommandError
from parlour.host import StoreError
from parlour.stores import LogFile

try:
    import fcntl
except ImportError:  # Windows: the log's versions still keep two servers from overwriting
    fcntl = None  # type: ignore[assignment]  # a module that is missing there

DATA = "parlour-data"  # where the log is kept when nobody says where


class InUseError(CommandError):
    """A server, or a command that changes the log, has the data directory."""


class DataDirectory:
    """Keeps a second server off the same directory while the first one runs.

    Raises:
        CommandError: the directory cannot be made or is in use.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.is_file():
            raise CommandError(f"cannot use {path} for data: it is a file, not a directory")
        try:
            # Addresses, names and the secret of the cookies are nobody else's.
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CommandError(f"cannot use {path} for data: {error.strerror}") from None
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(self._lock)
                raise InUseError(
                    f"another server, or `{called()} erase` or `prune`, is using {path};"
                    " --data DIR uses another"
                ) from None

    @property
    def log(self) -> Path:
        """The file of the log."""
        return log_path(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        os.close(self._lock)


def log_path(data: Path) -> Path:
    """Where the log of a data directory is."""
    return data / "log.sqlite3"


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """What a log could not do is said to whoever typed the command.

    Raises:
        CommandError: in the place of a StoreError.
    """
    try:
        yield
    except StoreError as error:
        raise CommandError(str(error)) from None


def existing(path: Path) -> Path:
    """The file of a log, if it is there.

    Raises:
        CommandError: it is not.
    """
    if not path.exists():
        raise CommandError(f"there is no log in {path.absolute().parent}; --data says where it is")
    return path


@explained()
def open_log(path: Path) -> LogFile:
    """The file of a log, to be read.

    Raises:
        CommandError: there is none, or it cannot be read.
    """
    return LogFile(existing(path))
