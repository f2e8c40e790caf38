"""What every game promises: immutable positions, moves as text, an outcome as a ranking.

Laws, which `tests/contracts/games.py` holds every game to:

1. A position never changes. `play` and `without` return new ones.
2. `moves()` yields canonical text, each once; `play` accepts every one of them.
3. `outcome` is None exactly as long as `turn` names a seat; a finished position has no moves.
4. A refused move raises `Refused` with ILLEGAL_MOVE or MALFORMED_MOVE, and nothing else.
5. No rule recurses, reads a clock or draws a random number.
"""

import enum
from collections.abc import Iterable
from typing import Any, Protocol, Self, TypeVar

from msgspec import Struct

Seat = int
"""A chair at the table: 0 moves first unless the options say otherwise."""


class Cause(enum.StrEnum):
    """Why a seat stands where it stands in an `Outcome`."""

    LINE = "line"  # a row, column or diagonal was completed (tic-tac-toe)
    BOARD_FULL = "board-full"  # nothing is left to play (tic-tac-toe)
    AREA = "area"  # the count at the end (Go)
    HOME = "home"  # all pieces reached the target (Chinese checkers)
    LAST_STANDING = "last-standing"  # nobody else was left to play against
    ROUND_LIMIT = "round-limit"  # the game was cut off and judged (Chinese checkers)
    LEFT = "left"  # taken out by `without`: resigned, timed out, absent


class Outcome(Struct, frozen=True):
    """How a game ended.

    `ranking` lists groups of seats, best first; seats in one group share the place, so a draw
    of two is `((0, 1),)`. `causes` and `scores` are indexed by seat; `scores` is empty where
    the game counts no points.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    causes: tuple[Cause, ...]
    scores: tuple[int, ...] = ()

    @property
    def winner(self) -> Seat | None:
        """The only seat in the first place; None when the first place is shared."""
        first = self.ranking[0]
        return first[0] if len(first) == 1 else None


class Seating(enum.StrEnum):
    """When a player learns which seat is theirs."""

    FIXED = "fixed"  # chosen when the seat is taken
    AT_START = "at-start"  # dealt in the order of joining when the match starts


class Position(Protocol):
    """One immutable position of a game."""

    @property
    def turn(self) -> Seat | None:
        """Who is to move; None when the game is over."""

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the game goes on."""

    @property
    def ply(self) -> int:
        """How many moves were played, passes included and `without` not."""

    def moves(self) -> Iterable[str]:
        """Every legal move as canonical text."""

    def play(self, move: str) -> Self:
        """The position after `move`, given as canonical text.

        Raises:
            Refused: ILLEGAL_MOVE with the rule that forbids it, MALFORMED_MOVE when the text
                is not canonical or the game is over.
        """

    def without(self, seat: Seat) -> Self:
        """The position after `seat` resigned, timed out or left for good.

        `seat` must still be playing: a position that is over, or that `seat` has left or
        finished in, is returned as it is.
        """

    def playing(self, seat: Seat) -> bool:
        """Whether `seat` can still move: it has neither finished nor left, nor is the game over."""

    def diagram(self) -> str:
        """The board for people: lines of text without a line break at the end."""


OptionsT = TypeVar("OptionsT", bound=Struct)
PositionT_co = TypeVar("PositionT_co", bound=Position, covariant=True)


class Game(Protocol[OptionsT, PositionT_co]):
    """A game's constants and how to begin one. Implementations are stateless values."""

    @property
    def name(self) -> str:
        """The stable name in logs and interfaces: lower case, `[a-z_]+`."""

    @property
    def title(self) -> str:
        """The name for people."""

    @property
    def options(self) -> type[OptionsT]:
        """A frozen struct whose fields all have defaults and carry `msgspec.Meta`.

        The forms of the web page and of Multi-User Gaming are made from it: title, description,
        bounds, `Literal` choices, and of `extra_json_schema` `labels`, `step` and `unusual`.
        Its `__post_init__` raises ValueError for what bounds cannot say, so that decoding and
        constructing refuse the same values.
        """

    @property
    def seating(self) -> Seating:
        """When seats are given out."""

    def capacity(self, options: OptionsT) -> int:
        """How many can sit down at most."""

    def can_start(self, options: OptionsT, players: int) -> bool:
        """Whether a match may begin with that many players, all seated and ready."""

    def seat_names(self, options: OptionsT, players: int) -> tuple[str, ...]:
        """What the seats are called, in seat order: `("x", "o")`, `("A", "C", "E")`."""

    def start(self, options: OptionsT, players: int) -> PositionT_co:
        """The first position for `players` seats (`can_start` holds)."""


AnyGame = Game[Any, Position]
