"""Moments as people type them, and read them: by this machine's clocks."""

import datetime

from parlour.cli._errors import CommandError


def typed(option: str, text: str) -> int:
    """Milliseconds since the Unix epoch; a date without a zone is this machine's.

    Raises:
        CommandError: it is no date, or one that cannot be written in every zone.
    """
    try:
        at = int(datetime.datetime.fromisoformat(text).astimezone().timestamp() * 1000)
        datetime.datetime.fromtimestamp(at / 1000)
        return at
    except (ValueError, OverflowError, OSError):
        raise CommandError(
            f"{option}: {text!r} is no date: expected one such as 2026-01-31 or 2026-01-31T12:00"
        ) from None


def shown(at: int) -> str:
    """A time in milliseconds since the Unix epoch; a dash for none."""
    if not at:
        return "-"
    try:
        return datetime.datetime.fromtimestamp(at / 1000).isoformat(" ", "seconds")
    except (ValueError, OverflowError, OSError):  # no calendar goes that far
        return f"{at} ms"
