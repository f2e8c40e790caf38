"""`parlour matches` and `parlour replay`: what is in the log, with or without a running server."""

import argparse
import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from parlour.cli._called import called
from parlour.cli._counting import counted
from parlour.cli._data import DATA, existing, explained, log_path
from parlour.cli._errors import CommandError
from parlour.cli._games import GAMES
from parlour.cli._results import result
from parlour.cli._times import shown
from parlour.host import Recorded, UnreadableError, find
from parlour.match import (
    Listing,
    Match,
    MatchAborted,
    MatchAggregate,
    MatchEnded,
    MatchStarted,
    MovePlayed,
    SeatForfeited,
)
from parlour.stores import SqliteStore
from parlour.wire import clean

T = TypeVar("T")
SHOWN = 200  # characters of a name or reason that may reach the terminal


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour matches` and `parlour replay`."""
    matches = commands.add_parser("matches", help="list the matches in the log")
    matches.set_defaults(run=list_matches)
    replay = commands.add_parser("replay", help="show a match move by move")
    replay.add_argument("id", metavar="ID", help=f"as `{called()} matches` lists it")
    replay.set_defaults(run=show)
    for parser in (matches, replay):
        parser.add_argument("--data", type=Path, default=Path(DATA), metavar="DIR")


def list_matches(arguments: argparse.Namespace) -> int:
    """Print a line for each match, the oldest first.

    Raises:
        CommandError: there is no log.
    """
    for stream, (listing, version) in run(_find(arguments.data)).items():
        print(_line(stream, listing, version))
    return 0


def show(arguments: argparse.Namespace) -> int:
    """Print the board after each move.

    Raises:
        CommandError: there is no log, or no such match in it.
    """
    records = run(read(arguments.data, arguments.id))
    for record in records:
        text = _told(record)
        if text:
            print(text)
    return 0


async def read(data: Path, stream: str) -> list[Recorded]:
    """Every event of a match, folded.

    Raises:
        CommandError: there is no such match.
        StoreError: the log cannot be read, or an event of the match.
    """
    store = _open(data)
    try:
        aggregate = MatchAggregate(GAMES)
        lines = await store.read(stream)
        if not lines:
            raise CommandError(f"no match {stream} in {data.absolute()}")
        if stream.partition("-")[0] != aggregate.kind:
            raise CommandError(f"{stream} is no match")
        records, state = [], None
        for version, line in enumerate(lines, 1):
            try:
                event = aggregate.decode(line)
                state = aggregate.evolve(state, event)
            except Exception as error:  # whatever stands there, as the host has it
                reason = clean(f"{error or type(error).__name__}: {line[:SHOWN]!r}", 2 * SHOWN)
                raise UnreadableError(
                    f"event {version} of {stream} cannot be read: {reason}"
                ) from error
            records.append(Recorded(stream, version, event, state))
        return records
    finally:
        await store.close()


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run work on the log.

    Raises:
        CommandError: the log cannot be read.
    """
    with explained():
        return asyncio.run(work)


async def _find(data: Path) -> dict[str, Any]:
    store = _open(data)
    try:
        return dict(await find(store, {"match": MatchAggregate(GAMES)}))
    finally:
        await store.close()


def _open(data: Path) -> SqliteStore:
    return SqliteStore(existing(log_path(data)))


def _line(stream: str, listing: Listing, version: int) -> str:
    at = shown(listing.created_at)
    names = " ".join(clean(sitter.name, SHOWN) for sitter in listing.sitters)
    room = f" in {listing.room!r}" if listing.room else ""
    events = counted(version, "event")
    line = f"{stream}  {at}  {listing.game}  {listing.status}  {events}  {names}{room}"
    ended = result(listing, SHOWN)
    return f"{line}  {ended}" if ended else line


def _told(record: Recorded) -> str:
    match: Match = record.state
    event = record.event
    if isinstance(event, MatchStarted):
        names = match.seat_names
        players = ", ".join(
            f"{names[seat]}: {clean(player.name, SHOWN)}" for seat, player in match.players()
        )
        return f"{record.stream}: {match.game.title}, {players}\n{_board(match)}"
    if isinstance(event, MovePlayed):
        ply = match.position.ply if match.position else 0
        return f"\n{ply}. {match.seat_names[event.seat]} {event.move}\n{_board(match)}"
    if isinstance(event, SeatForfeited):
        detail = f": {clean(event.detail, SHOWN)}" if event.detail else ""
        return f"\n{match.seat_names[event.seat]} is out ({event.cause}{detail})"
    if isinstance(event, MatchEnded):
        return f"\n{_result(match)}"
    if isinstance(event, MatchAborted):
        return f"\naborted: {clean(event.detail or event.cause, SHOWN)}"
    return ""


def _board(match: Match) -> str:
    return match.position.diagram() if match.position else ""


def _result(match: Match) -> str:
    outcome = match.outcome
    if outcome is None:
        return ""
    names = match.seat_names
    places = [", ".join(names[seat] for seat in group) for group in outcome.ranking]
    scores = f" ({' to '.join(map(str, outcome.scores))})" if outcome.scores else ""
    if len(places) == 1:
        return f"a draw{scores}"
    return f"result: {'; '.join(f'{place}. {who}' for place, who in enumerate(places, 1))}{scores}"
