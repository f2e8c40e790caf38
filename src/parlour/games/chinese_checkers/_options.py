"""What can be set before a game of Chinese checkers."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

FEWEST, MOST = 2, 6
LONGEST = 10_000
COUNTS = {"2-6": (2, 3, 4, 5, 6), "2,3,6": (2, 3, 6)}

Players = Annotated[
    int,
    Meta(
        ge=0,
        le=MOST,
        title="Number of players",
        description="2 to 6, or 0 to start with as many as are ready",
    ),
]
PlayerCounts = Annotated[
    Literal["2-6", "2,3,6"],
    Meta(title="Numbers allowed", description="With how many players a game may start"),
]
BlockedTarget = Annotated[
    Literal["strict", "full"],
    Meta(
        title="Blocked target",
        description="strict: all your pieces must be in your target; "
        "full: your target must be full and hold at least one of your pieces",
    ),
]
MaxRounds = Annotated[
    int,
    Meta(
        ge=1,
        le=LONGEST,
        title="Longest game",
        description="After that many rounds the game is judged by pieces home",
    ),
]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """How many play, what counts as home, and when an endless game is cut off.

    Raises:
        ValueError: a number of players that `player_counts` does not allow, a number outside
            its bounds, or an unknown choice.
    """

    players: Players = 0
    player_counts: PlayerCounts = "2-6"
    blocked_target: BlockedTarget = "strict"
    max_rounds: MaxRounds = 500

    def __post_init__(self) -> None:
        if self.player_counts not in COUNTS:
            raise ValueError(f"player_counts is {self.player_counts}, not 2-6 or 2,3,6")
        if self.players and self.players not in COUNTS[self.player_counts]:
            raise ValueError(f"players is {self.players}, not 0 or one of {self.player_counts}")
        if self.blocked_target not in ("strict", "full"):
            raise ValueError(f"blocked_target is {self.blocked_target}, not strict or full")
        if not 1 <= self.max_rounds <= LONGEST:
            raise ValueError(f"max_rounds is {self.max_rounds}, not 1 to {LONGEST}")
