"""A policy: seat two who look for each other, or one who fits a table that waits for one."""

from collections.abc import Callable
from functools import partial

from parlour.games import Refusal, Refused
from parlour.host._ask import nothing
from parlour.host._host import Host
from parlour.lobby import Lobby, Pairing, Seek
from parlour.match import CreateMatch, GoAway, Newcomer, TakeSeat, Visibility, fold_name

Paired = Callable[[str], None]
Failed = Callable[[Refused], None]
Waits = Callable[[], None]
Asker = tuple[Paired, Failed, Waits]

DRAINS = "no game begins now: the server is about to stop"


def never() -> bool:
    """For a host that is not to be drained."""
    return False


class Pairer:
    """Carries the lobby's pairings out.

    `paired` is told the match's stream when it is in the log; following that from the start tells
    the rest. `failed` is told when the match could not be recorded, and the player looks no more.
    `waits` is told when there is nobody yet. Options are compared as `CreateMatch` records them:
    complete. While `drains` nobody new finds or waits; who waited already waits on, and looks
    again at `look_again`.
    """

    def __init__(self, host: Host, lobby: Lobby, drains: Callable[[], bool] = never) -> None:
        self._host = host
        self._lobby = lobby
        self._drains = drains
        self._askers: dict[str, Asker] = {}

    def seek(self, seek: Seek, paired: Paired, failed: Failed, waits: Waits) -> None:
        """Find an opponent for `seek`, now or when one comes."""
        asker = self._askers[seek.identity] = (paired, failed, waits)
        # Nobody may meet the earlier seek of a player who is being seated.
        waited = self._lobby.remove(seek.identity)
        if not self._drains():
            self._look(seek, asker, frozenset())
        elif waited:
            self._lobby.wait(seek)
            waits()
        else:
            self._failed([(seek.identity, asker)], Refused(Refusal.UNAVAILABLE, DRAINS))

    def look_again(self) -> None:
        """A drain has ended: those who wait find each other, and the tables opened meanwhile."""
        for seek in self._lobby.waiting():
            if self._lobby.remove(seek.identity):  # it may have been met meanwhile
                paired, failed, _ = self._askers[seek.identity]
                asker = self._askers[seek.identity] = (paired, failed, nothing)  # has been told
                self._look(seek, asker, frozenset())

    def _look(self, seek: Seek, asker: Asker, tried: frozenset[str]) -> None:
        """Sit down at the oldest table not `tried` yet, or else meet somebody in the lobby."""
        table = self._waiting_table(seek, tried)
        if table is None:
            self._meet(seek)
            return
        newcomer = Newcomer(seek.identity, seek.name, seek.terms, seek.seat)
        # Somebody else may have sat down meanwhile: then the next one is tried.
        self._host.submit(
            table,
            TakeSeat(newcomer),
            partial(self._missed, seek, asker, tried | {table}),
            partial(self._seated, seek.identity, asker, table),
        )

    def cancel(self, identity: str) -> bool:
        """Look no more; False when nobody of that identity was looking."""
        self._askers.pop(identity, None)
        return self._lobby.remove(identity)

    def waiting(self) -> list[Seek]:
        """Everybody who waits, the longest first."""
        return self._lobby.waiting()

    def _meet(self, seek: Seek) -> None:
        pairing = self._lobby.add(seek)
        if pairing is None:
            self._askers[seek.identity][2]()
            return
        askers = [
            (one.identity, self._askers[one.identity]) for one in (pairing.first, pairing.second)
        ]
        create = _create(pairing)

        def seated() -> None:
            for identity, asker in askers:
                self._seated(identity, asker, stream, "left before the game began")

        stream = self._host.create("match", create, partial(self._failed, askers), accept=seated)

    def _failed(self, askers: list[tuple[str, Asker]], no: Refused) -> None:
        for identity, asker in askers:
            if self._askers.get(identity) is asker:
                del self._askers[identity]
                asker[1](no)

    def _seated(self, identity: str, asker: Asker, table: str, stranger: str = "") -> None:
        if self._askers.get(identity) is asker:
            del self._askers[identity]
            asker[0](table)
        else:  # the player has gone, or looks anew, while the seat was being taken
            self._host.insist(table, GoAway(identity, stranger))

    def _missed(self, seek: Seek, asker: Asker, tried: frozenset[str], no: Refused) -> None:
        if no.refusal.passes:  # the seat is free, and nobody can be seated just now
            self._failed([(seek.identity, asker)], no)
        elif self._askers.get(seek.identity) is asker:
            self._look(seek, asker, tried)

    def _waiting_table(self, seek: Seek, tried: frozenset[str]) -> str | None:
        """The oldest public table of the same game and options with a free seat that suits."""
        if seek.opponent is not None:
            return None
        for stream, listing in self._host.directory.open.items():
            if (
                stream not in tried
                and listing.visibility is Visibility.PUBLIC
                and listing.game == seek.game
                and (listing.options == seek.options or seek.flexible)
                and not listing.set_up
                and len(listing.sitters) == 1
                and listing.sitters[0].ready  # nobody waits for one who has not said so
                and not listing.sitters[0].away
                and not listing.sits(seek.identity)
                and (seek.seat is None or listing.sitters[0].seat != seek.seat)
            ):
                return stream
        return None


def _create(pairing: Pairing) -> CreateMatch:
    first, second = pairing.first, pairing.second
    name = second.name
    while fold_name(name) == fold_name(first.name):
        name += "x"
    seats = pairing.seats()
    agreed = second if first.flexible else first
    return CreateMatch(
        game=first.game,
        options=agreed.options,
        newcomers=(
            Newcomer(first.identity, first.name, first.terms, seats[0]),
            Newcomer(second.identity, name, second.terms, seats[1]),
        ),
        control=first.control,
    )
