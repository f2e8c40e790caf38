"""What an operator can set for the browser's door."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class WebOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The table [web]."""

    grace: Annotated[
        int, Meta(ge=0, le=86_400, description="seconds that an absent player's seat is kept")
    ] = 60
    linger: Annotated[
        float,
        Meta(ge=0, le=600, description="seconds without a page until a guest counts as gone"),
    ] = 5.0
    origins: Annotated[
        tuple[str, ...],
        Meta(description='further origins that may write, as in ["https://play.example.org"]'),
    ] = ()
    metrics: Annotated[
        Literal["local", "any"], Meta(description="who may read /metrics: this machine, or any")
    ] = "local"
    tables: Annotated[
        int, Meta(ge=1, le=1_000, description="tables of one guest that wait for players")
    ] = 8
    tables_of_address: Annotated[
        int, Meta(ge=1, le=100_000, description="the same of one address, unless it is exempt")
    ] = 64
