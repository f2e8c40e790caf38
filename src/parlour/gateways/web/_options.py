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
