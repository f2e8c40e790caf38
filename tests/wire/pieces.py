"""Cut a stream into pieces, for the law that pieces do not change what a codec hears."""

from typing import Protocol, TypeVar

from hypothesis import strategies as st

Heard = TypeVar("Heard")


class Codec(Protocol[Heard]):
    """Anything that is fed."""

    def feed(self, data: bytes, /) -> list[Heard]: ...


def pieces() -> st.SearchStrategy[list[int]]:
    """Lengths of pieces, used over and over."""
    return st.lists(st.integers(1, 9), min_size=1, max_size=6)


def fed(codec: Codec[Heard], data: bytes, lengths: list[int]) -> list[Heard]:
    """What `codec` hears of `data` cut into pieces of these lengths."""
    heard: list[Heard] = []
    at = turn = 0
    while at < len(data):
        length = lengths[turn % len(lengths)]
        heard += codec.feed(data[at : at + length])
        at, turn = at + length, turn + 1
    return heard
