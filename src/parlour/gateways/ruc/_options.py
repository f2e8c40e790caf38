"""What an operator can set for Chinese checkers over JSON lines."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Seconds = Annotated[int, Meta(ge=0, le=86_400)]


class RucOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """`turn_limit` and `grace` hold wherever a client of this protocol plays.

    The others hold in the rooms that are opened through it.
    """

    turn_limit: Annotated[Seconds, Meta(description="seconds for a move; 0: no limit")] = 15
    grace: Annotated[
        Seconds,
        Meta(description="seconds to come back in, proved by name and address; 0: none"),
    ] = 30
    player_counts: Annotated[
        Literal["2-6", "2,3,6"], Meta(description="with how many players a game may start")
    ] = "2-6"
    blocked_target: Annotated[
        Literal["strict", "full"],
        Meta(
            description="strict: all pieces home; full: target full, one piece of one's own in it"
        ),
    ] = "strict"
    max_rounds: Annotated[
        int, Meta(ge=1, le=10_000, description="rounds until an endless game is judged")
    ] = 500
