"""Who looks for whom. In memory only: after a crash the living must not meet the dead."""

from typing import Any

from msgspec import Struct

from parlour.games import Seat
from parlour.match import Terms, TimeControl


class Seek(Struct, frozen=True):
    """Somebody waits for an opponent in a game for two.

    `seat` is set when the player has already been told where they sit. `opponent` is the holder
    (as in `nedap:alice`) of the only one wanted. `flexible` takes the other's options. `control`
    is the clock that the player asks for, beside the turn limit of the `terms`.
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

    @property
    def clock(self) -> TimeControl:
        """The clock of a game with somebody who asks for none."""
        return self.control.within(self.terms.turn_limit)

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
    """Two who found each other; `first` has waited longer, and its options count."""

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


class Lobby:
    """Seeks in the order in which they came."""

    def __init__(self) -> None:
        self._seeks: dict[str, Seek] = {}

    def add(self, seek: Seek) -> Pairing | None:
        """Pair the seek with the longest waiting one that suits, or let it wait.

        An earlier seek of the same identity is replaced.
        """
        self._seeks.pop(seek.identity, None)
        for waiting in self._seeks.values():
            if waiting.suits(seek):
                del self._seeks[waiting.identity]
                return Pairing(waiting, seek)
        self.wait(seek)
        return None

    def wait(self, seek: Seek) -> None:
        """Let the seek wait, whoever is there."""
        self._seeks[seek.identity] = seek

    def remove(self, identity: str) -> bool:
        """Forget the seek; False when there was none."""
        return self._seeks.pop(identity, None) is not None

    def waiting(self) -> list[Seek]:
        """Everybody who waits, the longest first."""
        return list(self._seeks.values())
