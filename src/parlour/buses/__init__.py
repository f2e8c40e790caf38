"""Doorbells between hosts."""

from parlour.buses._memory import MemoryBell, MemoryBus

__all__ = ["MemoryBell", "MemoryBus"]
