"""What an operator can set for Go over text lines."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class NedapOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The table [nedap]. Times are seconds."""

    ready_form: Annotated[
        Literal["colour", "table"],
        Meta(
            title="Form of READY",
            description="colour: READY colour opponent size, which all real clients read; "
            "table: READY size colour name colour name",
        ),
    ] = "colour"
    cancel: Annotated[
        Literal["keep", "close"],
        Meta(title="CANCEL", description="keep or close the connection after CANCEL"),
    ] = "keep"
    kick: Annotated[
        Literal["game", "connection"],
        Meta(title="Illegal moves", description="what an illegal move costs besides the game"),
    ] = "game"
    pair: Annotated[
        Literal["size", "any"],
        Meta(
            title="Sizes",
            description="size: wait for the same board size; any: 20 s later take the size of "
            "who waits longest",
        ),
    ] = "size"
    end: Annotated[
        Literal["white-last", "any"],
        Meta(
            title="Passes that end the game",
            description="white-last: white passes directly after black; any: two in a row",
        ),
    ] = "white-last"
    grace: Annotated[
        int,
        Meta(
            ge=0,
            le=86_400,
            title="Grace",
            description="seconds to come back in, proved by name and address; 0: none, for rooms "
            "that share an address",
        ),
    ] = 30
    turn_limit: Annotated[
        int,
        Meta(ge=0, le=86_400, title="Turn limit", description="seconds for a move; 0: no limit"),
    ] = 600
    total: Annotated[
        int,
        Meta(
            ge=0,
            le=2_592_000,
            title="Total time",
            description="seconds for all moves of a player; 0: no limit",
        ),
    ] = 0
    increment: Annotated[
        int,
        Meta(
            ge=0,
            le=86_400,
            title="Increment",
            description="seconds added to the total time after each move",
        ),
    ] = 0
