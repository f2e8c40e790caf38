"""A policy: seat two who look for each other, or one who fits a table that waits for one."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from operator import attrgetter

from msgspec import Struct

from parlour.games import Refusal, Refused
from parlour.host._directory import holder_of
from parlour.host._host import Host
from parlour.host._loader import RETRY_AFTER
from parlour.lobby import Lobby, Pairing, Seek
from parlour.match import (
    CreateMatch,
    GoAway,
    Listing,
    Newcomer,
    Status,
    TakeSeat,
    Terms,
    Visibility,
    free_name,
)

Paired = Callable[[str], None]
Failed = Callable[[Refused], None]
Waits = Callable[[], None]

DRAINS = "no game begins now: the server is about to stop"
LEFT = "left before the game began"

NOWHERE: Mapping[str, Seek] = {}


def never() -> bool:
    """For a host that is not to be drained."""
    return False


class Looking(Struct, eq=False, gc=False):
    """Somebody looks, and is told by the newest callbacks.

    The `number` of their arrival stays theirs until they look no more. While a seat is being taken
    whoever asks anew gets that one: others sit at its table already.
    """

    seek: Seek
    number: int
    paired: Paired
    failed: Failed
    waits: Waits
    waited: bool  # and so did not ask just now
    told: bool = False  # that they wait
    being_seated: bool = False
    stopped: bool = False  # meanwhile


class Pairer:
    """Carries the lobby's pairings out.

    `paired` is told the match's stream when it is in the log; following that from the start tells
    the rest. `waits` is told when there is nobody yet. `failed` is told when the match could not
    be recorded, and the player looks no more; but whoever has waited waits on where that passes.
    Options are compared as `CreateMatch` records them: complete. A table that is opened is offered
    to those who wait already. While `drains` nobody new finds or waits; who waited already waits
    on, and looks again at `look_again`. Of all that suits, the oldest comes first.
    """

    def __init__(self, host: Host, lobby: Lobby, drains: Callable[[], bool] = never) -> None:
        self._host = host
        self._lobby = lobby
        self.drains = drains
        self._numbers = count()
        self._looking: dict[str, Looking] = {}
        self._passed_over: set[str] = set()
        self._tables = Lobby()
        """By stream, who waits at a table that is offered, as if they looked."""
        self._ages: dict[str, int] = {}
        """Numbers of the open tables: an older one is older however often it is offered."""
        self._looks_later = False
        for stream, listing in host.directory.open.items():
            self._listed(stream, listing)
        host.directory.watch(self._listed)

    def seek(
        self, seek: Seek, paired: Paired, failed: Failed, waits: Waits, waited: bool = False
    ) -> None:
        """Find an opponent for `seek`, now or when one comes.

        `waited`: the player does not ask just now, and has been told before that they wait.
        """
        known = self._looking.get(seek.identity)
        if known is None:
            if self.drains() and not waited:
                failed(Refused(Refusal.UNAVAILABLE, DRAINS))
                return
            number = next(self._numbers)
        elif known.being_seated:
            known.seek, known.paired, known.failed, known.waits = seek, paired, failed, waits
            known.waited, known.told, known.stopped = waited, False, False
            return
        else:
            number = known.number
            # Nobody may meet the earlier seek of a player who is being seated.
            self._lobby.remove(seek.identity)
        looking = Looking(seek, number, paired, failed, waits, waited)
        self._looking[seek.identity] = looking
        self._look(looking)

    def look_again(self) -> None:
        """Those who wait find each other, and the open tables: a drain or an outage may be over.

        Where it is not, they wait on; during an outage this is tried each second.
        """
        for seek in self._lobby.waiting():
            if self._lobby.remove(seek.identity):  # unless they have been met meanwhile
                self._look(self._looking[seek.identity])

    def cancel(self, identity: str) -> bool:
        """The player has gone, and leaves a seat that is being taken.

        False when nobody of that identity waited.
        """
        self._looking.pop(identity, None)
        return self._lobby.remove(identity)

    def stop(self, identity: str) -> bool:
        """Look no more; False when nobody of that identity waited.

        It is too late while a seat is being taken: `paired` or `failed` tells of that.
        """
        looking = self._looking.get(identity)
        if looking is not None and looking.being_seated:
            looking.stopped = True
            return False
        return self.cancel(identity)

    def waiting(self) -> list[Seek]:
        """Everybody who waits, the longest first."""
        return self._lobby.waiting()

    # Tables

    def pass_over(self, identity: str) -> None:
        """The player is not here: offer nobody the table where they wait."""
        self._passed_over.add(identity)
        self._list_anew(identity)

    def offer_again(self, identity: str) -> None:
        """The player is here again, or has lost the seat: pass over their tables no more."""
        if self.passes_over(identity):
            self._passed_over.remove(identity)
            self._list_anew(identity)

    def passes_over(self, identity: str) -> bool:
        """Whether the tables of the player are offered to nobody."""
        return identity in self._passed_over

    def _list_anew(self, identity: str) -> None:
        directory = self._host.directory
        for stream, sitter in directory.seated(holder_of(identity)):
            if sitter == identity:
                self._listed(stream, directory.unfinished[stream])

    def _listed(self, stream: str, listing: Listing) -> None:
        self._tables.remove(stream)
        if listing.status is not Status.OPEN:
            self._ages.pop(stream, None)
            return
        age = self._ages.setdefault(stream, next(self._numbers))
        if _is_offered(listing) and not self.passes_over(listing.sitters[0].identity):
            self._tables.wait(stream, _as_seek(listing), age)
            asyncio.get_running_loop().call_soon(self._offer, stream)

    def _offer(self, stream: str, after: int = -1) -> None:
        """Whoever has waited longest for such a table, of those `after` a number, sits down."""
        if stream not in self._tables or self.drains():
            return

        def is_behind(identity: str) -> bool:
            return self._looking[identity].number > after

        identity = self._lobby.find(self._tables[stream], is_behind)
        if identity is not None:
            self._lobby.remove(identity)
            self._sit(self._looking[identity], stream, NOWHERE, offered=True)

    # Whoever looks

    def _look(self, looking: Looking, tried: Mapping[str, Seek] = NOWHERE) -> None:
        """Sit down at the oldest table not `tried` as it is now, meet somebody, or wait."""

        def is_new(stream: str) -> bool:
            return self._tables[stream] is not tried.get(stream)

        if self.drains():
            self._wait(looking)
        elif (stream := self._tables.find(looking.seek, is_new)) is not None:
            self._sit(looking, stream, tried)
        elif (other := self._lobby.find(looking.seek)) is not None:
            self._lobby.remove(other)
            self._meet(looking, self._looking[other])
        else:
            self._wait(looking)

    def _sit(
        self, looking: Looking, stream: str, tried: Mapping[str, Seek], offered: bool = False
    ) -> None:
        looking.being_seated = True
        seek, table = looking.seek, self._tables[stream]
        name = free_name(seek.name, [table.name])
        newcomer = Newcomer(seek.identity, name, seek.terms, seek.seat)
        # Somebody else may have sat down meanwhile: then the next one is tried.
        self._host.submit(
            stream,
            TakeSeat(newcomer),
            partial(self._missed, looking, stream, {**tried, stream: table}, offered),
            partial(self._seated, looking, stream),
        )

    def _meet(self, *both: Looking) -> None:
        first, second = sorted(both, key=attrgetter("number"))
        first.being_seated = second.being_seated = True

        # A mistake in what one of them does then must not leave the other to be seated for ever.
        def seated() -> None:
            try:
                self._seated(first, stream)
            finally:
                self._seated(second, stream)

        def refused(no: Refused) -> None:
            try:
                self._refused(first, no)
            finally:
                self._refused(second, no)

        create = _create(Pairing(first.seek, second.seek))
        stream = self._host.create("match", create, refused, accept=seated)

    def _wait(self, looking: Looking) -> None:
        looking.being_seated = False
        self._lobby.wait(looking.seek.identity, looking.seek, looking.number)
        looking.waited = True
        if not looking.told:
            looking.told = True
            looking.waits()

    def _seated(self, looking: Looking, stream: str) -> None:
        identity = looking.seek.identity
        if self._is_here(looking):
            del self._looking[identity]
            looking.paired(stream)
        else:  # the player has gone while the seat was being taken, and nobody met them
            self._host.insist(stream, GoAway(identity, LEFT))

    def _missed(
        self, looking: Looking, stream: str, tried: Mapping[str, Seek], offered: bool, no: Refused
    ) -> None:
        # Perhaps only to this one. Who found it without being asked was no link of that chain.
        if offered and not no.refusal.passes:
            asyncio.get_running_loop().call_soon(self._offer, stream, looking.number)
        if no.refusal.passes or looking.stopped:
            self._refused(looking, no)
        elif self._is_here(looking):
            self._look(looking, tried)

    def _refused(self, looking: Looking, no: Refused) -> None:
        """Whoever has waited did not ask just now, and waits on where it passes."""
        if no.refusal.passes:
            self._look_later()
        if not self._is_here(looking):
            return
        if no.refusal.passes and looking.waited and not looking.stopped:
            self._wait(looking)
        else:
            del self._looking[looking.seek.identity]
            looking.failed(no)

    def _look_later(self) -> None:
        """What one could not have just now any of them may have in a moment."""
        if not self._looks_later:
            self._looks_later = True
            asyncio.get_running_loop().call_later(RETRY_AFTER / 1000, self._later)

    def _later(self) -> None:
        self._looks_later = False
        self.look_again()

    def _is_here(self, looking: Looking) -> bool:
        return self._looking.get(looking.seek.identity) is looking


def _is_offered(listing: Listing) -> bool:
    """Whether one waits there, in public, for whoever comes."""
    return (
        listing.visibility is Visibility.PUBLIC
        and not listing.set_up
        and len(listing.sitters) == 1
        and listing.sitters[0].ready  # nobody waits for one who has not said so
        and not listing.sitters[0].away
    )


def _as_seek(listing: Listing) -> Seek:
    """What the one who waits at a table would ask for."""
    sitter = listing.sitters[0]
    return Seek(
        identity=sitter.identity,
        holder=holder_of(sitter.identity),
        name=sitter.name,
        game=listing.game,
        options=listing.options,
        terms=Terms(),
        control=listing.control,
        seat=sitter.seat,
    )


def _create(pairing: Pairing) -> CreateMatch:
    first, second = pairing.first, pairing.second
    name = free_name(second.name, (first.name,))
    seats = pairing.seats()
    agreed = second if first.flexible else first
    return CreateMatch(
        game=first.game,
        options=agreed.options,
        newcomers=(
            Newcomer(first.identity, first.name, first.terms, seats[0]),
            Newcomer(second.identity, name, second.terms, seats[1]),
        ),
        control=pairing.control,
    )
