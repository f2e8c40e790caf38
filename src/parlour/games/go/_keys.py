"""Zobrist keys: a fixed number for every stone on every point, the same in every run."""

import functools
import hashlib
import struct
from typing import TypeAlias

from parlour.games.go._options import LARGEST

SEATS = 2
CELLS = (LARGEST + 2) * (LARGEST + 1) + 1
KEY_BITS = 60  # The most that CPython keeps in two digits: a smaller and faster integer.

Keys: TypeAlias = tuple[tuple[int, ...], ...]
"""`keys[seat][cell]`; one table serves boards of every size."""


@functools.cache
def zobrist_keys(bits: int = KEY_BITS) -> Keys:
    """Numbers of `bits` bits. Few bits make hashes collide, which must not change any rule."""
    data = hashlib.shake_256(b"parlour go").digest(8 * CELLS * SEATS)
    words = struct.unpack(f"<{CELLS * SEATS}Q", data)
    numbers = tuple(word >> 64 - bits for word in words)
    return tuple(numbers[seat * CELLS : (seat + 1) * CELLS] for seat in range(SEATS))
