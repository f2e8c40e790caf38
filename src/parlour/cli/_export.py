"""`parlour export`: one match as a record for other programs."""

import argparse
import sys
from pathlib import Path

from parlour.cli._called import called
from parlour.cli._data import DATA
from parlour.cli._errors import CommandError
from parlour.cli._matches import read, run
from parlour.games.go import Go
from parlour.records import History, SgfError, json_record, sgf


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour export`."""
    parser = commands.add_parser("export", help="write a match as SGF or JSON")
    parser.add_argument("id", metavar="ID", help=f"as `{called()} matches` lists it")
    parser.add_argument(
        "--format", choices=("sgf", "json"), help="sgf for Go and json for the rest if not said"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="instead of standard output")
    parser.add_argument("--data", type=Path, default=Path(DATA), metavar="DIR")
    parser.set_defaults(run=export)


def export(arguments: argparse.Namespace) -> int:
    """Write the record.

    Raises:
        CommandError: there is no such match, SGF cannot hold it, or the file cannot be written.
    """
    records = run(read(arguments.data, arguments.id))
    data = _written(
        arguments.id, [(record.event, record.state) for record in records], arguments.format
    )
    if arguments.output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return 0
    try:
        arguments.output.write_bytes(data)
    except OSError as error:
        raise CommandError(f"cannot write {arguments.output}: {error.strerror}") from None
    return 0


def _written(stream: str, history: History, form: str | None) -> bytes:
    if form is None:
        form = "sgf" if history[-1][1].game.name == Go.name else "json"
    if form == "json":
        return json_record(stream, history)
    try:
        return sgf(history).encode()
    except SgfError as error:
        raise CommandError(f"{error}; --format json writes every match") from None
