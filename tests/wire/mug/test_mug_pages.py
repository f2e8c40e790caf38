"""Parts of long lists (XEP-0059)."""

import pytest

from parlour.wire.mug import RSM, Node, disco_item, disco_items, page_of, serialise

LETTERS = {f"{number:03d}": number for number in range(120)}


def wish(**wanted: str) -> Node:
    """A query for a page."""
    parts = tuple(Node(name, RSM, children=(text,)) for name, text in wanted.items())
    return Node("query", children=(Node("set", RSM, children=parts),))


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        (Node("query"), range(50)),
        (wish(), range(50)),
        (wish(max="1000"), range(50)),
        (wish(max="0"), range(0)),
        (wish(max="-1"), range(50)),
        (wish(max="7", after="048"), range(49, 56)),
        (wish(after="118"), range(119, 120)),
        (wish(after="119"), range(0)),
        (wish(after="gone"), range(50)),
    ],
)
def test_a_page_is_what_was_asked_for_and_no_more_than_fifty(query: Node, shown: range) -> None:
    page, said = page_of(query, LETTERS)
    assert list(page) == list(shown)
    assert said is not None
    text = serialise(said)
    assert "<count>120</count>" in text
    first = f"<first index='{shown.start}'>{shown.start:03d}</first>" if shown else "<count>"
    assert first in text


def test_a_short_list_that_nobody_wants_in_parts_comes_whole() -> None:
    few = dict(list(LETTERS.items())[:50])
    assert page_of(Node("query"), few) == (list(range(50)), None)


def test_items_are_written_as_others_read_them() -> None:
    items = [disco_item("a@b/c'd", "x & y"), disco_item("e@b")]
    assert serialise(disco_items(items)) == (
        "<query xmlns='http://jabber.org/protocol/disco#items'>"
        "<item jid='a@b/c&apos;d' name='x &amp; y'/><item jid='e@b'/></query>"
    )
