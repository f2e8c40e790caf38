"""The kinds of streams in the log. A new kind is added here."""

from parlour.cli._games import GAMES
from parlour.gateways.admin import OperatorAggregate
from parlour.gateways.mug import RoomAggregate
from parlour.host import AnyAggregate
from parlour.match import MatchAggregate

AGGREGATES: tuple[AnyAggregate, ...] = (
    MatchAggregate(GAMES),
    RoomAggregate(),
    OperatorAggregate(),
)
KINDS = {aggregate.kind: aggregate for aggregate in AGGREGATES}


def aggregate_of(stream: str) -> AnyAggregate | None:
    """None for a stream of a kind that this version does not know."""
    return KINDS.get(stream.partition("-")[0])
