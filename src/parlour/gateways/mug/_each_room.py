"""One room after the other: a mistake of ours in one costs the others nothing."""

import logging
from collections.abc import Callable, Iterable

from parlour.gateways.mug._keeper import Keeper

log = logging.getLogger("parlour.mug")


def each_room(keepers: Iterable[Keeper], do: str, act: Callable[[Keeper], None]) -> None:
    """Let `act` be done in each room; the log says where we could not `do` it.

    Only the first mistake has its traceback: those of thousands of rooms would take the time that
    the others need.
    """
    written = False
    for keeper in tuple(keepers):
        try:
            act(keeper)
        except Exception:
            log.error("cannot %s in %s", do, keeper.view.address, exc_info=not written)
            written = True
