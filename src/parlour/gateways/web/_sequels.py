"""Which match followed which at the same table."""

from collections import OrderedDict
from collections.abc import Callable

from parlour.games import Seat
from parlour.gateways.web._views import RematchView
from parlour.host import Directory, nothing
from parlour.match import Listing, Match, Status

REMEMBERED = 10_000  # matches that others followed


class Sequels:
    """Which finished match has been followed by which: a fact of the log, whoever was told.

    One that was called off has followed nothing.
    """

    def __init__(self, directory: Directory) -> None:
        self._next: OrderedDict[str, str] = OrderedDict()
        self._hooks: dict[str, Callable[[], None]] = {}
        directory.watch(self._listed)
        for matches in (directory.finished, directory.unfinished):
            for stream, listing in matches.items():
                self._listed(stream, listing)

    def of(self, stream: str, match: Match) -> RematchView | None:
        """What is to be told of the match that followed `stream`; None when none did."""
        following = self._next.get(stream)
        return None if following is None else RematchView(everybody(match), following)

    def hook(self, stream: str, called_off: Callable[[], None]) -> Callable[[], None]:
        """Call `called_off` when the match that followed `stream` was; returns how to stop that.

        There is one hook for a match: the latest.
        """
        self._hooks[stream] = called_off

        def unhook() -> None:
            if self._hooks.get(stream) is called_off:
                del self._hooks[stream]

        return unhook

    def _listed(self, stream: str, listing: Listing) -> None:
        before = listing.rematch_of
        if before and listing.status is Status.ABORTED:  # there may be another one
            if self._next.get(before) == stream:
                del self._next[before]
                self._hooks.get(before, nothing)()
        elif before:
            self._next[before] = stream
            if len(self._next) > REMEMBERED:
                self._next.popitem(last=False)


def everybody(match: Match) -> tuple[Seat, ...]:
    """All seats of a match that has begun."""
    return tuple(range(len(match.seats)))
