"""One browser connection: its requests in, effects out. Who it is has been settled before."""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from parlour.games import Refusal, Refused, Seat
from parlour.gateways import Allowance
from parlour.gateways.web import _effects as effects
from parlour.gateways.web import _requests as requests
from parlour.gateways.web._declined import Declined, No
from parlour.gateways.web._effects import Effect, Tell
from parlour.gateways.web._tables import Tables
from parlour.gateways.web._told import (
    Done,
    Pong,
    RefusedRequest,
    Restarting,
    SeekShown,
    Welcome,
    You,
)
from parlour.match import LeaveSeat, Match, PlayMove, Resign, SetReady, TakeSeat
from parlour.wire import clean

REALM = "web:"  # with which the identities of guests begin
WATCHES, WATCHED_AT_ONCE = 4, 80  # a whole match may have to be read
DEAR, DEAR_AT_ONCE = 1, 10  # messages that cost as much as many others
EXCESS_MOST = 100  # messages above the limit that are answered before the connection is closed
TOO_MANY = 1008  # RFC 6455, 7.4.1: the policy is violated


class Guest:
    """Who sits in front of a browser: a secret key, and a name that can change."""

    __slots__ = ("identity", "name")

    def __init__(self, identity: str, name: str) -> None:
        self.identity = identity
        self.name = name


class WebSession:
    """A connection's subscriptions and requests. Every input returns the effects it has."""

    def __init__(self, guest: Guest | None, tables: Tables, customer: str = "") -> None:
        self._guest = guest
        self._customer = customer
        self._identity = "" if guest is None else guest.identity
        self._tables = tables
        limits = self._limits = tables.limits
        self._messages = Allowance(limits.messages, limits.messages_at_once)
        self._looks = Allowance(WATCHES, WATCHED_AT_ONCE)
        self._dear = Allowance(DEAR, DEAR_AT_ONCE)
        self._excess = 0
        self._seats: dict[str, Seat | None] = {}  # of the matches that are watched
        self._previews: set[str] = set()  # those that are shown as small pictures only
        self._gone = False

    def connected(
        self, epoch: str, seats: tuple[str, ...], seeking: SeekShown | None, now: int
    ) -> Sequence[Effect]:
        """The connection stands."""
        name = None if self._guest is None else self._guest.name
        return (Tell(Welcome(name, now, epoch, seats, seeking)),)

    def received(self, data: str | bytes, now: int) -> Sequence[Effect]:
        """One message came."""
        if self._gone:
            return ()
        if not self._messages.admits("", now):
            return self._flooded(data)
        self._excess = 0
        try:
            request = requests.read_request(data)
        except Declined as no:
            return (self._no(requests.envelope(data).id, None, no),)
        return self._answer(request, now)

    def knocked(
        self, request: requests.Watch | requests.TakeSeat, no: Declined | None, now: int
    ) -> Sequence[Effect]:
        """The password of a request was looked at."""
        if no is not None:
            return (self._no(request.id, request.match, no),)
        return self._answer(request, now)

    def opened(self, stream: str, version: int, match: Match) -> Sequence[Effect]:
        """The state of a match, or what was missed of it, has been told."""
        return (self._you(stream, version, match),)

    def seats_changed(self, stream: str, version: int, match: Match) -> Sequence[Effect]:
        """Somebody has sat down, risen or been dealt another seat at a match that is watched."""
        if match.seat_of(self._identity) == self._seats.get(stream):
            return ()
        return (self._you(stream, version, match),)

    def accepted(self, id_: int | None, stream: str | None) -> Sequence[Effect]:
        """A request is carried out."""
        return (Tell(Done(id_, stream)),)

    def refused(self, id_: int | None, stream: str | None, no: Refused) -> Sequence[Effect]:
        """A rule said no."""
        return (self._no(id_, stream, Declined.of(no)),)

    def not_opened(self, id_: int | None, stream: str, no: Declined) -> Sequence[Effect]:
        """There is no such match to watch."""
        self._forget(stream)
        return (self._no(id_, stream, no),)

    def closing(self) -> Sequence[Effect]:
        """The service is about to stop."""
        self._gone = True
        return (Tell(Restarting()),)

    def watches(self, stream: str) -> bool:
        """Whether the match is wanted, still or already."""
        return stream in self._seats

    def looks_on(self, stream: str) -> bool:
        """Whether the guest watches a match without sitting there or seeing a preview only."""
        return self._seats.get(stream) is None and stream not in self._previews

    def _answer(self, request: requests.Request, now: int) -> Sequence[Effect]:
        stream: str | None = getattr(request, "match", None)
        try:
            if stream is not None:
                self._tables.check(stream)
            return self._asked(request, now)
        except Declined as no:
            return (self._no(request.id, stream, no),)

    def _asked(self, request: requests.Request, now: int) -> Sequence[Effect]:
        match request:
            case requests.Watch():
                return self._watch(request, now)
            case requests.Unwatch(match=stream):
                self._forget(stream)
                return (effects.UnwatchMatch(stream), Tell(Done(request.id, stream)))
            case requests.WatchLobby():
                self._pay(now)
                return (effects.WatchLobby(),)
            case requests.UnwatchLobby():
                return (effects.UnwatchLobby(), Tell(Done(request.id, None)))
            case requests.Ping():
                return (Tell(Pong(now, request.id)),)
            case _:
                if self._guest is None:
                    raise Declined(No.GUEST, "ask GET /api/me for a cookie first")
                if isinstance(request, requests.OfSeat) and not self._sits(request.match):
                    self._pay(now)
                return self._acted(request, self._guest, now)

    def _acted(
        self,
        request: (
            requests.TakeSeat | requests.Leave | requests.Ready | requests.Move | requests.Resign
            | requests.Rematch | requests.NoRematch | requests.Say | requests.Seek
            | requests.StopSeeking
        ),
        guest: Guest,
        now: int,
    ) -> Sequence[Effect]:  # fmt: skip
        by = guest.identity
        match request:
            case requests.TakeSeat(match=stream, seat=seat):
                if not self._admitted(request, now):
                    return (effects.Knock(request),)
                self._pay(now)
                newcomer = self._tables.newcomer(stream, by, guest.name, seat)
                return (effects.Ask(request.id, stream, TakeSeat(newcomer)),)
            case requests.Leave(match=stream):
                return (effects.Ask(request.id, stream, LeaveSeat(by)),)
            case requests.Ready(match=stream, ready=ready):
                return (effects.Ask(request.id, stream, SetReady(by, ready)),)
            case requests.Move(match=stream, move=move, ply=ply):
                return (effects.Ask(request.id, stream, PlayMove(by, move, ply)),)
            case requests.Resign(match=stream):
                return (effects.Ask(request.id, stream, Resign(by)),)
            case requests.Rematch(match=stream):
                self._check_offer(stream, now)
                return (effects.OfferRematch(request.id, stream),)
            case requests.NoRematch(match=stream):
                self._check_offer(stream, now)
                return (effects.EndRematch(request.id, stream),)
            case requests.Say():
                return self._said(request, now)
            case requests.Seek():
                return self._sought(request, guest, now)
            case requests.StopSeeking():
                return (effects.StopFinding(), Tell(Done(request.id, None)))
            case _:
                assert_never(request)

    def _watch(self, request: requests.Watch, now: int) -> Sequence[Effect]:
        stream = request.match
        if not self._looks.admits("", now):
            raise Declined(Refusal.LIMIT, f"more than {WATCHES} matches a second")
        if stream not in self._seats and len(self._seats) >= self._limits.watched:
            raise Declined(Refusal.LIMIT, f"you watch {len(self._seats)} matches already")
        if not self._admitted(request, now):
            return (effects.Knock(request),)
        self._seats.setdefault(stream, None)
        self._previews.discard(stream)
        if request.preview:
            self._previews.add(stream)
        return (effects.WatchMatch(request.id, stream, request.after),)

    def _forget(self, stream: str) -> None:
        self._seats.pop(stream, None)
        self._previews.discard(stream)

    def _admitted(self, request: requests.Watch | requests.TakeSeat, now: int) -> bool:
        return self._tables.locks.admit(
            request.match, request.password, self._identity, self._customer, now
        )

    def _said(self, request: requests.Say, now: int) -> Sequence[Effect]:
        self._check_watched(request.match)
        if not self._tables.says.admits(self._identity, now):
            raise Declined(Refusal.LIMIT, "say it more slowly")
        text = clean(request.text, requests.SAID_LENGTH).strip()
        if not text:
            raise Declined(No.MALFORMED, "nothing was said")
        return (effects.Say(request.match, text), Tell(Done(request.id, request.match)))

    def _sits(self, stream: str) -> bool:
        return self._tables.seats.sits(self._identity, stream)

    def _pay(self, now: int) -> None:
        """Count what costs much.

        The whole lobby is long, a match is read anew before a no of its rules is told, and an
        offer goes to all who watch.
        """
        if not self._dear.admits("", now):
            raise Declined(Refusal.LIMIT, "ask for that more slowly")

    def _sought(self, request: requests.Seek, guest: Guest, now: int) -> Sequence[Effect]:
        if not self._tables.seeks.admits(guest.identity, now):
            raise Declined(Refusal.LIMIT, "seek more slowly")
        seek = self._tables.seek(request, guest.identity, guest.name)
        return (effects.Find(request.id, replace(seek, source=self._customer)),)

    def _check_offer(self, stream: str, now: int) -> None:
        self._pay(now)
        self._check_watched(stream)

    def _check_watched(self, stream: str) -> None:
        if stream not in self._seats:
            raise Declined(Refusal.UNKNOWN_STREAM, "watch the match first")

    def _flooded(self, data: str | bytes) -> Sequence[Effect]:
        self._excess += 1
        if self._excess > EXCESS_MOST:
            self._gone = True
            return (effects.Close(TOO_MANY),)
        no = Declined(Refusal.LIMIT, f"more than {self._limits.messages} messages a second")
        asked = requests.envelope(data)
        stream = asked.match if isinstance(asked.match, str) else None
        return (self._no(asked.id, stream, no),)

    def _you(self, stream: str, version: int, match: Match) -> Effect:
        seat = self._seats[stream] = match.seat_of(self._identity)
        return Tell(You(stream, version, seat))

    def _no(self, id_: int | None, stream: str | None, no: Declined) -> Effect:
        return Tell(RefusedRequest(id_, stream, no.refusal, no.detail))
