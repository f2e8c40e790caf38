"""The names of the protocol, and the two ways to write them.

Proto-XEP Multi-User Gaming writes `http://jabber.org/protocol/`; the Tic-tac-toe document (its
copy under the name TMPP) writes `http://website.org/protocol/`, and `website:x:data` for
`jabber:x:data`. Inside this server there is only the first.
"""

import enum
from typing import Final

PROTOCOL: Final = "http://jabber.org/protocol/"
MUG: Final = PROTOCOL + "mug"
USER: Final = MUG + "#user"
MUC_USER: Final = "http://jabber.org/protocol/muc#user"
OWNER: Final = MUG + "#owner"
ROOM_CONFIG: Final = MUG + "#roomconfig"
MATCH_CONFIG: Final = MUG + "#matchconfig"
MATCH_INFO: Final = MUG + "#matchinfo"
DISCO_INFO: Final = PROTOCOL + "disco#info"
DISCO_ITEMS: Final = PROTOCOL + "disco#items"
DATA_FORMS: Final = "jabber:x:data"
PING: Final = "urn:xmpp:ping"
STANZAS: Final = "urn:ietf:params:xml:ns:xmpp-stanzas"
STREAMS: Final = ("jabber:component:accept", "jabber:client", "jabber:server")


class Dialect(enum.StrEnum):
    """How a full JID writes the names of the protocol."""

    JABBER = "jabber"
    WEBSITE = "website"


_WEBSITE = (("http://website.org/protocol/", PROTOCOL), ("website:x:data", DATA_FORMS))
_FOREIGN = tuple(foreign for foreign, _ in _WEBSITE)
_TRANSLATED = tuple(one for pair in _WEBSITE for one in pair)


def canonical(uri: str) -> str:
    """The name as it is written inside this server."""
    if uri.startswith(_FOREIGN):
        for foreign, ours in _WEBSITE:
            if uri.startswith(foreign):
                return ours + uri[len(foreign) :]
    return uri


def spoken(uri: str, dialect: Dialect) -> str:
    """The name as `dialect` writes it."""
    if dialect is Dialect.WEBSITE:
        for foreign, ours in _WEBSITE:
            if uri.startswith(ours):
                return foreign + uri[len(ours) :]
    return uri


def names_protocol(uri: str) -> bool:
    """Whether the two dialects write it differently."""
    return uri.startswith(_TRANSLATED)


def dialect_of(uri: str) -> Dialect | None:
    """The dialect that a namespace or name of a stanza gives away; None when it says nothing.

    Libraries add names that no person chose, such as those of capabilities and chat states:
    only what this protocol is made of counts as Jabber's.
    """
    if uri.startswith(_FOREIGN):
        return Dialect.WEBSITE
    ours = uri.startswith((MUG, DATA_FORMS)) or uri in (DISCO_INFO, DISCO_ITEMS)
    return Dialect.JABBER if ours else None
