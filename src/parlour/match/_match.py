"""The state of one match: an immutable fold of its events."""

import enum

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import AnyGame, Outcome, Position, Seat
from parlour.match._clock import Clock, TimeControl
from parlour.match._events import Pause, Visibility
from parlour.match._terms import Terms


class Status(enum.StrEnum):
    """Where a match is in its life."""

    OPEN = "open"  # seats are being taken
    LIVE = "live"
    SUSPENDED = "suspended"
    OVER = "over"
    ABORTED = "aborted"

    @property
    def finished(self) -> bool:
        """Whether nothing can happen any more."""
        return self is Status.OVER or self is Status.ABORTED

    @property
    def started(self) -> bool:
        """Whether the game has begun and is not finished."""
        return self is Status.LIVE or self is Status.SUSPENDED


class Player(Struct, frozen=True, gc=False):
    """Who sits in a seat. `joined` is the version at which they sat down."""

    identity: str
    name: str
    terms: Terms
    joined: int
    ready: bool
    away_since: int | None = None


class Match(Struct, frozen=True, gc=False):
    """One game at one table; `version` counts the events so far.

    `seats` has a place for everybody who may sit down; once the match has started, exactly the
    seats of the game, in its order. `position` and `clock` are None before that.
    """

    game: AnyGame
    options: Struct
    room: str
    visibility: Visibility
    control: TimeControl
    opening: tuple[str, ...]
    seats: tuple[Player | None, ...]
    version: int = 1
    at: int = 0  # when the newest event was decided: so far the match is known to have been lived
    status: Status = Status.OPEN
    position: Position | None = None
    clock: Clock | None = None
    pause: Pause | None = None
    pause_until: int = 0
    outcome: Outcome | None = None
    unrest: dict[str, int] = {}
    """By identity, how much it has come and gone since the start or the last move: see `evolve`."""

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The game's names of the seats that are there now."""
        return self.game.seat_names(self.options, len(self.seats))

    @property
    def turn(self) -> Seat | None:
        """Who is to move; None before the start and after the end."""
        return self.position.turn if self.position is not None else None

    @property
    def moved(self) -> bool:
        """Whether anybody has played a move; the opening was played by nobody."""
        return self.position is not None and self.position.ply > len(self.opening)

    def seat_of(self, identity: str) -> Seat | None:
        """The seat of an identity; None for those who are not at the table."""
        turn = self.turn
        if turn is not None:  # mostly it is asked by whoever is to move
            mover = self.seats[turn]
            if mover is not None and mover.identity == identity:
                return turn
        for seat, player in enumerate(self.seats):
            if player is not None and player.identity == identity:
                return seat
        return None

    def player(self, seat: Seat) -> Player:
        """Who sits there.

        Raises:
            LookupError: nobody does.
        """
        player = self.seats[seat]
        if player is None:
            raise LookupError(f"seat {seat} is empty")
        return player

    def players(self) -> list[tuple[Seat, Player]]:
        """The seats that are taken, in order."""
        return [(seat, player) for seat, player in enumerate(self.seats) if player is not None]

    def playing(self, seat: Seat) -> bool:
        """Whether the seat still has a say in a started game."""
        return self.position is not None and self.position.playing(seat)

    def with_player(self, seat: Seat, player: Player | None) -> "Match":
        """The same match with another (or nobody) in the seat."""
        return replace(self, seats=(*self.seats[:seat], player, *self.seats[seat + 1 :]))

    def can_start(self) -> bool:
        """Whether enough players are there and all of them are present and ready."""
        players = [player for _, player in self.players()]
        return self.game.can_start(self.options, len(players)) and all(
            player.ready and player.away_since is None for player in players
        )

    def can_resume(self) -> bool:
        """Whether every seat still playing is taken by somebody present and ready."""
        return all(
            player is not None and player.ready and player.away_since is None
            for seat, player in enumerate(self.seats)
            if self.playing(seat)
        )
