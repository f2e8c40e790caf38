"""Who plays and who waits, as browsers see it: looked at now and then while anybody does."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Protocol

from parlour.gateways.web._catalogue import LISTED_MOST, Catalogue, in_turns
from parlour.gateways.web._channel import encode
from parlour.gateways.web._frames import text_frame
from parlour.gateways.web._tables import Tables, seek_view
from parlour.gateways.web._told import Counts, LobbyChanged, LobbyState
from parlour.gateways.web._views import ListingView, SeekView
from parlour.host import Host, Pairer
from parlour.lobby import Seek
from parlour.match import Listing, Status

LOOKED_EVERY = 0.25  # seconds


class Reader(Protocol):
    """A connection as the lobby sees it."""

    def write(self, frame: bytes) -> None:
        """Send a frame."""


class LobbyBoard:
    """One picture of the lobby for all who look at it, and what changes in it."""

    def __init__(
        self,
        host: Host,
        pairer: Pairer,
        tables: Tables,
        catalogue: Catalogue,
        online: Callable[[], Mapping[str, int]],
    ) -> None:
        self._host = host
        self._pairer = pairer
        self._tables = tables
        self._catalogue = catalogue
        self._online = online
        self._readers: dict[Reader, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._version = 0
        self._shown: dict[str, ListingView] = {}
        self._seen: dict[str, Listing] = {}
        self._seen_seeks: tuple[Seek, ...] = ()
        self._seeks: tuple[SeekView, ...] = ()
        self._counts = Counts(0, 0, 0, {})
        self._draining = False
        self._changed = True
        self._whole: bytes | None = None  # of this version
        host.directory.watch(self._listed)

    def join(self, reader: Reader) -> None:
        """Show a connection everything, and then what changes."""
        if self._timer is None:
            self._look()
            self._look_soon()
        if self._whole is None:
            self._whole = text_frame(encode(self._state()))
        reader.write(self._whole)
        self._readers[reader] = None

    def leave(self, reader: Reader) -> None:
        """Show it nothing more."""
        self._readers.pop(reader, None)

    def close(self) -> None:
        """Look no more."""
        self._readers.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _listed(self, stream: str, listing: Listing) -> None:
        self._changed = True

    def _state(self) -> LobbyState:
        listings = self._shown.values()
        return LobbyState(
            version=self._version,
            open=tuple(one for one in listings if one.status is Status.OPEN),
            live=tuple(one for one in listings if one.status is not Status.OPEN),
            seeks=self._seeks,
            counts=self._counts,
            draining=self._draining,
        )

    def _look(self) -> None:
        """Find what is different, and say so."""
        shown, waiting = self._shown, self._pairer.waiting()
        seeks = self._seek_views(waiting)
        if self._changed:
            self._changed = False
            shown = self._picture()
        opened, live = len(self._catalogue.open), len(self._catalogue.live)
        counts = Counts(opened, live, len(waiting), dict(self._online()))
        put = tuple(one for stream, one in shown.items() if self._shown.get(stream) != one)
        gone = tuple(stream for stream in self._shown if stream not in shown)
        news = None if seeks == self._seeks else seeks
        draining = self._pairer.drains()
        as_before = (counts, draining) == (self._counts, self._draining)
        if put or gone or news is not None or not as_before:
            self._version += 1
            self._whole = None
            self._shown, self._seeks = shown, seeks
            self._counts, self._draining = counts, draining
            over = self._over(gone)
            told = LobbyChanged(self._version, put, gone, over, news, counts, draining)
            change = text_frame(encode(told))
            for reader in tuple(self._readers):
                reader.write(change)

    def _look_soon(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(LOOKED_EVERY, self._look_again)

    def _look_again(self) -> None:
        self._timer = None
        if self._readers:
            self._look()
            self._look_soon()

    def _seek_views(self, waiting: Sequence[Seek]) -> tuple[SeekView, ...]:
        """Some of those who wait; made anew only when they are others."""
        seen = some(waiting)
        if seen == self._seen_seeks:
            return self._seeks
        self._seen_seeks = seen
        return tuple(map(seek_view, seen))

    def _picture(self) -> dict[str, ListingView]:
        """Some of the open and live matches; those that are as they were keep their view."""
        opened, live = self._catalogue.open, self._catalogue.live
        listed = dict((*islice(opened, LISTED_MOST), *islice(live, LISTED_MOST)))
        shown = {
            stream: self._shown[stream]
            if self._seen.get(stream) is listing and stream in self._shown
            else self._tables.listing(stream, listing)
            for stream, listing in listed.items()
        }
        self._seen = listed
        return shown

    def _over(self, gone: Iterable[str]) -> tuple[ListingView, ...]:
        """How those ended that are shown no more."""
        finished = self._host.directory.finished
        listings = ((stream, finished.get(stream)) for stream in gone)
        return tuple(
            self._tables.listing(stream, listing)
            for stream, listing in listings
            if listing is not None
        )


def some(waiting: Sequence[Seek]) -> tuple[Seek, ...]:
    """As many as are shown, in their order: everybody's first before anybody's second."""
    piles: dict[str, list[int]] = {}
    for number, seek in enumerate(waiting):
        piles.setdefault(seek.share, []).append(number)
    shown = sorted(islice(in_turns(piles.values()), LISTED_MOST))
    return tuple(waiting[number] for number in shown)
