"""Finds a name as a word of a text, in whatever letters that look the same."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from parlour.match import fold_letters, fold_name
from parlour.wire.mug import escape_node

JAMO = range(0x1160, 0x1200)  # vowels and finals of Hangul, which become one with what is before
SPACE = r"(?:\s|\\20)+"
BEGIN = r"(?:(?<!\w)|(?<=\\[0-9a-f]{2}))"  # also after what XEP-0106 has escaped
END = r"(?!\w)"


def replaced(text: str, name: str, instead: str) -> str:
    """The text with `instead` wherever the name is a word, by the form names are compared in.

    In a text that is part of a JID, characters may be escaped (XEP-0106).
    """
    pattern = _pattern(name)
    if not text or pattern is None:
        return text
    folded, places = _folded(text)
    parts, past = [], 0
    for found in pattern.finditer(folded):
        parts += [text[past : places[found.start()][0]], instead]
        past = places[found.end() - 1][1]
    return "".join((*parts, text[past:]))


@lru_cache(1024)
def _pattern(name: str) -> re.Pattern[str] | None:
    """None for a name of which nothing shows."""
    letters = [SPACE if one == " " else _letter(one) for one in fold_name(name)]
    return re.compile(f"{BEGIN}{''.join(letters)}{END}") if letters else None


def _letter(one: str) -> str:
    escaped = r"\5c" if one == "\\" else escape_node(one)  # that one only where it must be
    return re.escape(one) if escaped == one else f"(?:{re.escape(one)}|{re.escape(escaped)})"


@lru_cache(256)
def _folded(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The folded text, and where what became each of its characters begins and ends."""
    folded, places = [], []
    for start, end in _characters(text):
        letters = fold_letters(text[start:end])
        folded.append(letters)
        places += [(start, end)] * len(letters)
    return "".join(folded), places


def _characters(text: str) -> Iterator[tuple[int, int]]:
    """Letters with the marks, and what does not show, behind them: each is folded by itself."""
    start = 0
    for place, one in enumerate(text):
        if place and not _continues(one):
            yield start, place
            start = place
    if text:
        yield start, len(text)


def _continues(one: str) -> bool:
    first = unicodedata.normalize("NFKD", one)[0]
    category = unicodedata.category(first)
    return category[0] == "M" or category == "Cf" or ord(first) in JAMO
