"""Where a Go client is on its way from a name to a game."""

import enum


class Phase(enum.Enum):
    """Where a connection is."""

    STRANGER = enum.auto()
    IDLE = enum.auto()
    WAITING = enum.auto()
    SEATED = enum.auto()  # at a table, and READY not said yet
    PLAYING = enum.auto()
    GONE = enum.auto()
