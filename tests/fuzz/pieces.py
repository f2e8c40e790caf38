"""What every fuzz target has to do with its input: cut it, and read a small script out of it."""

import itertools
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from parlour.wire import WireError, clean

DETAIL_MOST = 400  # characters of what a peer is told of its mistake

Item = TypeVar("Item")


class Codec(Protocol[Item]):
    """The reading half of a protocol."""

    def feed(self, data: bytes) -> list[Item]: ...


def cut(data: bytes) -> Iterator[bytes]:
    """The same bytes in pieces whose sizes follow from the bytes themselves."""
    rest, seed = data, zlib.crc32(data)
    for number in itertools.count():
        if not rest:
            return
        size = 1 + (seed >> number % 24) % (8 if seed & 1 else 200)
        yield rest[:size]
        rest = rest[size:]


def read_whole_and_cut(make: Callable[[], Codec[Item]], data: bytes) -> list[Item]:
    """What the codec makes of `data`: the same in one piece and in many, and nothing after loss."""
    reader = make()
    whole = reader.feed(data)
    in_pieces = make()
    assert [one for piece in cut(data) for one in in_pieces.feed(piece)] == whole
    lost = [number for number, one in enumerate(whole) if isinstance(one, WireError)]
    assert lost in ([], [len(whole) - 1])
    if lost:
        assert reader.feed(data) == []
    return whole


def is_fit_to_show(text: str, most: int = DETAIL_MOST) -> bool:
    """Whether it is one short line, without a character that means something elsewhere."""
    return len(text) <= most and clean(text, most) == text


class Script:
    """Takes an input apart into small numbers and pieces of bytes; after its end all is zero."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def number(self) -> int:
        """0 to 255."""
        self._at += 1
        return self._data[self._at - 1] if self._at <= len(self._data) else 0

    def below(self, most: int) -> int:
        """0 to `most`, without it; `most` is at most 256."""
        return self.number() % most

    def piece(self) -> bytes:
        """Up to 255 bytes, after their number."""
        begin, length = self._at + 1, self.number()
        self._at = begin + length
        return self._data[begin : begin + length]
