"""What can happen to a room, as recorded: a closed union of facts, tagged like those of a match.

Who is inside is recorded too: clients do not hear of a restart of this service, so it must know
afterwards whom to ask whether they are still there.
"""

import enum
from typing import Any

from msgspec import Struct

from parlour.gateways.mug._config import RoomConfig
from parlour.wire.mug import Dialect


class Affiliation(enum.StrEnum):
    """How somebody belongs to a room (proto-XEP Multi-User Gaming, "Affiliations")."""

    OWNER = "owner"
    MEMBER = "member"
    NONE = "none"


class Departure(enum.StrEnum):
    """Why a session is no longer in the room."""

    LEFT = "left"
    UNREACHABLE = "unreachable"
    INVALID_TURN = "invalid-turn"


class Closure(enum.StrEnum):
    """Why a room is gone."""

    EMPTY = "empty"
    UNCONFIGURED = "unconfigured"  # its owner never said how it should be
    CANCELLED = "cancelled"  # its owner took the creation back
    OPERATOR = "operator"


def _tag(name: str) -> str:
    return f"{name}/1"


class _Event(Struct, frozen=True, tag_field="type", tag=_tag, omit_defaults=True):
    at: int  # milliseconds since the Unix epoch


class RoomCreated(_Event, frozen=True, tag=_tag):
    """Somebody asked for a room that was not there. `owner` is a bare JID."""

    name: str
    game: str
    owner: str
    options: dict[str, Any]


class RoomConfigured(_Event, frozen=True, tag=_tag):
    """The owner said how the room and its games should be."""

    config: RoomConfig
    options: dict[str, Any]


class OccupantEntered(_Event, frozen=True, tag=_tag):
    """A full JID is in the room under a nickname."""

    session: str
    nick: str
    dialect: Dialect = Dialect.JABBER


class OccupantLeft(_Event, frozen=True, tag=_tag):
    """A full JID is no longer in the room."""

    session: str
    cause: Departure = Departure.LEFT


class NickChanged(_Event, frozen=True, tag=_tag):
    """An occupant, named by its bare JID, is called something else."""

    user: str
    nick: str


class AffiliationChanged(_Event, frozen=True, tag=_tag):
    """A bare JID belongs to the room in another way."""

    user: str
    affiliation: Affiliation


class RoundOpened(_Event, frozen=True, tag=_tag):
    """There is a table for the next game: the match of that stream."""

    stream: str


class RoundEnded(_Event, frozen=True, tag=_tag):
    """The match has ended. `options` are those of the next one; `won` is a role or empty."""

    stream: str
    options: dict[str, Any]
    won: str = ""
    drawn: bool = False


class RoomClosed(_Event, frozen=True, tag=_tag):
    """The room is gone and its name is free."""

    cause: Closure


RoomEvent = (
    RoomCreated
    | RoomConfigured
    | OccupantEntered
    | OccupantLeft
    | NickChanged
    | AffiliationChanged
    | RoundOpened
    | RoundEnded
    | RoomClosed
)
