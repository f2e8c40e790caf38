"""How the command was called, so that what it tells people to type can be typed."""

import os


def called() -> str:
    """`parlour`, or what ./run was called as."""
    return os.environ.get("PARLOUR_COMMAND") or "parlour"
