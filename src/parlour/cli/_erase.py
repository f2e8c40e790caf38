"""`parlour erase`: take a person's names out of the log; what was played stays."""

import argparse
import secrets
import string
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec

from parlour.cli._aggregates import aggregate_of
from parlour.cli._called import called
from parlour.cli._counting import counted
from parlour.cli._data import DATA, DataDirectory, InUseError, explained, log_path, open_log
from parlour.cli._errors import CommandError
from parlour.cli._personal import (
    ROOM_NAMES,
    Erased,
    kind_of,
    name_in,
    native_name,
    person_in,
    rewritten,
    wanted,
)
from parlour.cli._recording import here_and_now, recorded
from parlour.cli._verify import fault_of
from parlour.gateways.admin import STREAM, NamesErased
from parlour.host import AnyAggregate, StoreError
from parlour.match import MOVE_PREFIX
from parlour.stores import LogFile, Row, Upkeep
from parlour.wire import clean
from parlour.wire.mug import unescape_node

TOKEN = 6  # letters after "erased": every protocol can show them
SHOWN = 200

Event = dict[str, Any]
Change = tuple[int, bytes]  # the position of an event, and what is to stand there


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The options of `parlour erase`."""
    parser = commands.add_parser("erase", help="delete a person's names from the log")
    parser.add_argument(
        "who", metavar="WHO", help="a name, a JID, or an identity such as nedap:alice"
    )
    parser.add_argument("--yes", action="store_true", help="delete; otherwise it is said who")
    parser.add_argument("--data", type=Path, default=Path(DATA), metavar="DIR")
    parser.set_defaults(run=erase)


@explained()
def erase(arguments: argparse.Namespace) -> int:
    """Say whom it is about and, with `--yes`, write something else in the place of the names.

    Raises:
        CommandError: there is no such person, there is no log, or a server is using it.
    """
    if not arguments.who:
        raise CommandError("WHO is empty: say a name, a JID, or an identity such as nedap:alice")
    path = log_path(arguments.data)
    open_log(path).close()  # without a log there is to be no directory for the lock either
    try:
        with DataDirectory(arguments.data) if arguments.yes else nullcontext():
            census = _census(path, arguments.who)
            changes = _planned(path, census)
            events = counted(sum(map(len, changes.values())), "event")
            what = f"{events} in {counted(len(changes), 'stream')}"
            if not arguments.yes:
                print(f"nothing is deleted; with --yes {what} would be changed")
                return 0
            with Upkeep(path) as upkeep:
                _erase(path, upkeep, census, changes)
        for one in census.people.values():
            print(f"it says {one.token} there now")
        print(f"changed: {what}; the file is written anew")
    except InUseError:
        raise CommandError(
            f"a server is using {arguments.data} and has the names in its memory: stop it first"
        ) from None
    return 0


def _census(path: Path, who: str) -> "Census":
    """Whom it is about, said to whoever asks.

    Raises:
        CommandError: it is about nobody.
    """
    with open_log(path) as log:
        census = Census(log, wanted(who))
    if not census.people:
        raise CommandError(
            f"nobody in the log is called {who!r}: say the name as it was written,"
            " a JID, or an identity such as nedap:alice"
        )
    for one in census.people.values():
        names = ", ".join(clean(name, SHOWN) for name in sorted(one.names))
        places = sum(one.person in here for here in census.present.values())
        print(f"{clean(one.person, SHOWN)} ({names}) in {counted(places, 'stream')}")
    return census


class Census:
    """Who is meant, and the streams that they are in."""

    def __init__(self, log: LogFile, who: str) -> None:
        self.people: dict[str, Erased] = {}
        self.present: dict[str, set[str]] = {}
        names: dict[str, set[str]] = {}
        for stream in log.streams():
            for event in _events(log.events(stream)):
                person = person_in(event)
                if person:
                    self.present.setdefault(stream, set()).add(person)
                    names.setdefault(person, set()).add(name_in(event))
        for person, shown in names.items():
            if who in (person, native_name(person)) or who in shown:
                one = self.people[person] = Erased(person, _token())
                one.names |= shown - {""}
        for stream, here in tuple(self.present.items()):
            self.present[stream] = here & self.people.keys()

    def of(self, stream: str) -> dict[str, Erased]:
        """Those of the people who are in a stream; operators may have written of any."""
        if stream == STREAM:
            return self.people
        return {person: self.people[person] for person in self.present.get(stream, ())}


def _token() -> str:
    return "erased" + "".join(secrets.choice(string.ascii_lowercase) for _ in range(TOKEN))


def _events(rows: list[Row]) -> Iterator[Event]:
    """What is recorded, as far as it is JSON; moves name nobody."""
    for row in rows:
        event = _decoded(row.data)
        if event is not None:
            yield event


def _decoded(data: bytes) -> Event | None:
    if data.startswith(MOVE_PREFIX):
        return None
    try:
        event = msgspec.json.decode(data)
    except msgspec.DecodeError:
        return None
    return event if isinstance(event, dict) and "type" in event else None


def _planned(path: Path, census: Census) -> dict[str, list[Change]]:
    """The streams in which something is to be different, and what."""
    planned = {}
    with open_log(path) as log:
        rooms = _renamed_rooms(log, census)
        for stream in log.streams():
            new = list(_changes(log.events(stream), census.of(stream), rooms))
            if new:
                planned[stream] = new
    return planned


def _erase(path: Path, upkeep: Upkeep, census: Census, changes: dict[str, list[Change]]) -> None:
    """Change what is to be different.

    Raises:
        CommandError: a stream could not be read any more; nothing is changed. Or somebody reads
            the file, and it could not be written anew.
    """
    sound: list[tuple[str, AnyAggregate]] = []
    with open_log(path) as log:
        for stream in changes:
            aggregate = aggregate_of(stream)
            if aggregate is not None and fault_of(aggregate, log.events(stream)) is None:
                sound.append((stream, aggregate))

    def check() -> None:
        for stream, aggregate in sound:
            fault = fault_of(aggregate, upkeep.events(stream))
            if fault is not None:
                raise CommandError(
                    f"{stream} could not be read without the names: nothing is changed ({fault[1]})"
                )

    tokens = tuple(one.token for one in census.people.values())
    act = NamesErased(*here_and_now(), tokens=tokens)
    upkeep.replace([one for new in changes.values() for one in new], check, recorded(act))
    try:
        upkeep.compact()
    except StoreError as error:
        raise CommandError(
            f"{error}; the events say {tokens[0]} already, but bytes of the names are left in"
            f" the file until `{called()} erase {tokens[0]} --yes` has written it anew"
        ) from None


def _renamed_rooms(log: LogFile, census: Census) -> dict[str, str]:
    """The rooms that are called after the people, and what they are called then.

    Matches of other people in such a room bear its name too.
    """
    renamed = {}
    for stream in census.present:
        for event in _events(log.events(stream)):
            name = event.get(ROOM_NAMES.get(kind_of(event), ""), "")
            for room in (name, unescape_node(name)):  # a match has the name as people write it
                new = room
                for one in census.of(stream).values():
                    new = one.text(new)
                if new != room:
                    renamed[room] = new
    return renamed


def _changes(rows: list[Row], people: dict[str, Erased], rooms: dict[str, str]) -> Iterator[Change]:
    for row in rows:
        event = _decoded(row.data)
        if event is None:
            continue
        new = rewritten(event, people)
        field = ROOM_NAMES.get(kind_of(event), "")
        if event.get(field) in rooms:
            new[field] = rooms[event[field]]
        if new != event:
            yield row.position, msgspec.json.encode(new)
