"""One projection over the whole log: which matches there are, by room, identity and seat."""

import logging
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from parlour.host._ports import Listed
from parlour.host._stream import Recorded
from parlour.match import Listing, Status

log = logging.getLogger("parlour.host")

# Enough for a page of finished games; all of them are in the store.
FINISHED_KEPT = 1000
UNBEGUN_KEPT = 100  # of those: tables opened and left keep out no game that was played


def fold_room(room: str) -> str:
    """The form under which room names are compared: those that look the same are the same."""
    return unicodedata.normalize("NFKC", room).casefold().strip()


def holder_of(identity: str) -> str:
    """The part of an identity that others may know it by: `nedap:alice 10.0.0.7` is nedap:alice."""
    return identity.partition(" ")[0]


class Directory:
    """The matches that are not finished, and the newest that are."""

    def __init__(self) -> None:
        self.unfinished: dict[str, Listing] = {}
        self.open: dict[str, Listing] = {}
        """Those of the unfinished where seats are still being taken, the oldest first."""
        self.finished: OrderedDict[str, Listing] = OrderedDict()
        self._unbegun: OrderedDict[str, None] = OrderedDict()
        self.others: dict[str, Listed] = {}
        """What other aggregates than the match keep of their streams that are not finished."""
        self._rooms: dict[str, str] = {}
        self._held: dict[str, str] = {}
        self._seats: dict[str, dict[str, None]] = {}
        self._watchers: list[Callable[[str, Listing], None]] = []

    def get(self, stream: str) -> Listing | None:
        """What is known of a stream; None for strangers and for matches long finished."""
        return self.unfinished.get(stream) or self.finished.get(stream)

    def room(self, name: str) -> str | None:
        """The stream of the unfinished match in that room, one being created included."""
        return self._rooms.get(fold_room(name))

    def taken(self, name: str) -> bool:
        """Whether nobody may open a room of that name: one of whatever kind has it."""
        return self.room(name) is not None or self.holder(name) is not None

    def holder(self, name: str) -> str | None:
        """The stream that has the name although it is no match: it keeps it between matches."""
        return self._held.get(fold_room(name))

    def reserve(self, room: str, stream: str) -> None:
        """Keep the name for a match that is being created."""
        self._rooms.setdefault(fold_room(room), stream)

    def hold(self, name: str, stream: str) -> None:
        """Keep the name for a stream that is no match; whoever has it has it first."""
        self._held.setdefault(fold_room(name), stream)

    def release(self, room: str, stream: str) -> None:
        """Give up a name that `reserve` or `hold` kept and no stream took."""
        for names in (self._rooms, self._held):
            if names.get(fold_room(room)) == stream:
                del names[fold_room(room)]

    def seated(self, holder: str) -> Iterator[tuple[str, str]]:
        """Stream and identity of every unfinished match where a holder of that name sits."""
        for stream in self._seats.get(holder, ()):
            for sitter in self.unfinished[stream].sitters:
                if holder_of(sitter.identity) == holder:
                    yield stream, sitter.identity

    def watch(self, changed: Callable[[str, Listing], None]) -> Callable[[], None]:
        """Call `changed` after each change of a listing; returns how to stop that."""
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

    def put(self, stream: str, listing: Listed) -> None:
        """Take in the listing of a stream as it is now."""
        if isinstance(listing, Listing):
            self._put_match(stream, listing)
        elif listing.finished:
            self.others.pop(stream, None)
            self.release(listing.room, stream)
        else:
            self.others[stream] = listing
            if listing.room:
                self.hold(listing.room, stream)

    def forget(self, stream: str) -> None:
        """A stream turned out to be none that this program can read, or gone from the log.

        Whoever watches hears of it as of a match that was aborted.
        """
        self.finished.pop(stream, None)
        self._unbegun.pop(stream, None)
        listing = self.unfinished.pop(stream, None)
        self.open.pop(stream, None)
        other = self.others.pop(stream, None)
        if other is not None:
            self.release(other.room, stream)
        if listing is not None:
            for sitter in listing.sitters:
                self._unseat(stream, holder_of(sitter.identity))
            self.release(listing.room, stream)
            self._tell(stream, replace(listing, status=Status.ABORTED))

    def learn(
        self, stream: str, records: Sequence[Recorded], project: Callable[[Any, Any], Listed]
    ) -> None:
        """Take in events of a stream that follow those known, or all of them from the first."""
        known: Listed | None = self.get(stream) or self.others.get(stream)
        # Another host may have created it: then nothing is known but all is in the records.
        listing = None if records[0].version == 1 else known
        try:
            for record in records:
                listing = project(listing, record.event)
        except Exception:  # a mistake in what is listed must not stop the stream
            log.exception("%s is not listed as it is now", stream)
            return
        if listing is None or listing is known or listing == known:
            return
        if known is not None or not listing.finished:
            self.put(stream, listing)

    def _put_match(self, stream: str, listing: Listing) -> None:
        before = self.unfinished.get(stream)
        for sitter in before.sitters if before else ():
            self._unseat(stream, holder_of(sitter.identity))
        if listing.status.finished:
            self.unfinished.pop(stream, None)
            self.open.pop(stream, None)
            self.finished[stream] = listing
            self.release(listing.room, stream)
            if not listing.started:
                self._unbegun[stream] = None
                while len(self._unbegun) > UNBEGUN_KEPT:
                    self.finished.pop(self._unbegun.popitem(last=False)[0], None)
            while len(self.finished) > FINISHED_KEPT:
                self.finished.popitem(last=False)
        else:
            self.unfinished[stream] = listing
            if listing.status is Status.OPEN:
                self.open[stream] = listing
            else:
                self.open.pop(stream, None)
            if listing.room:
                self.reserve(listing.room, stream)
            for sitter in listing.sitters:
                self._seats.setdefault(holder_of(sitter.identity), {})[stream] = None
        self._tell(stream, listing)

    def _tell(self, stream: str, listing: Listing) -> None:
        for changed in tuple(self._watchers):
            try:
                changed(stream, listing)
            except Exception:  # one watcher's mistake is not the others', nor the match's
                log.exception("a watcher of the directory failed at %s", stream)

    def _unseat(self, stream: str, holder: str) -> None:
        streams = self._seats.get(holder, {})
        streams.pop(stream, None)
        if not streams:
            self._seats.pop(holder, None)
