"""What an operator can set for Multi-User Gaming."""

from typing import Annotated

from msgspec import Meta, Struct

Seconds = Annotated[int, Meta(ge=1, le=86_400)]


class MugSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The rooms of one service. Times are seconds."""

    title: Annotated[str, Meta(title="Name", description="what clients show")] = "Parlour"
    creators: Annotated[
        tuple[str, ...],
        Meta(title="Creators", description="domains whose users may make rooms; empty: all"),
    ] = ()
    lenient: Annotated[
        bool,
        Meta(title="Lenient", description="answer invalid turns and kick nobody for them"),
    ] = False
    grace: Annotated[
        int,
        Meta(
            ge=0,
            le=86_400,
            title="Grace",
            description="how long a player may be away from one whose protocol knows no pause",
        ),
    ] = 60
    turn_limit: Annotated[
        int,
        Meta(
            ge=0,
            le=86_400,
            title="Turn limit",
            description="seconds for one move where a player speaks another protocol; 0: no limit",
        ),
    ] = 300
    silence: Annotated[
        Seconds, Meta(title="Silence", description="after which an occupant is asked for a sign")
    ] = 600
    patience: Annotated[Seconds, Meta(title="Patience", description="how long a sign may take")] = (
        60
    )
    unconfigured: Annotated[
        Seconds, Meta(title="Locked rooms", description="how long one waits for its owner")
    ] = 600
    empty: Annotated[
        Seconds, Meta(title="Empty rooms", description="how long one waits for lost players")
    ] = 600


class MugOptions(MugSettings, frozen=True, forbid_unknown_fields=True):
    """And what one user may have of them, which stands in the settings beside other limits."""

    rooms_most: Annotated[int, Meta(ge=1, title="Rooms", description="of one bare JID")] = 20
    all_rooms_most: Annotated[
        int, Meta(ge=1, title="All rooms", description="of everybody together")
    ] = 20_000
    occupants_most: Annotated[
        int, Meta(ge=2, title="Occupants", description="of a room, whatever its owner says")
    ] = 200
    sessions_most: Annotated[int, Meta(ge=1, title="Sessions", description="of a nickname")] = 10
    rate: Annotated[
        int, Meta(ge=1, title="Rate", description="stanzas a second of one full JID")
    ] = 20
    burst: Annotated[int, Meta(ge=1, title="Burst", description="stanzas at once")] = 60
