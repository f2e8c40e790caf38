"""When two names are the same to the people who read them."""

import unicodedata


def fold_name(name: str) -> str:
    """The form under which names are compared: those that look the same are the same.

    Width, case, spaces, and characters that do not show make no difference. Letters of different
    scripts that look alike stay different. Empty when nothing shows.
    """
    shown = "".join(one for one in name if unicodedata.category(one) != "Cf")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", shown).casefold())
    return " ".join(folded.split())
