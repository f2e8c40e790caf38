"""What players are called in this protocol's alphabet."""

import itertools
import re
import string
import unicodedata

from parlour.gateways import Bans
from parlour.host import Directory, fold_room
from parlour.match import Listing, Player

REALM = "ruc:"
# RUC course network protocol, JOIN_ROOM_OP: letters, digits and _, at most 20 of them.
NAME = re.compile(r"[A-Za-z0-9_]{1,20}", re.ASCII)
LENGTH = 20
ALPHABET = frozenset(string.ascii_letters + string.digits + "_")
NAMELESS = "guest"


def identity_of(name: str, address: str) -> str:
    """Who a player is: the same name from another address is somebody else.

    The room is not part of it, because a seat is looked for in one room's match only.
    """
    return f"{REALM}{name} {address}"


def shown_name(name: str, taken: set[str]) -> str:
    """`name` folded to `[A-Za-z0-9_]{1,20}`, with a number added until nobody else has it."""
    folded = "".join(c for c in unicodedata.normalize("NFKD", name) if c in ALPHABET) or NAMELESS
    used = {one.casefold() for one in taken}
    for number in itertools.count(1):
        ending = "" if number == 1 else str(number)
        shown = folded[: LENGTH - len(ending)] + ending
        if shown.casefold() not in used:
            return shown
    raise AssertionError("unreachable: numbers do not end")


class Hold:
    """One connection's hold on a seat; `superseded` when its player came back over another."""

    __slots__ = ("identity", "room", "superseded")

    def __init__(self, room: str, identity: str) -> None:
        self.room = room
        self.identity = identity
        self.superseded = False


class Names:
    """What the sessions know of each other: who holds a place in a room, who is called what.

    A foreign player's name is the same for every client as long as the match lasts.
    """

    def __init__(self, directory: Directory, bans: Bans | None = None) -> None:
        self.bans = bans or Bans()
        self._directory = directory
        self._lent: dict[str, dict[str, str]] = {}
        self._holds: dict[str, dict[str, Hold]] = {}
        directory.watch(self._listed)

    def hold(self, room: str, identity: str) -> Hold:
        """Take a place in a room; whoever held it before is superseded."""
        room = fold_room(room)
        holds = self._holds.setdefault(room, {})
        if identity in holds:
            holds[identity].superseded = True
        hold = holds[identity] = Hold(room, identity)
        return hold

    def held(self, room: str, identity: str) -> bool:
        """Whether a connection has, or asks for, that place."""
        return identity in self._holds.get(fold_room(room), {})

    def release(self, hold: Hold) -> None:
        """Give the place up, unless somebody else has it by now."""
        holds = self._holds.get(hold.room, {})
        if holds.get(hold.identity) is hold:
            del holds[hold.identity]
        if not holds:
            self._holds.pop(hold.room, None)

    def of(self, stream: str, player: Player, company: list[Player]) -> str:
        """What `player` is called among `company`."""
        if player.identity.startswith(REALM):
            return player.name
        lent = self._lent.get(stream, {})
        if player.identity not in lent:
            native = {one.name for one in company if one.identity.startswith(REALM)}
            lent[player.identity] = shown_name(player.name, native | set(lent.values()))
            if stream in self._directory.unfinished:  # nobody joins one that is over
                self._lent[stream] = lent
        return lent[player.identity]

    def is_lent(self, stream: str, name: str) -> bool:
        """Whether a foreign player of that match is called so."""
        folded = name.casefold()
        return any(one.casefold() == folded for one in self._lent.get(stream, {}).values())

    def _listed(self, stream: str, listing: Listing) -> None:
        if listing.status.finished:
            self._lent.pop(stream, None)
