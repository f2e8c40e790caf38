"""The public matches in an order in which nobody fills a list alone."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from parlour.host import Directory
from parlour.match import Listing, Status

LISTED_MOST = 200  # of a list in one answer

T = TypeVar("T")


class Shelf:
    """Matches of one state. Everybody's newest one comes first, then everybody's second newest."""

    def __init__(self) -> None:
        self._piles: OrderedDict[str, dict[str, Listing]] = OrderedDict()
        self._owners: dict[str, str] = {}
        self._order: tuple[tuple[str, Listing], ...] | None = None  # of all, until one changes

    def __len__(self) -> int:
        return len(self._owners)

    def __iter__(self) -> Iterator[tuple[str, Listing]]:
        return in_turns(reversed(pile.items()) for pile in reversed(self._piles.values()))

    def all(self) -> tuple[tuple[str, Listing], ...]:
        """The whole shelf; it costs nothing while nothing changes."""
        if self._order is None:
            self._order = tuple(self)
        return self._order

    def put(self, stream: str, listing: Listing, owner: str) -> None:
        """Show a match as it is now. Its share is that of the one who owned it first."""
        self._order = None
        if stream in self._owners:
            self._piles[self._owners[stream]][stream] = listing
            return
        self._owners[stream] = owner
        self._piles.setdefault(owner, {})[stream] = listing
        self._piles.move_to_end(owner)

    def take(self, stream: str) -> None:
        """Show it no more."""
        owner = self._owners.pop(stream, None)
        if owner is not None:
            self._order = None
            del self._piles[owner][stream]
            if not self._piles[owner]:
                del self._piles[owner]


class Catalogue:
    """What is live and what is open, kept as matches change."""

    def __init__(
        self,
        directory: Directory,
        is_public: Callable[[str, Listing], bool],
        share_of: Callable[[str, Listing], str],
    ) -> None:
        self._is_public = is_public
        self._share_of = share_of
        self.live, self.open = Shelf(), Shelf()
        directory.watch(self._listed)
        for stream, listing in directory.unfinished.items():
            self._listed(stream, listing)

    def _listed(self, stream: str, listing: Listing) -> None:
        status = listing.status
        shelf = self.open if status is Status.OPEN else self.live if status.started else None
        for other in (self.open, self.live):
            if other is not shelf:
                other.take(stream)
        if shelf is not None and self._is_public(stream, listing):
            shelf.put(stream, listing, self._share_of(stream, listing))


def in_turns(piles: Iterable[Iterable[T]]) -> Iterator[T]:
    """The first of each pile, then the second of each, and so on."""
    # Who takes the first few makes nothing ready for the others, who may be thousands.
    rest: Iterable[Iterator[T]] = map(iter, piles)
    while rest:
        left = []
        for pile in rest:
            for item in islice(pile, 1):
                yield item
                left.append(pile)
        rest = left
