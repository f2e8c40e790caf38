"""When two names are the same to the people who read them."""

import itertools
import re
import unicodedata
from collections.abc import Iterable

# What shows nothing although it is no format character: the rest of Unicode's property
# Default_Ignorable_Code_Point, and the blank of Braille.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u2800\u3164\ufe00-\ufe0f"
    "\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


def fold_name(name: str) -> str:
    """The form under which names are compared: those that look the same are the same.

    Width, case, spaces, and characters that do not show make no difference. Letters of different
    scripts that look alike stay different. Empty when nothing shows.
    """
    return " ".join(fold_letters(name).split())


def free_name(name: str, taken: Iterable[str], most: int = 64) -> str:
    """`name`, with a number behind it where it looks like one of those `taken`.

    With its number it has at most `most` characters.
    """
    folded = {fold_name(one) for one in taken}
    shown = name
    for number in itertools.count(2):
        if fold_name(shown) not in folded:
            break
        ending = f" {number}"
        shown = name[: most - len(ending)] + ending
    return shown


def fold_letters(text: str) -> str:
    """The same with spaces as they are: what is left of whole characters stays in its order."""
    shown = "".join(one for one in _UNSEEN.sub("", text) if unicodedata.category(one) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())
