"""`parlour backup`: the log as it is at this moment, in one file, with or without a server."""

import argparse
from pathlib import Path

from parlour.cli._counting import counted
from parlour.cli._data import DATA, explained, log_path, open_log
from parlour.cli._errors import CommandError


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour backup`."""
    parser = commands.add_parser("backup", help="copy the log to a file, also while a server runs")
    parser.add_argument("file", type=Path, metavar="FILE", help="a new file")
    parser.add_argument("--data", type=Path, default=Path(DATA), metavar="DIR")
    parser.set_defaults(run=backup)


@explained()
def backup(arguments: argparse.Namespace) -> int:
    """Write the copy and say what is in it.

    Raises:
        CommandError: there is no log, the file is there already, or it cannot be written.
    """
    to: Path = arguments.file
    _check(to)
    with open_log(log_path(arguments.data)) as log:
        try:
            copied = log.copy(to)
        except FileExistsError:
            raise CommandError(f"{to} is there already: take another name, or move it") from None
    what = f"{counted(copied.streams, 'stream')}, {counted(copied.events, 'event')}"
    print(f"{to}: {what}, {copied.size} bytes, read back")
    return 0


def _check(to: Path) -> None:
    """Whether that may be the name of a new file.

    Raises:
        CommandError: it may not.
    """
    try:
        str(to).encode()
        folder = to.is_dir()
    except UnicodeEncodeError:
        raise CommandError(f"{str(to)!r} is no text: take another name") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"cannot write {to}: {reason}") from None
    if folder:
        raise CommandError(f"{to} is a folder: say the name of a new file in it")
