"""Which match followed which at the same table."""

from collections import OrderedDict

from parlour.games import Seat
from parlour.gateways.web._views import RematchView
from parlour.host import Directory
from parlour.match import Listing, Match

REMEMBERED = 10_000  # matches that others followed


class Sequels:
    """Which finished match has been followed by which: a fact of the log, whoever was told."""

    def __init__(self, directory: Directory) -> None:
        self._next: OrderedDict[str, str] = OrderedDict()
        directory.watch(self._listed)
        for matches in (directory.finished, directory.unfinished):
            for stream, listing in matches.items():
                self._listed(stream, listing)

    def of(self, stream: str, match: Match) -> RematchView | None:
        """What is to be told of the match that followed `stream`; None when none did."""
        following = self._next.get(stream)
        return None if following is None else RematchView(everybody(match), following)

    def _listed(self, stream: str, listing: Listing) -> None:
        if listing.rematch_of:
            self._next[listing.rematch_of] = stream
            if len(self._next) > REMEMBERED:
                self._next.popitem(last=False)


def everybody(match: Match) -> tuple[Seat, ...]:
    """All seats of a match that has begun."""
    return tuple(range(len(match.seats)))
