"""`parlour verify`: whether every stream of a log can still be read, with or without a server."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from parlour.cli._aggregates import aggregate_of
from parlour.cli._counting import counted
from parlour.cli._data import DATA, explained, log_path, open_log
from parlour.cli._errors import CommandError
from parlour.host import AnyAggregate
from parlour.stores import LogFile, Row
from parlour.wire import clean

SHOWN = 200  # characters of an event that may reach the terminal


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour verify`."""
    parser = commands.add_parser("verify", help="fold every stream anew and say what does not fold")
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="a backup, instead of the log in DIR"
    )
    parser.add_argument("--data", type=Path, default=Path(DATA), metavar="DIR")
    parser.set_defaults(run=verify)


@explained()
def verify(arguments: argparse.Namespace) -> int:
    """Print a line for each fault and one at the end; the status is 1 when there is a fault.

    Raises:
        CommandError: there is no log, or it cannot be read.
    """
    path: Path = arguments.file or log_path(arguments.data)
    if arguments.file is not None and not path.is_file():
        raise CommandError(f"there is no file {path}")
    broken = 0
    with open_log(path) as log:
        for fault in _faults(log):
            print(clean(fault, 2 * SHOWN))
            broken += 1
        streams, events = log.count()
    whole = counted(broken, "fault") if broken else "all of it folds"
    print(f"{path}: {counted(streams, 'stream')}, {counted(events, 'event')}, {whole}")
    return 1 if broken else 0


def _faults(log: LogFile) -> Iterator[str]:
    yield from (f"the file: {fault}" for fault in log.faults())
    for stream in log.streams():
        aggregate = aggregate_of(stream)
        if aggregate is None:
            yield f"{stream}: this version of Parlour knows no streams of that kind"
            continue
        fault = fault_of(aggregate, log.events(stream))
        if fault is not None:
            version, reason = fault
            yield f"{stream}, event {version}: {reason}"


def fault_of(aggregate: AnyAggregate, events: Sequence[Row]) -> tuple[int, str] | None:
    """The version at which a stream cannot be read on, and why; None for a sound one."""
    state: Any = None
    for expected, (_, version, data) in enumerate(events, 1):
        if version != expected:
            return expected, f"is missing: event {version} is the next one there"
        try:
            state = aggregate.evolve(state, aggregate.decode(data))
        except Exception as error:  # whatever stands there, as the host has it
            return version, f"{error or type(error).__name__}: {data[:SHOWN]!r}"
    return None
