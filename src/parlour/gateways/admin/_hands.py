"""What each request is: which act it is recorded as, and what it does to the server."""

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from msgspec import Struct

from parlour.games import Refusal, Refused
from parlour.gateways import LAST, Ban, Bans, subject
from parlour.gateways.admin import _acts as acts
from parlour.gateways.admin import _requests as requests
from parlour.gateways.admin._asking import ask
from parlour.gateways.admin._doors import Door, Rooms, SetLogLevel, Visitor
from parlour.gateways.admin._drain import Drain, games
from parlour.host import Host, holder_of
from parlour.match import AbortCause, AbortMatch, Listing, Tick, fold_name
from parlour.wire import clean

LEVELS = ("debug", "info", "warning", "error", "critical")
KICKED = "the operator has ended your connection"
CLOSED = "the operator has closed it"

Doing = (
    requests.Kick
    | requests.PutBan
    | requests.LiftBan
    | requests.CloseMatch
    | requests.CloseRoom
    | requests.Announce
    | requests.Drain
    | requests.Undrain
    | requests.SetLogLevel
    | requests.TellPruned
)


class NotFound(Exception):
    """What a request is about is not there; the message says what there is."""


class Player(Struct, frozen=True):
    """Who sits at a listed match."""

    seat: int
    identity: str
    name: str


class Game(Struct, frozen=True):
    """A match that is not finished."""

    id: str
    game: str
    status: str
    room: str
    created_at: int
    players: tuple[Player, ...]


class Hands:
    """Reaches every door, the rooms, the host, and the log's level."""

    def __init__(
        self,
        host: Host,
        bans: Bans,
        doors: Sequence[Door],
        rooms: Rooms | None,
        drain: Drain,
        set_level: SetLogLevel,
    ) -> None:
        self._host = host
        self._bans = bans
        self._doors = doors
        self._rooms = rooms
        self._drain = drain
        self._set_level = set_level

    # What is so

    @property
    def drains(self) -> bool:
        """Whether no game begins and the server ends with the last."""
        return self._drain.on

    def visitors(self) -> Iterator[Visitor]:
        """Everybody who has a connection."""
        for door in self._doors:
            yield from door.visitors()

    def matches(self) -> Iterator[Game]:
        """Every match that is not finished, the oldest first."""
        for stream, listing in self._host.directory.unfinished.items():
            players = tuple(
                Player(one.seat, one.identity, one.name)
                for one in sorted(listing.sitters, key=lambda one: one.seat)
            )
            yield Game(
                stream,
                listing.game,
                listing.status.value,
                listing.room,
                listing.created_at,
                players,
            )

    def bans(self) -> list[Ban]:
        """Who is kept out, by kind and name."""
        now = self._host.now()
        return [ban for ban in self._bans.all() if ban.holds(now)]

    # What is asked for

    def plan(self, request: Doing, at: int, uid: int, user: str) -> acts.Act:
        """The act that is recorded before anything is done.

        Raises:
            NotFound: what it is about is not there.
            Refused: a value is wrong.
        """
        match request:
            case requests.Kick(whom=whom, reason=reason):
                found, why = len(self._present(whom)), _said(reason)
                return acts.VisitorKicked(at, uid, user, whom=whom, connections=found, reason=why)
            case requests.PutBan():
                return acts.Banned(at, uid, user, ban=_ban(request, at))
            case requests.LiftBan(kind=kind, who=who):
                return acts.Unbanned(at, uid, user, kind=kind, who=subject(kind, who))
            case requests.CloseMatch(match=stream, reason=reason):
                self._unfinished(stream)
                return acts.MatchClosed(at, uid, user, match=stream, reason=_said(reason))
            case requests.CloseRoom(room=room, reason=reason):
                return acts.RoomShut(at, uid, user, room=room, reason=_said(reason))
            case requests.Announce(text=text):
                if not _said(text):
                    raise Refused(Refusal.MALFORMED_NAME, "there is nothing to announce")
                return acts.Announced(at, uid, user, text=_said(text))
            case requests.Drain():
                return acts.DrainBegun(at, uid, user)
            case requests.Undrain():
                return acts.DrainEnded(at, uid, user)
            case requests.SetLogLevel(level=level, logger=logger):
                if level not in LEVELS:
                    raise NotFound(f"{level!r} is no level: expected one of {', '.join(LEVELS)}")
                return acts.LogLevelSet(at, uid, user, level=level, logger=logger)
            case requests.TellPruned(before=before, streams=streams):
                return acts.Pruned(at, uid, user, before=before, streams=len(streams))
            case _:
                assert_never(request)

    async def act(self, request: Doing, act: acts.Act) -> dict[str, Any]:
        """Do what has been recorded; the answer says what came of it.

        Raises:
            NotFound: what it is about has gone meanwhile.
            Refused: the match or the room said no.
        """
        match request:
            case requests.Kick(whom=whom, reason=reason):
                return {"connections": self._end(self._meant(whom), _said(reason) or KICKED)}
            case requests.PutBan() if isinstance(act, acts.Banned):
                return {"ban": act.ban, "connections": self._end_banned()}
            case requests.CloseMatch(match=stream, reason=reason):
                await self._abort(stream, _said(reason) or CLOSED)
                return {"match": stream}
            case requests.CloseRoom(room=room, reason=reason):
                return await self._close_room(room, _said(reason) or CLOSED)
            case requests.Announce(text=text):
                return self._announce(_said(text))
            case requests.Drain():
                self._drain.begin(self._host.directory)
                return {"games": games(self._host.directory)}
            case requests.Undrain():
                self._drain.end()
                for stream in tuple(self._host.directory.open):
                    self._host.submit(stream, Tick())  # who was left may be enough for a game
                return {"games": games(self._host.directory)}
            case requests.SetLogLevel(level=level, logger=logger):
                self._set_level(level, logger)
                return {"level": level}
            case requests.TellPruned(streams=streams):
                for stream in streams:
                    self._host.directory.forget(stream)
                return {}
            case _:
                return {}

    # How it is done

    def _meant(self, whom: str) -> list[tuple[Door, Visitor]]:
        """The connection of that id, or else all of a name or an identity."""
        here = [(door, one) for door in self._doors for one in door.visitors()]
        exact = [(door, one) for door, one in here if one.id == whom]
        if exact:
            return exact
        name = fold_name(whom)
        return [
            (door, one)
            for door, one in here
            if (name and name in map(fold_name, one.names))
            or (one.identity and whom in (one.identity, holder_of(one.identity)))
            or one.identity == f"xmpp:{whom}"
        ]

    def _present(self, whom: str) -> list[tuple[Door, Visitor]]:
        found = self._meant(whom)
        if not found:
            raise NotFound(f"nobody here is {whom!r}: `admin connections` lists who is")
        return found

    def _end(self, meant: Sequence[tuple[Door, Visitor]], why: str) -> int:
        for door in self._doors:
            door.send_away({one.id: why for at, one in meant if at is door})
        return len(meant)

    def _end_banned(self) -> int:
        """Send away who is here and banned now."""
        now, ended = self._host.now(), 0
        for door in self._doors:
            whys = {
                one.id: ban.sentence()
                for one in door.visitors()
                if (ban := self._banned(one, now)) is not None
            }
            door.send_away(whys)
            ended += len(whys)
        return ended

    def _banned(self, one: Visitor, now: int) -> Ban | None:
        ban = self._bans.of_address(one.address, now)
        if ban is not None or not one.identity:
            return ban
        found = (self._bans.of_person(one.identity, name, now) for name in one.names)
        return next((ban for ban in found if ban is not None), None)

    def _unfinished(self, stream: str) -> Listing:
        listing = self._host.directory.unfinished.get(stream)
        if listing is None:
            raise NotFound(f"no match {stream!r} is going on: `admin matches` lists those that are")
        return listing

    async def _abort(self, stream: str, why: str) -> None:
        await ask(self._host, stream, AbortMatch(AbortCause.OPERATOR, why))

    async def _close_room(self, room: str, why: str) -> dict[str, Any]:
        if self._rooms is not None and await self._rooms.close_room(room, why):
            return {"room": room}
        stream = self._host.directory.room(room)
        if stream is None:
            raise NotFound(f"there is no room {room!r}")
        await self._abort(stream, why)
        return {"room": room, "match": stream}

    def _announce(self, text: str) -> dict[str, Any]:
        """Say it; who could not be told is counted by protocol."""
        told: dict[str, int] = {}
        untold: dict[str, int] = {}
        for door in self._doors:
            heard = door.announce(text)
            for protocol, count in heard.items():
                told[protocol] = told.get(protocol, 0) + count
            for one in door.visitors():
                if one.protocol not in heard:
                    untold[one.protocol] = untold.get(one.protocol, 0) + 1
        return {"told": told, "untold": untold}


def _said(text: str) -> str:
    return clean(text, requests.LONGEST).strip()


def _ban(request: requests.PutBan, now: int) -> Ban:
    """The ban that is asked for.

    Raises:
        Refused: its subject is none, or it would have ended already.
    """
    if request.until and request.lasts:
        raise Refused(Refusal.MALFORMED_NAME, "say until when or for how long, not both")
    until = now + request.lasts if request.lasts else request.until
    if (request.until or request.lasts) and until <= now:
        raise Refused(Refusal.MALFORMED_NAME, "the ban would have ended already: say a later end")
    if until > LAST:
        raise Refused(Refusal.MALFORMED_NAME, "no calendar goes that far: ban for ever instead")
    who = subject(request.kind, request.who)
    return Ban(request.kind, who, until, _said(request.reason))
