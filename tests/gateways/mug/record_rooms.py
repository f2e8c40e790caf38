"""Records the logs of rooms that every later version must be able to read.

    python -m tests.gateways.mug.record_rooms FOLDER

A story that is there already is left alone: old logs are never made anew.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from parlour.gateways.mug import RoomAggregate
from parlour.gateways.mug._config import Anonymity, RoomConfig
from parlour.gateways.mug._room import Room
from parlour.gateways.mug._room_commands import (
    ChangeNick,
    CloseRoom,
    Configure,
    CreateRoom,
    EndRound,
    Enter,
    Leave,
    OpenRound,
    RoomCommand,
)
from parlour.gateways.mug._room_events import Closure, Departure
from parlour.wire.mug import Dialect

ROOMS = RoomAggregate()
OPTIONS: dict[str, Any] = {"rows": 3, "cols": 3, "strike": 3, "first": "x"}
ANNA, BEN, PHONE = "anna@example.org/home", "ben@example.org/home", "ben@example.org/phone"


class Story:
    """One room; what was decided is kept as it would be in a log."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.log: list[bytes] = []
        self._room: Room | None = None
        self.does(CreateRoom("garden", "tictactoe", OPTIONS, ANNA, "anna"))

    @property
    def room(self) -> Room:
        assert self._room is not None
        return self._room

    def does(self, command: RoomCommand) -> None:
        """Decide a command, record the events, apply them as they were recorded."""
        self.now += 1000
        for event in ROOMS.decide(self._room, command, self.now):
            data = ROOMS.encode(event)
            self.log.append(data)
            self._room = ROOMS.evolve(self._room, ROOMS.decode(data))


def two_rounds() -> Story:
    story = Story()
    story.does(Configure("anna@example.org", RoomConfig(), OPTIONS))
    story.does(Enter(BEN, "ben", dialect=Dialect.WEBSITE))
    story.does(Enter(PHONE, "ben"))
    story.does(OpenRound("match-1"))
    story.does(EndRound("match-1", {**OPTIONS, "first": "o"}, won="x", next="match-2"))
    story.does(Leave(PHONE))
    story.does(EndRound("match-2", OPTIONS, drawn=True))
    return story


def everything_set() -> Story:
    story = Story()
    config = RoomConfig(
        title="A lovers room",
        description="Act V",
        moderated=False,
        allow_invites=True,
        most_occupants=0,
        public=False,
        anonymity=Anonymity.NON,
        password="cauldron",
        chat=("xmpp:island@conference.example.org?join",),
        lenient=True,
    )
    story.does(Configure("anna@example.org", config, {**OPTIONS, "rows": 4}))
    story.does(Enter(BEN, "ben", "cauldron"))
    story.does(ChangeNick("ben@example.org", "benjamin"))
    story.does(OpenRound("match-1"))
    members = RoomConfig(members_only=True, anonymity=Anonymity.FULLY)
    story.does(Configure("anna@example.org", members, OPTIONS, reopened="match-2"))
    story.does(Leave(BEN, Departure.INVALID_TURN))
    return story


def lost_and_closed() -> Story:
    story = Story()
    story.does(Configure("anna@example.org", RoomConfig(), OPTIONS))
    story.does(Leave(ANNA, Departure.UNREACHABLE))
    story.does(CloseRoom(Closure.EMPTY))
    return story


def cancelled() -> Story:
    story = Story()
    story.does(CloseRoom(Closure.CANCELLED))
    return story


def never_configured() -> Story:
    story = Story()
    story.does(CloseRoom(Closure.UNCONFIGURED))
    return story


def operator_closed_it() -> Story:
    story = Story()
    story.does(Configure("anna@example.org", RoomConfig(), OPTIONS))
    story.does(Enter(BEN, "ben"))
    story.does(OpenRound("match-1"))
    story.does(CloseRoom(Closure.OPERATOR))
    return story


STORIES: tuple[Callable[[], Story], ...] = (
    two_rounds,
    everything_set,
    lost_and_closed,
    cancelled,
    never_configured,
    operator_closed_it,
)


def summary(room: Room) -> str:
    """What a folded log comes to, in lines that can be read and compared."""
    inside = [f"{one.nick}:{','.join(one.sessions)}" for one in room.occupants.values()]
    lines = [
        f"version {room.version}",
        f"room {room.name} {room.game} owner {room.owner} since {room.created_at}",
        f"configured {room.configured} closed {room.closed}",
        f"config {msgspec.json.encode(room.config).decode()}",
        f"options {dict(room.options)}",
        f"members {' '.join(sorted(room.members))}",
        f"inside {' '.join(inside)}",
        f"match {room.match} rounds {room.rounds}",
    ]
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write the stories that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for story in STORIES:
        log = folder / f"{story.__name__}.jsonl"
        if log.exists():
            continue
        told = story()
        log.write_bytes(b"".join(data + b"\n" for data in told.log))
        log.with_suffix(".txt").write_text(summary(told.room))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
