"""Who looks for whom. In memory only: after a crash the living must not meet the dead."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from parlour.games import Seat
from parlour.match import Terms, TimeControl


class Seek(Struct, frozen=True):
    """Somebody waits for an opponent in a game for two.

    `seat` is set when the player has already been told where they sit. `opponent` is the holder
    (as in `nedap:alice`) of the only one wanted. `flexible` takes the other's options. `control`
    is the clock that the player asks for, beside the turn limit of the `terms`. `source` is the
    address they come from, where the identity does not say it.
    """

    identity: str
    holder: str
    name: str
    game: str
    options: dict[str, Any]
    terms: Terms
    control: TimeControl = TimeControl()
    seat: Seat | None = None
    opponent: str | None = None
    flexible: bool = False
    source: str = ""

    @property
    def clock(self) -> TimeControl:
        """The clock of a game with somebody who asks for none."""
        return self.control.within(self.terms.turn_limit)

    @property
    def share(self) -> str:
        """Whose share of a list it takes: that of an address, where it is known."""
        return self.source or self.identity.partition(" ")[2] or self.identity

    def takes(self, control: TimeControl) -> bool:
        """Whether the player asks for just that clock, or has it anyway. Nobody gets another."""
        return control in (self.control, self.clock)

    def suits(self, other: "Seek") -> bool:
        """Whether the two want the same game by the same clock, and each other."""
        return (
            self.game == other.game
            and self.identity != other.identity
            and self.opponent in (None, other.holder)
            and other.opponent in (None, self.holder)
            and (self.seat is None or self.seat != other.seat)
            and (self.options == other.options or self.flexible or other.flexible)
            and (self.takes(other.control) or other.takes(self.control))
        )


class Pairing(Struct, frozen=True):
    """Two who found each other; `first` came earlier, and its options count."""

    first: Seek
    second: Seek

    @property
    def control(self) -> TimeControl:
        """The clock that one asks for and the other takes."""
        first, second = self.first, self.second
        return first.control if second.takes(first.control) else second.control

    def seats(self) -> tuple[Seat, Seat]:
        """Where they sit: as they were told, else the longer waiting one moves first."""
        if self.second.seat is not None:
            return (1 - self.second.seat, self.second.seat)
        first = self.first.seat or 0
        return (first, 1 - first)


Shelfmark = tuple[str, TimeControl, bytes | None]


def anybody(key: str) -> bool:
    """For whoever leaves nobody out."""
    return True


class Lobby:
    """Seeks under keys, in the order of their numbers, each found by what another's must equal."""

    def __init__(self) -> None:
        self._seeks: dict[str, tuple[int, Seek]] = {}
        self._index: dict[Shelfmark, list[tuple[int, str]]] = {}
        """Numbers and keys, sorted: whoever looks need not ask all the others."""

    def __contains__(self, key: str) -> bool:
        return key in self._seeks

    def __getitem__(self, key: str) -> Seek:
        return self._seeks[key][1]

    def find(self, seek: Seek, among: Callable[[str], bool] = anybody) -> str | None:
        """The key of the first one that suits, of those `among` which it may be."""

        def suits(one: tuple[int, str]) -> bool:
            _, key = one
            return among(key) and self[key].suits(seek)

        firsts = (next(filter(suits, self._index.get(mark, ())), None) for mark in _sought(seek))
        found = min(filter(None, firsts), default=None)
        return None if found is None else found[1]

    def wait(self, key: str, seek: Seek, number: int) -> None:
        """Let the seek wait, whoever is there. An earlier one of that key is replaced."""
        self.remove(key)
        self._seeks[key] = number, seek
        for mark in _marks(seek):
            insort(self._index.setdefault(mark, []), (number, key))

    def remove(self, key: str) -> bool:
        """Forget the seek; False when there was none."""
        if key not in self._seeks:
            return False
        number, seek = self._seeks.pop(key)
        for mark in _marks(seek):
            same = self._index[mark]
            del same[bisect_left(same, (number, key))]
            if not same:
                del self._index[mark]
        return True

    def waiting(self) -> list[Seek]:
        """Everybody who waits, the first ones first."""
        return [seek for _, seek in sorted(self._seeks.values(), key=itemgetter(0))]


def _marks(seek: Seek) -> Iterator[Shelfmark]:
    """Where a seek is found: by its options, by any, and as one that takes any."""
    for control in {seek.control, seek.clock}:
        yield seek.game, control, msgspec.json.encode(seek.options, order="sorted")
        yield seek.game, control, None
        if seek.flexible:
            yield seek.game, control, b""


def _sought(seek: Seek) -> Iterator[Shelfmark]:
    """Where those are found that may suit a seek; one of two has the clock of the other."""
    for control in {seek.control, seek.clock}:
        if seek.flexible:
            yield seek.game, control, None
        else:
            yield seek.game, control, msgspec.json.encode(seek.options, order="sorted")
            yield seek.game, control, b""
