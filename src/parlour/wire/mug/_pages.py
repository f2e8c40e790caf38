"""Parts of long lists (XEP-0059): what was asked for, and what it was of the whole."""

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TypeVar

from parlour.wire.mug._xml import Node

RSM = "http://jabber.org/protocol/rsm"
PAGE = 50  # items of one answer: 5 kB, and 20 kB where each is as long as can be
_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
Item = TypeVar("Item")


def page_of(query: Node, items: Mapping[str, Item]) -> tuple[Sequence[Item], Node | None]:
    """The part of `items` that `query` wants, and what to say of it; None for all of them.

    A page begins behind the key in `after`, or at the beginning where that has gone.
    """
    asked = query.child("set", RSM)
    after = asked.child("after", RSM) if asked is not None else None
    most = asked.child("max", RSM) if asked is not None else None
    size = PAGE
    if most is not None and _NUMBER.fullmatch(most.text):
        size = min(PAGE, int(most.text))
    first = 0
    if after is not None and after.text in items:
        first = list(items).index(after.text) + 1
    shown = list(islice(items.items(), first, first + size))
    page = [item for _, item in shown]
    if asked is None and len(page) == len(items):
        return page, None
    parts = []
    if shown:
        index = {"index": str(first)}
        parts.append(Node("first", RSM, index, (shown[0][0],)))
        parts.append(Node("last", RSM, children=(shown[-1][0],)))
    parts.append(Node("count", RSM, children=(str(len(items)),)))
    return page, Node("set", RSM, children=tuple(parts))
