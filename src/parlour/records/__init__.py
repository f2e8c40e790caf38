"""What is kept of a match for other programs: SGF for Go, JSON for every game.

Both are written from a match's events and the states they led to. Names are written,
identities never.
"""

from parlour.records._history import History
from parlour.records._json import (
    FORMAT,
    Abort,
    Forfeit,
    Move,
    Record,
    Result,
    SeatRecord,
    json_record,
)
from parlour.records._sgf import SgfError, sgf

__all__ = [
    "FORMAT",
    "Abort",
    "Forfeit",
    "History",
    "Move",
    "Record",
    "Result",
    "SeatRecord",
    "SgfError",
    "json_record",
    "sgf",
]
