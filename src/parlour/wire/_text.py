"""Make text from one protocol harmless in another."""

import re

# Line breakers first: Java's readLine splits at a bare \r, its Scanner also at U+0085, U+2028 and
# U+2029, Python's splitlines at \x0b, \x0c and \x1c to \x1e too. All C0 and C1 controls go, and
# with them the embeddings, overrides and isolates of UAX #9: they would reorder the rest of a
# line, somebody else's name included. The bare marks (U+200E, U+200F, U+061C) stay: Hebrew and
# Arabic need them, and they cannot reach past the text.
BLANKED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

# Not XML characters (XML 1.0, section 2.2), or nothing that text may exchange (Unicode, section
# 23.7): lone surrogates and noncharacters.
REPLACED = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(1, 17))
    + "]"
)


def clean(text: str, limit: int) -> str:
    """One line of printable text, at most `limit` characters; what was cut off shows as `…`.

    Controls, line separators and bidirectional overrides become a space, lone surrogates and
    noncharacters U+FFFD. Cleaning twice is cleaning once.
    """
    if not (text.isascii() and text.isprintable()):
        text = REPLACED.sub("\ufffd", BLANKED.sub(" ", text))
    return text if len(text) <= limit else text[: limit - 1] + "…"
