"""Where the log is kept."""

from parlour.stores._file import Copied, LogFile, Row
from parlour.stores._memory import MemoryStore
from parlour.stores._sqlite import SqliteStore
from parlour.stores._upkeep import Upkeep

__all__ = ["Copied", "LogFile", "MemoryStore", "Row", "SqliteStore", "Upkeep"]
