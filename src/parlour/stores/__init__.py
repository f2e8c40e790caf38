"""Where the log is kept."""

from parlour.stores._memory import MemoryStore
from parlour.stores._sqlite import SqliteStore

__all__ = ["MemoryStore", "SqliteStore"]
