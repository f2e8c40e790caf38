"""A policy: seat two who look for each other, or one who fits a table that waits for one."""

import asyncio
from collections.abc import Callable
from functools import partial

from msgspec import Struct

from parlour.games import Refusal, Refused
from parlour.host._ask import nothing
from parlour.host._host import Host
from parlour.lobby import Lobby, Pairing, Seek
from parlour.match import (
    CreateMatch,
    GoAway,
    Listing,
    Newcomer,
    Status,
    TakeSeat,
    Visibility,
    free_name,
)

Paired = Callable[[str], None]
Failed = Callable[[Refused], None]
Waits = Callable[[], None]

DRAINS = "no game begins now: the server is about to stop"


def never() -> bool:
    """For a host that is not to be drained."""
    return False


class Looking(Struct, eq=False, gc=False):
    """Somebody looks, and is told by the newest callbacks.

    While a seat is being taken whoever asks anew gets that one: others sit at its table already.
    """

    seek: Seek
    paired: Paired
    failed: Failed
    waits: Waits
    being_seated: bool = False
    stopped: bool = False  # meanwhile


class Pairer:
    """Carries the lobby's pairings out.

    `paired` is told the match's stream when it is in the log; following that from the start tells
    the rest. `failed` is told when the match could not be recorded, and the player looks no more.
    `waits` is told when there is nobody yet. Options are compared as `CreateMatch` records them:
    complete. A table that is opened is offered to those who wait already. While `drains` nobody
    new finds or waits; who waited already waits on, and looks again at `look_again`.
    """

    def __init__(self, host: Host, lobby: Lobby, drains: Callable[[], bool] = never) -> None:
        self._host = host
        self._lobby = lobby
        self.drains = drains
        self._looking: dict[str, Looking] = {}
        self._passed_over: set[str] = set()
        host.directory.watch(self._listed)

    def seek(self, seek: Seek, paired: Paired, failed: Failed, waits: Waits) -> None:
        """Find an opponent for `seek`, now or when one comes."""
        known = self._looking.get(seek.identity)
        if known is not None and known.being_seated:
            known.seek, known.paired, known.failed, known.waits = seek, paired, failed, waits
            known.stopped = False
            return
        looking = self._looking[seek.identity] = Looking(seek, paired, failed, waits)
        # Nobody may meet the earlier seek of a player who is being seated.
        waited = self._lobby.remove(seek.identity)
        if not self.drains():
            self._look(looking, frozenset())
        elif waited:
            self._lobby.wait(seek)
            waits()
        else:
            self._failed([looking], Refused(Refusal.UNAVAILABLE, DRAINS))

    def look_again(self) -> None:
        """A drain has ended: those who wait find each other, and the tables opened meanwhile."""
        for seek in self._lobby.waiting():
            self._look_anew(seek)

    def _look_anew(self, seek: Seek) -> None:
        """Let somebody look who waits; unless they have been met meanwhile."""
        if self._lobby.remove(seek.identity):
            looking = self._looking[seek.identity]
            looking.waits = nothing  # has been told
            self._look(looking, frozenset())

    def _listed(self, stream: str, listing: Listing) -> None:
        if listing.status is Status.OPEN and self._is_offered(listing):
            asyncio.get_running_loop().call_soon(self._offer, stream)

    def _offer(self, stream: str) -> None:
        """Whoever has waited longest for such a table sits down there."""
        listing = self._host.directory.open.get(stream)
        if listing is None or self.drains() or not self._is_offered(listing):
            return
        for seek in self._lobby.waiting():
            if _suits(listing, seek):
                self._look_anew(seek)
                return

    def _look(self, looking: Looking, tried: frozenset[str]) -> None:
        """Sit down at the oldest table not `tried` yet, or else meet somebody in the lobby."""
        seek = looking.seek
        table = self._waiting_table(seek, tried)
        if table is None:
            self._meet(looking)
            return
        looking.being_seated = True
        sitters = self._host.directory.open[table].sitters
        name = free_name(seek.name, [one.name for one in sitters])
        newcomer = Newcomer(seek.identity, name, seek.terms, seek.seat)
        # Somebody else may have sat down meanwhile: then the next one is tried.
        self._host.submit(
            table,
            TakeSeat(newcomer),
            partial(self._missed, looking, tried | {table}),
            partial(self._seated, looking, table),
        )

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

    def pass_over(self, identity: str) -> None:
        """The player is not here: offer nobody the table where they wait."""
        self._passed_over.add(identity)

    def offer_again(self, identity: str) -> None:
        """The player is here again, or has lost the seat: pass over their tables no more."""
        self._passed_over.discard(identity)

    def passes_over(self, identity: str) -> bool:
        """Whether the tables of the player are offered to nobody."""
        return identity in self._passed_over

    def waiting(self) -> list[Seek]:
        """Everybody who waits, the longest first."""
        return self._lobby.waiting()

    def _meet(self, looking: Looking) -> None:
        pairing = self._lobby.add(looking.seek)
        if pairing is None:
            looking.being_seated = False
            looking.waits()
            return
        both = [self._looking[one.identity] for one in (pairing.first, pairing.second)]
        for one in both:
            one.being_seated = True

        def seated() -> None:
            for one in both:
                self._seated(one, stream, "left before the game began")

        create = _create(pairing)
        stream = self._host.create("match", create, partial(self._failed, both), accept=seated)

    def _failed(self, those: list[Looking], no: Refused) -> None:
        for looking in those:
            if self._is_here(looking):
                del self._looking[looking.seek.identity]
                looking.failed(no)

    def _seated(self, looking: Looking, table: str, stranger: str = "") -> None:
        identity = looking.seek.identity
        if self._is_here(looking):
            del self._looking[identity]
            looking.paired(table)
        else:  # the player has gone while the seat was being taken
            self._host.insist(table, GoAway(identity, stranger))

    def _missed(self, looking: Looking, tried: frozenset[str], no: Refused) -> None:
        # One that passes: the seat is free, and nobody can be seated just now.
        if no.refusal.passes or looking.stopped:
            self._failed([looking], no)
        elif self._is_here(looking):
            self._look(looking, tried)

    def _is_here(self, looking: Looking) -> bool:
        return self._looking.get(looking.seek.identity) is looking

    def _waiting_table(self, seek: Seek, tried: frozenset[str]) -> str | None:
        """The oldest table that is offered, and suits."""
        for stream, listing in self._host.directory.open.items():
            if stream not in tried and _suits(listing, seek) and self._is_offered(listing):
                return stream
        return None

    def _is_offered(self, listing: Listing) -> bool:
        """Whether one waits there, in public, for whoever comes."""
        return (
            listing.visibility is Visibility.PUBLIC
            and not listing.set_up
            and len(listing.sitters) == 1
            and listing.sitters[0].ready  # nobody waits for one who has not said so
            and not listing.sitters[0].away
            and not self.passes_over(listing.sitters[0].identity)
        )


def _suits(listing: Listing, seek: Seek) -> bool:
    """Whether it is the same game, with the same options and clock, and a seat that suits."""
    return (
        seek.opponent is None
        and listing.game == seek.game
        and (listing.options == seek.options or seek.flexible)
        and seek.takes(listing.control)
        and not listing.sits(seek.identity)
        and (seek.seat is None or all(one.seat != seek.seat for one in listing.sitters))
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
