"""Addresses and nicknames: their parts, and when two of them are the same."""

import re
import unicodedata

from parlour.wire import clean

LONGEST_NICK = 64  # characters; shown beside every turn

# XEP-0106, section 4: what cannot stand in the first part of an address.
_ESCAPED = {one: f"\\{ord(one):02x}" for one in " \"&'/:<>@"}
_CODES = {code: one for one, code in _ESCAPED.items()}
_ESCAPE = re.compile("|".join(re.escape(code) for code in (*_CODES, "\\5c")))

# As of parlour.match, on which wire does not stand: what shows nothing beside format characters.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u2800\u3164\ufe00-\ufe0f"
    "\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


def split_address(address: str) -> tuple[str, str, str]:
    """Node, domain and resource of a JID; what is not there is empty."""
    bare, _, resource = address.partition("/")
    node, at, domain = bare.rpartition("@")
    return (node if at else ""), domain, resource


def bare(address: str) -> str:
    """The JID without its resource."""
    return address.partition("/")[0]


def escape_node(name: str) -> str:
    """Any text as the first part of an address (XEP-0106)."""
    escaped = _ESCAPE.sub(lambda code: "\\5c" + code[0][1:], name)
    return "".join(_ESCAPED.get(one, one) for one in escaped)


def unescape_node(node: str) -> str:
    """The text that the first part of an address stands for (XEP-0106)."""
    return _ESCAPE.sub(lambda code: _CODES.get(code[0], "\\"), node)


def nick_key(nick: str) -> str:
    """The form under which nicknames are compared: those that look the same are the same."""
    # Before the rest: one that does not show would keep a letter and its accent apart.
    shown = "".join(one for one in _UNSEEN.sub("", nick) if unicodedata.category(one) != "Cf")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())
    return " ".join(folded.split())


def acceptable_nick(nick: str) -> bool:
    """Whether anybody could be called that: something shows, and nothing reorders or breaks it."""
    return clean(nick, LONGEST_NICK) == nick and bool(nick_key(nick))
