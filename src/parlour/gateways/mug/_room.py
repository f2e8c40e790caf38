"""The state of one room: an immutable fold of its events."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, assert_never

from msgspec import Struct
from msgspec.structs import replace

from parlour.gateways.mug._config import RoomConfig
from parlour.gateways.mug._room_events import (
    Affiliation,
    AffiliationChanged,
    Departure,
    NickChanged,
    OccupantEntered,
    OccupantLeft,
    RoomClosed,
    RoomConfigured,
    RoomCreated,
    RoomEvent,
    RoundEnded,
    RoundOpened,
)
from parlour.wire.mug import Dialect, bare, nick_key


class Occupant(Struct, frozen=True):
    """Who is in the room: a bare JID with a nickname and all full JIDs that came in."""

    user: str
    nick: str
    sessions: tuple[str, ...]


class Room(Struct, frozen=True, dict=True):
    """A room; `version` counts the events so far.

    `options` are those of the next game; `match` is the stream of the match that is open or
    going on, empty when there is none. `occupants` are kept by bare JID, in order of coming;
    `foreign` are the full JIDs that came in speaking the other dialect. It is `abandoned` when
    nobody is inside and the last to go was not lost; `empty_since` is when the last one went.
    """

    name: str
    game: str
    owner: str
    created_at: int
    options: Mapping[str, Any]
    config: RoomConfig = RoomConfig()
    configured: bool = False
    members: frozenset[str] = frozenset()
    occupants: Mapping[str, Occupant] = {}
    foreign: frozenset[str] = frozenset()
    match: str = ""
    rounds: int = 0
    empty_since: int = 0
    abandoned: bool = False
    closed: bool = False
    version: int = 1

    def affiliation(self, user: str) -> Affiliation:
        """How a bare JID belongs to the room."""
        if user == self.owner:
            return Affiliation.OWNER
        return Affiliation.MEMBER if user in self.members else Affiliation.NONE

    def inside(self, session: str) -> Occupant | None:
        """The occupant that a full JID is a session of."""
        occupant = self.occupants.get(bare(session))
        return occupant if occupant is not None and session in occupant.sessions else None

    def called(self, nick: str) -> Occupant | None:
        """The occupant whose nickname looks like that."""
        key = nick_key(nick)
        return next((one for one in self.occupants.values() if nick_key(one.nick) == key), None)

    @cached_property
    def sessions(self) -> tuple[str, ...]:
        """Every full JID in the room."""
        return tuple(one for occupant in self.occupants.values() for one in occupant.sessions)


def evolve_room(room: Room | None, event: RoomEvent) -> Room:
    """The room after `event`; None is the room before its first event."""
    if isinstance(event, RoomCreated):
        return Room(event.name, event.game, event.owner, event.at, event.options)
    if room is None:
        raise ValueError(f"a room begins with RoomCreated, not {event!r}")
    return replace(_evolved(room, event), version=room.version + 1)


def _evolved(
    room: Room,
    event: (
        RoomConfigured
        | OccupantEntered
        | OccupantLeft
        | NickChanged
        | AffiliationChanged
        | RoundOpened
        | RoundEnded
        | RoomClosed
    ),
) -> Room:
    match event:
        case RoomConfigured(config=config, options=options):
            return replace(room, config=config, options=options, configured=True)
        case OccupantEntered():
            return _entered(room, event)
        case OccupantLeft():
            return _left(room, event)
        case NickChanged(user=user, nick=nick):
            renamed = replace(room.occupants[user], nick=nick)
            return replace(room, occupants={**room.occupants, user: renamed})
        case AffiliationChanged(user=user, affiliation=affiliation):
            return _affiliated(room, user, affiliation)
        case RoundOpened(stream=stream):
            return replace(room, match=stream, rounds=room.rounds + 1)
        case RoundEnded(options=options):
            return replace(room, match="", options=options)
        case RoomClosed():
            return replace(room, closed=True, occupants={}, foreign=frozenset())
        case _:
            assert_never(event)


def _entered(room: Room, event: OccupantEntered) -> Room:
    session, user = event.session, bare(event.session)
    known = room.occupants.get(user)
    sessions = (*known.sessions, session) if known is not None else (session,)
    occupant = Occupant(user, event.nick, sessions)
    spoken = event.dialect is not Dialect.JABBER
    return replace(
        room,
        occupants={**room.occupants, user: occupant},
        foreign=room.foreign | {session} if spoken else room.foreign,
        abandoned=False,
    )


def _left(room: Room, event: OccupantLeft) -> Room:
    session, user = event.session, bare(event.session)
    sessions = tuple(one for one in room.occupants[user].sessions if one != session)
    occupants = dict(room.occupants)
    if sessions:
        occupants[user] = replace(occupants[user], sessions=sessions)
    else:
        del occupants[user]
    return replace(
        room,
        occupants=occupants,
        foreign=room.foreign - {session},
        empty_since=room.empty_since if occupants else event.at,
        abandoned=not occupants and event.cause is not Departure.UNREACHABLE,
    )


def _affiliated(room: Room, user: str, affiliation: Affiliation) -> Room:
    match affiliation:
        case Affiliation.OWNER:
            return replace(room, owner=user, members=room.members - {user})
        case Affiliation.MEMBER:
            return replace(room, members=room.members | {user})
        case Affiliation.NONE:
            return replace(room, members=room.members - {user})
        case _:
            assert_never(affiliation)
