"""Which facts a command adds to a room: who may come in, under which name, and who may set what."""

from typing import assert_never

from parlour.games import Refusal, Refused
from parlour.gateways.mug._room import Occupant, Room
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
    RoomRestart,
    RoomTick,
)
from parlour.gateways.mug._room_events import (
    Affiliation,
    AffiliationChanged,
    Closure,
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
from parlour.wire.mug import acceptable_nick, bare, nick_key


def decide_room(room: Room | None, command: RoomCommand, now: int) -> list[RoomEvent]:
    """The facts that `command` adds at `now`; none when it changes nothing.

    Raises:
        Refused: a rule of the room said no.
    """
    if isinstance(command, CreateRoom):
        return _create(room, command, now)
    if room is None or room.closed:
        raise Refused(Refusal.UNKNOWN_STREAM, "there is no such room")
    match command:
        case Enter():
            return _enter(room, command, now)
        case Leave(session, cause):
            return [OccupantLeft(now, session, cause)] if room.inside(session) else []
        case ChangeNick():
            return _change_nick(room, command, now)
        case Configure():
            return _configure(room, command, now)
        case OpenRound(stream):
            if room.match:
                raise Refused(Refusal.STREAM_EXISTS, "there is a table already")
            return [RoundOpened(now, stream)]
        case EndRound():
            return _end_round(room, command, now)
        case CloseRoom():
            return _close(room, command, now)
        case RoomTick() | RoomRestart():
            return []
        case _:
            assert_never(command)


def _create(room: Room | None, command: CreateRoom, now: int) -> list[RoomEvent]:
    if room is not None:
        raise Refused(Refusal.ROOM_EXISTS, "there is such a room already")
    _check_nick(command.nick)
    owner = bare(command.session)
    return [
        RoomCreated(now, command.name, command.game, owner, command.options),
        OccupantEntered(now, command.session, command.nick, command.dialect),
    ]


def _enter(room: Room, command: Enter, now: int) -> list[RoomEvent]:
    user = bare(command.session)
    affiliation = room.affiliation(user)
    if not room.configured and affiliation is not Affiliation.OWNER:
        raise Refused(Refusal.ROOM_LOCKED, "its owner has not configured the room yet")
    if room.config.password and command.password != room.config.password:
        raise Refused(Refusal.WRONG_PASSWORD, "the room wants its password")
    if room.config.members_only and affiliation is Affiliation.NONE:
        raise Refused(Refusal.MEMBERS_ONLY, "only members come in")
    _check_nick(command.nick)
    occupant = room.occupants.get(user)
    if occupant is not None:
        return _enter_again(occupant, command, now)
    _check_free(room, user, command.nick, command.reserved)
    most = room.config.most_occupants
    if most and len(room.occupants) >= most and affiliation is not Affiliation.OWNER:
        raise Refused(Refusal.ROOM_FULL, f"all {most} places are taken")
    return [OccupantEntered(now, command.session, command.nick, command.dialect)]


def _enter_again(occupant: Occupant, command: Enter, now: int) -> list[RoomEvent]:
    """A further session of a bare JID shares its nickname; of too many a quiet one goes.

    Where XEP-0198 is spoken each cut leaves one behind, which would keep its own user out.
    """
    if nick_key(occupant.nick) != nick_key(command.nick):
        raise Refused(Refusal.NAME_TAKEN, f"you are in this room as {occupant.nick}")
    if command.session in occupant.sessions:
        return []
    entered = OccupantEntered(now, command.session, occupant.nick, command.dialect)
    sessions = occupant.sessions
    if len(sessions) < command.sessions_most:
        return [entered]
    if command.quietest not in sessions:
        raise Refused(Refusal.LIMIT, f"{len(sessions)} of your sessions are here already")
    return [entered, OccupantLeft(now, command.quietest, Departure.UNREACHABLE)]


def _change_nick(room: Room, command: ChangeNick, now: int) -> list[RoomEvent]:
    occupant = room.occupants.get(command.by)
    if occupant is None:
        raise Refused(Refusal.NOT_INSIDE, "you are not in the room")
    _check_nick(command.nick)
    _check_free(room, command.by, command.nick, command.reserved)
    if occupant.nick == command.nick:
        return []
    return [NickChanged(now, command.by, command.nick)]


def _configure(room: Room, command: Configure, now: int) -> list[RoomEvent]:
    if room.affiliation(command.by) is not Affiliation.OWNER:
        raise Refused(Refusal.NOT_OWNER, "only the owner configures a room")
    events: list[RoomEvent] = [RoomConfigured(now, command.config, command.options)]
    if command.config.members_only and not room.config.members_only:
        # "Notification of Configuration Changes": whoever is inside becomes a member.
        events += [
            AffiliationChanged(now, user, Affiliation.MEMBER)
            for user in room.occupants
            if room.affiliation(user) is Affiliation.NONE
        ]
    if command.reopened:
        events.append(RoundOpened(now, command.reopened))
    return events


def _end_round(room: Room, command: EndRound, now: int) -> list[RoomEvent]:
    if room.match != command.stream:
        raise Refused(Refusal.UNKNOWN_STREAM, "that round has ended already")
    ended = RoundEnded(now, command.stream, command.options, command.won, command.drawn)
    return [ended, RoundOpened(now, command.next)] if command.next else [ended]


def _close(room: Room, command: CloseRoom, now: int) -> list[RoomEvent]:
    """A room that somebody has entered, or configured, meanwhile stays; but not for operators."""
    cause = command.cause
    if command.match != room.match:
        raise Refused(Refusal.ROOM_EXISTS, "another match has begun in the room")
    if cause is Closure.OPERATOR:
        return [RoomClosed(now, cause)]
    if bool(room.occupants) if cause is Closure.EMPTY else room.configured:
        raise Refused(Refusal.ROOM_EXISTS, "the room is in use")
    return [RoomClosed(now, cause)]


def _check_nick(nick: str) -> None:
    if not acceptable_nick(nick):
        raise Refused(Refusal.MALFORMED_NAME, f"nobody can be called {nick[:40]!r}")


def _check_free(room: Room, user: str, nick: str, reserved: tuple[str, ...]) -> None:
    key = nick_key(nick)
    other = room.called(nick)
    if (other is not None and other.user != user) or any(nick_key(one) == key for one in reserved):
        raise Refused(Refusal.NAME_TAKEN, f"somebody else is called {nick}")
