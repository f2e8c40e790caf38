"""Passes on what a program complains of: once, and then how often; never much at a time."""

import re
from collections import OrderedDict
from collections.abc import Callable

from parlour.gateways import Allowance
from parlour.wire import clean

QUIET = 60.0  # seconds from a line to the next one like it
KNOWN = 100  # kinds of lines that are counted
SHOWN = 500  # characters: strangers write into such lines, and it takes time to look at long ones
RATE, BURST = 1, 20  # lines a second, and at once, of whatever kinds
# What differs in lines of one kind: stanzas, addresses, names of sessions. None of these may look
# at a character again from each place before it: strangers choose the lines.
ADDRESSES = re.compile(
    r"<[^<>]*>|(?<![^\s<>])[^\s<>@]*@\S*|\b\d+\.\d+\.\d+\.\d+\b(:\d+)?|[0-9a-f]{8,}"
)


class Repeats:
    """Lines that are equal but for addresses are said once a minute, with their number."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        # Said when, how many more since, and the last of those.
        self._known: OrderedDict[str, tuple[float, int, str]] = OrderedDict()
        self._allowance = Allowance(RATE, BURST)

    def hear(self, line: str, now: float) -> None:
        """A line at `now`, in seconds that only rise."""
        line = clean(line, SHOWN)
        kind = ADDRESSES.sub("", line)
        said, more, _ = self._known.get(kind, (now - QUIET, 0, ""))
        if now - said < QUIET or not self._allowance.admits("", int(now * 1000)):
            self._known[kind] = said, more + 1, line
        else:
            self._say(line + _counted(more))
            self._known[kind] = now, 0, ""
        self._known.move_to_end(kind)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    def end(self) -> None:
        """Nothing is heard any more: say the last line of each kind that has not been said."""
        for _, more, line in self._known.values():
            if more:
                self._say(line + _counted(more - 1))


def _counted(more: int) -> str:
    return f" (and {more} more like it before)" if more else ""
