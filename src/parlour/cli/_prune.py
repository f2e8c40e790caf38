"""`parlour prune`: take what finished long ago out of the log."""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from parlour.cli._admin import ask
from parlour.cli._aggregates import aggregate_of
from parlour.cli._counting import counted
from parlour.cli._data import DATA, DataDirectory, InUseError, explained, log_path, open_log
from parlour.cli._errors import CommandError
from parlour.cli._recording import here_and_now, recorded
from parlour.cli._times import shown, typed
from parlour.gateways.admin import Pruned
from parlour.host import AnyAggregate, StoreError, nothing
from parlour.stores import LogFile, Upkeep

TOLD_TOGETHER = 50_000  # streams of which a server is told at once
PLURALS = {"match": "matches", "room": "rooms"}


class Finished(NamedTuple):
    """A stream that can go."""

    stream: str
    events: int
    size: int  # bytes of its events


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour prune`."""
    parser = commands.add_parser("prune", help="remove what finished before a date from the log")
    parser.add_argument(
        "--finished-before", required=True, metavar="DATE", help="2026-01-31, or 2026-01-31T12:00"
    )
    parser.add_argument("--yes", action="store_true", help="remove it; otherwise it is counted")
    parser.add_argument("--data", type=Path, default=Path(DATA), metavar="DIR")
    parser.set_defaults(run=prune)


@explained()
def prune(arguments: argparse.Namespace) -> int:
    """Say what has finished by then and, with `--yes`, remove it.

    Raises:
        CommandError: the date is none, there is no log, or its server does not answer.
    """
    before = typed("--finished-before", arguments.finished_before)
    path = log_path(arguments.data)
    with open_log(path) as log:
        finished = list(_finished(log, before))
    print(f"finished before {shown(before)}: {_counted(finished)}")
    if not arguments.yes:
        print("nothing is removed; with --yes it is")
        return 0
    streams = [one.stream for one in finished]
    try:
        _prune_alone(arguments.data, streams, before)
    except InUseError:
        try:
            _prune_beside(arguments.data, streams, before)
        except CommandError as error:
            raise CommandError(
                f"{error}; the server that has this log must be told: try again, or stop it"
            ) from None
    return 0


def _prune_alone(data: Path, streams: list[str], before: int) -> None:
    """Without a server the file is written anew, and becomes smaller."""
    with DataDirectory(data) as directory:
        path = directory.log
        act = Pruned(*here_and_now(), before=before, streams=len(streams))
        with Upkeep(path) as upkeep:
            upkeep.replace((), nothing, recorded(act))
            size = path.stat().st_size
            upkeep.remove(streams)
            upkeep.compact()
    print(f"removed; the log has {path.stat().st_size} bytes and had {size}")


def _prune_beside(data: Path, streams: list[str], before: int) -> None:
    """A server records it and forgets the streams first; it goes on writing in between."""
    with Upkeep(log_path(data)) as upkeep:
        free = upkeep.free()
        for first in range(0, len(streams), TOLD_TOGETHER) or (0,):
            some = streams[first : first + TOLD_TOGETHER]
            answer = ask(data, {"do": "pruned", "before": before, "streams": some})
            if not answer["ok"]:
                raise CommandError(answer["detail"])
            upkeep.remove(some, beside=True)
        print(
            f"removed; {upkeep.free() - free} bytes of the log are free for new events"
            " (only without a server does the file become smaller)"
        )


def _counted(finished: list[Finished]) -> str:
    kinds = Counter(one.stream.partition("-")[0] for one in finished)
    streams = " and ".join(counted(kinds[kind], kind, many) for kind, many in PLURALS.items())
    events, size = sum(one.events for one in finished), sum(one.size for one in finished)
    return f"{streams}, {counted(events, 'event')} of {size} bytes"


def _finished(log: LogFile, before: int) -> Iterator[Finished]:
    """Streams whose last event is older than `before` and after which nothing can happen.

    What cannot be read is kept, and so is the match that an open room is about.
    """
    kept = set[str]()
    found = []
    for stream in log.streams():
        aggregate = aggregate_of(stream)
        if aggregate is None:
            continue
        try:
            if (one := _ended(log, aggregate, stream, before)) is not None:
                found.append(one)
            elif aggregate.kind == "room":
                kept.add(_state(log, aggregate, stream).match)
        except StoreError:
            raise
        except Exception:  # what stands there means nothing to us: `verify` says what
            continue
    yield from (one for one in found if one.stream not in kept)


def _ended(log: LogFile, aggregate: AnyAggregate, stream: str, before: int) -> Finished | None:
    newest = log.newest(stream)
    if newest is None or aggregate.decode(newest.data).at >= before:
        return None
    rows = log.events(stream)
    listing = None
    for row in rows:
        if aggregate.listed(row.data):
            listing = aggregate.project(listing, aggregate.decode(row.data))
    if listing is None or not listing.finished:
        return None
    return Finished(stream, len(rows), sum(len(row.data) for row in rows))


def _state(log: LogFile, aggregate: AnyAggregate, stream: str) -> Any:
    state = None
    for row in log.events(stream):
        state = aggregate.evolve(state, aggregate.decode(row.data))
    return state
