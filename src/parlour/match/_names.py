"""When two names are the same to the people who read them."""

import unicodedata


def fold_name(name: str) -> str:
    """The form under which names are compared: those that look the same are the same.

    Width, case, spaces, and characters that do not show make no difference. Letters of different
    scripts that look alike stay different. Empty when nothing shows.
    """
    return " ".join(fold_letters(name).split())


def fold_letters(text: str) -> str:
    """The same with spaces as they are: what is left of whole characters stays in its order."""
    shown = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())
