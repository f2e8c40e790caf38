"""What can be set before a game of Go."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

SMALLEST, LARGEST = 5, 131  # GoProtocol (Nedap University, 2016-2018): odd sizes from 5 to 131.
ENDS = ("white-last", "any")

Size = Annotated[
    int,
    Meta(
        ge=SMALLEST,
        le=LARGEST,
        title="Board size",
        description=f"Lines on each side, an odd number from {SMALLEST} to {LARGEST}; "
        "9 is a short game, 19 the usual one",
        extra_json_schema={"step": 2},
    ),
]
End = Annotated[
    Literal["white-last", "any"],
    Meta(
        title="How the game ends",
        description="Both have to pass; programs that speak Nedap's protocol know the first way",
        extra_json_schema={
            "labels": {
                "white-last": "White passes directly after Black has passed",
                "any": "Two passes follow each other, whoever begins",
            },
            "unusual": True,
        },
    ),
]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The size of the board and which two passes end the game.

    Raises:
        ValueError: a size that is even or outside 5..131, or an unknown end.
    """

    size: Size = 19
    end: End = "white-last"

    def __post_init__(self) -> None:
        if not SMALLEST <= self.size <= LARGEST or self.size % 2 == 0:
            raise ValueError(f"size is {self.size}, not an odd number from {SMALLEST} to {LARGEST}")
        if self.end not in ENDS:
            raise ValueError(f"end is {self.end}, not one of {', '.join(ENDS)}")
