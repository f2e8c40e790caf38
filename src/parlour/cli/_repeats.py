"""Passes on what a program complains of: once, and then how often."""

import re
from collections import OrderedDict
from collections.abc import Callable

QUIET = 60.0  # seconds from a line to the next one like it
KNOWN = 100  # kinds of lines that are counted
# What differs in lines of one kind: stanzas, addresses, names of sessions.
ADDRESSES = re.compile(r"<[^>]*>|\S*@\S*|\b\d+\.\d+\.\d+\.\d+\b(:\d+)?|[0-9a-f]{8,}")


class Repeats:
    """Lines that are equal but for addresses are said once a minute, with their number."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._known: OrderedDict[str, tuple[float, int]] = OrderedDict()  # said when; more since

    def hear(self, line: str, now: float) -> None:
        """A line at `now`, in seconds that only rise."""
        kind = ADDRESSES.sub("", line)
        said, more = self._known.get(kind, (now - QUIET, 0))
        if now - said < QUIET:
            self._known[kind] = said, more + 1
            return
        self._say(line + _counted(more))
        self._known[kind] = now, 0
        self._known.move_to_end(kind)
        if len(self._known) > KNOWN:
            self._forget(*self._known.popitem(last=False))

    def end(self) -> None:
        """Say how many have not been said."""
        while self._known:
            self._forget(*self._known.popitem(last=False))

    def _forget(self, kind: str, known: tuple[float, int]) -> None:
        if known[1]:
            self._say(" ".join(kind.split()) + _counted(known[1]))


def _counted(more: int) -> str:
    return f" (and {more} more like it before)" if more else ""
