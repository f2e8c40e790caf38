"""The answer to a stanza whose addresses cannot be prepared; nobody else hears of it."""

from xml.etree.ElementTree import Element, SubElement, tostring

STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas"
UNANSWERED = {"error", "result", "unavailable"}  # RFC 6120, section 8.3.1: no error to an error


def answer_malformed(stanza: Element) -> str | None:
    """The `jid-malformed` for a stanza, to its sender as the server wrote it; None for none."""
    if stanza.get("type") in UNANSWERED:
        return None
    answer = Element(stanza.tag.rpartition("}")[2], {"type": "error"})
    for name, mirrored in (("to", "from"), ("from", "to"), ("id", "id")):
        value = stanza.get(mirrored)
        if value is not None:
            answer.set(name, value)
    error = SubElement(answer, "error", {"type": "modify"})
    SubElement(error, "jid-malformed", {"xmlns": STANZAS})
    return tostring(answer, encoding="unicode")
