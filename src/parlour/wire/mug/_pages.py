"""Parts of long lists (XEP-0059): what was asked for, and what it was of the whole."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from parlour.wire.mug._xml import Node

RSM = "http://jabber.org/protocol/rsm"
PAGE = 200  # items of one answer: 20 kB, whatever the list
_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
Item = TypeVar("Item")


def page_of(
    query: Node, items: Sequence[Item], key: Callable[[Item], str]
) -> tuple[Sequence[Item], Node | None]:
    """The part of `items` that `query` wants, and what to say of it; None for all of them.

    A page begins behind the item named by `after`, or at the beginning where that has gone.
    """
    asked = query.child("set", RSM)
    after = asked.child("after", RSM) if asked is not None else None
    most = asked.child("max", RSM) if asked is not None else None
    size = PAGE
    if most is not None and _NUMBER.fullmatch(most.text):
        size = min(PAGE, int(most.text))
    first = 0
    if after is not None and after.text:
        keys = [key(item) for item in items]
        first = keys.index(after.text) + 1 if after.text in keys else 0
    shown = items[first : first + size]
    if asked is None and len(shown) == len(items):
        return items, None
    parts = []
    if shown:
        index = {"index": str(first)}
        parts.append(Node("first", RSM, index, (key(shown[0]),)))
        parts.append(Node("last", RSM, children=(key(shown[-1]),)))
    parts.append(Node("count", RSM, children=(str(len(items)),)))
    return shown, Node("set", RSM, children=tuple(parts))
