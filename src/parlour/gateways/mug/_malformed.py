"""The answer to a stanza with impossible addresses or names; nobody else hears of it."""

from xml.etree.ElementTree import Element

from parlour.wire.mug import Condition, Dialect, error, head_of


def answer_malformed(stanza: Element, condition: Condition) -> str | None:
    """The error for a stanza, to its sender as the server wrote it; None for none."""
    head = head_of(stanza)
    # RFC 6120, section 8.3.1: no error to an error; and nothing from an address that is not ours.
    if not head.answered or head.leaves or not head.to or not head.echoes:
        return None
    return error(head, condition, Dialect.JABBER)
