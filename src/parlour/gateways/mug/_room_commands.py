"""What can be asked of a room: a closed union of wishes.

What somebody asks for says `by` whom, a bare JID: the host lets nobody ask for so much at once that
others are not heard. What the room does by itself says nothing.
"""

from typing import Any

from msgspec import Struct

from parlour.gateways.mug._config import RoomConfig
from parlour.gateways.mug._room_events import Closure, Departure
from parlour.wire.mug import Dialect, bare


class CreateRoom(Struct, frozen=True):
    """Make a room, locked until its creator has configured it."""

    name: str
    game: str
    options: dict[str, Any]
    session: str
    nick: str
    dialect: Dialect = Dialect.JABBER

    @property
    def by(self) -> str:
        return bare(self.session)


class Enter(Struct, frozen=True):
    """Let a full JID in. Nicknames in `reserved` are those of players from elsewhere.

    Where it would be one of too many, `quietest` of the same user goes; with none it stays out.
    """

    session: str
    nick: str
    password: str = ""
    dialect: Dialect = Dialect.JABBER
    reserved: tuple[str, ...] = ()
    sessions_most: int = 10
    quietest: str = ""

    @property
    def by(self) -> str:
        return bare(self.session)


class Leave(Struct, frozen=True):
    """Take a full JID out."""

    session: str
    cause: Departure = Departure.LEFT

    @property
    def by(self) -> str:
        return bare(self.session)


class ChangeNick(Struct, frozen=True):
    """Call an occupant something else."""

    by: str
    nick: str
    reserved: tuple[str, ...] = ()


class Configure(Struct, frozen=True):
    """Change the room. `reopened`, when set, is the match that replaces the waiting one."""

    by: str
    config: RoomConfig
    options: dict[str, Any]
    reopened: str = ""


class OpenRound(Struct, frozen=True):
    """Put up a table where there is none."""

    stream: str


class EndRound(Struct, frozen=True):
    """Take the ended match away; `next`, when set, is the match of the next round."""

    stream: str
    options: dict[str, Any]
    won: str = ""
    drawn: bool = False
    next: str = ""


class CloseRoom(Struct, frozen=True):
    """End the room, unless it has come into use, or has another match than `match`.

    What ends the match is recorded along with it: the next one must not be forgotten. Only a table
    where somebody from elsewhere sits goes on, and outlives its room.
    """

    cause: Closure
    match: str = ""


class RoomTick(Struct, frozen=True):
    """Nothing: a room does nothing by itself."""


class RoomRestart(Struct, frozen=True):
    """Nothing: a room waits for those who were in it to answer."""


RoomCommand = (
    CreateRoom
    | Enter
    | Leave
    | ChangeNick
    | Configure
    | OpenRound
    | EndRound
    | CloseRoom
    | RoomTick
    | RoomRestart
)
