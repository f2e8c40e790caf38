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
        description="A set number starts when all of them sit; otherwise all who sit say ready",
        extra_json_schema={
            "labels": {
                "0": "As many as come",
                **{str(count): str(count) for count in COUNTS["2-6"]},
            }
        },
    ),
]
PlayerCounts = Annotated[
    Literal["2-6", "2,3,6"],
    Meta(
        title="Players allowed",
        description="With how many a game may start; with 5 somebody has nobody opposite",
        extra_json_schema={
            "labels": {"2-6": "Any number from 2 to 6", "2,3,6": "Only 2, 3 or 6"},
            "unusual": True,
        },
    ),
]
BlockedTarget = Annotated[
    Literal["strict", "full"],
    Meta(
        title="Somebody else's piece in your target",
        description="What counts as being home when a piece of another player stays there",
        extra_json_schema={
            "labels": {
                "strict": "Keeps you from winning: all your pieces must be in",
                "full": "Does not matter: the target must be full, one piece yours",
            },
            "unusual": True,
        },
    ),
]
MaxRounds = Annotated[
    int,
    Meta(
        ge=1,
        le=LONGEST,
        title="Longest game",
        description="In rounds; after so many, whoever has more pieces home is ahead",
        extra_json_schema={"unusual": True},
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
