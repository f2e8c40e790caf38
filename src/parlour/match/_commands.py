"""What can be asked of a match: a closed union of wishes.

`by` is the identity of whoever asks; the match knows which seat that is.
"""

from typing import Any

from msgspec import Struct

from parlour.games import Seat
from parlour.match._clock import TimeControl
from parlour.match._events import AbortCause, ForfeitCause, Fork, Visibility
from parlour.match._terms import Terms


class Newcomer(Struct, frozen=True):
    """Who wants to sit down, and where; `seat` None means the first free one."""

    identity: str
    name: str
    terms: Terms = Terms()
    seat: Seat | None = None


class CreateMatch(Struct, frozen=True):
    """Open a table and seat `newcomers` in that order. Options left out take their defaults.

    `rematch_of` and `lock` are recorded as they are, see `MatchCreated`.
    """

    game: str
    options: dict[str, Any] = {}
    newcomers: tuple[Newcomer, ...] = ()
    room: str = ""
    visibility: Visibility = Visibility.PUBLIC
    control: TimeControl = TimeControl()
    opening: tuple[str, ...] = ()
    fork_of: Fork | None = None
    rematch_of: str = ""
    lock: str = ""


class TakeSeat(Struct, frozen=True):
    """Sit down, before the start or in a vacated seat of a suspended match.

    The seat of `instead_of` need not be vacated where that player is away from a suspended match:
    they lose it to the newcomer. After a restart it is kept for them until the pause is over.
    """

    newcomer: Newcomer
    instead_of: str = ""

    @property
    def by(self) -> str:
        """Who asks."""
        return self.newcomer.identity


class LeaveSeat(Struct, frozen=True):
    """Give the seat up: free before the start, lost or vacated (by the terms) after it."""

    by: str


class SetReady(Struct, frozen=True):
    """Say that the game may begin, or go on. The last one needed starts it."""

    by: str
    ready: bool = True


class PlayMove(Struct, frozen=True, gc=False):
    """Play a move. With `ply` given, only as that move of the game, counted from 0."""

    by: str
    move: str
    ply: int | None = None


class Resign(Struct, frozen=True):
    """Lose the game at once, in turn or out of it."""

    by: str


class GoAway(Struct, frozen=True):
    """The player's connection is lost.

    With `stranger`, a sentence, it spoke no protocol of ours, or was lost while its seat was
    being taken: where nobody has moved yet, the others have not met an opponent, and the match is
    aborted.
    """

    by: str
    stranger: str = ""


class ComeBack(Struct, frozen=True):
    """The player is there again."""

    by: str


class Restart(Struct, frozen=True):
    """The service has started again and knows nobody's connection; seats wait until `until`."""

    until: int


class Tick(Struct, frozen=True):
    """Look at the time: clocks, absences and pauses that have run out."""


class ForfeitSeat(Struct, frozen=True):
    """Take a seat out of the game, whatever its terms.

    Where `ply` is given, only while the game goes on and has come to that ply, not past it.
    """

    seat: Seat
    cause: ForfeitCause
    detail: str = ""
    ply: int | None = None


class AbortMatch(Struct, frozen=True):
    """End the match without a result.

    One that has begun not, if it is `only_waiting`; and none where anybody sits but the
    identities in `only_with`, where that is given.
    """

    cause: AbortCause
    detail: str = ""
    only_waiting: bool = False
    only_with: tuple[str, ...] | None = None


Command = (
    CreateMatch
    | TakeSeat
    | LeaveSeat
    | SetReady
    | PlayMove
    | Resign
    | GoAway
    | ComeBack
    | Restart
    | Tick
    | ForfeitSeat
    | AbortMatch
)
