"""Service discovery (XEP-0030, XEP-0128): what an address says about itself."""

from collections.abc import Iterable

from parlour.wire.mug._namespaces import (
    DISCO_INFO,
    DISCO_ITEMS,
    Dialect,
    names_protocol,
    spoken,
)
from parlour.wire.mug._xml import Node, Written, serialise


def disco_info(name: str, features: Iterable[str], form: Node | None = None) -> Node:
    """The identity of a game service or a room, its features and its extended information."""
    identity = {"category": "game", "type": "multi-user", "name": name}
    children = [Node("identity", DISCO_INFO, identity)]
    children += [Node("feature", DISCO_INFO, {"var": feature}) for feature in features]
    if form is not None:
        children.append(form)
    return Node("query", DISCO_INFO, children=tuple(children))


def disco_item(jid: str, name: str = "") -> Written:
    """An address with its name, written to stand in a list.

    Raises:
        IllegalXml: a character that is not XML.
    """
    node = Node("item", DISCO_ITEMS, {"jid": jid} | ({"name": name} if name else {}))
    return Written(serialise(node, inside=DISCO_ITEMS))


def disco_items(items: Iterable[Written], page: Node | None = None) -> Node:
    """Such items; `page` says which part of a list they are."""
    children = (*items, *(() if page is None else (page,)))
    return Node("query", DISCO_ITEMS, children=children)


def both_ways(names: Iterable[str]) -> tuple[str, ...]:
    """Features under the names of both dialects: whoever asks finds the one they know."""
    listed: dict[str, None] = {}
    for name in names:
        listed[name] = None
        if names_protocol(name):
            listed[spoken(name, Dialect.WEBSITE)] = None
    return tuple(listed)
