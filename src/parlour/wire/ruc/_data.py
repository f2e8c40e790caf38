"""Read what stands inside data1 and data2: paths, names, times and error codes."""

import re

from parlour.wire._text import clean
from parlour.wire.ruc._frames import ErrorCode, Malformed

Path = tuple[tuple[int, int], ...]
"""The cells a piece passes, start and end included, on the document's axes."""

LOST = "-1"
"""data2 of the MOVE that tells all that a player has lost (MOVE_OP, '超时判负')."""

NUMBER = re.compile(r"-?[0-9]{1,3}")
NUMBERS = re.compile(rf" *(?:{NUMBER.pattern}(?: +|\Z))*")
MILLISECONDS = 10**11
"""A time from here on is in milliseconds: as seconds it would be the year 5138."""


def parse_path(data2: str) -> Path | Malformed:
    """Read a list of integers, in pairs, separated by spaces.

    No path, an odd count and junk are INVALID_REQ; a client's "-1" is INVALID_MOVE, because only
    the server says that somebody has lost.
    """
    if data2 == LOST:
        return Malformed("-1 is for the server to say", ErrorCode.INVALID_MOVE)
    if not NUMBERS.fullmatch(data2):
        junk = next(word for word in data2.split(" ") if word and not NUMBER.fullmatch(word))
        return Malformed(f"{clean(junk, 40)} in the path is not an integer of 1 to 3 digits")
    numbers = [int(word) for word in data2.split()]
    if not numbers:
        return Malformed("the path is empty: write x y x y")
    if len(numbers) % 2:
        return Malformed(f"a path of {len(numbers)} integers is not in pairs: write x y x y")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def canonical(path: Path) -> str:
    """Write a path with single spaces and no leading zeros."""
    return " ".join(f"{x} {y}" for x, y in path)


def read_names(data: str) -> tuple[str, ...]:
    """Take a list of names or zones apart; real servers add spaces."""
    return tuple(word for word in data.split(" ") if word)


def read_time(data2: str) -> int | None:
    """The Unix time of a START_TURN in seconds; real servers send milliseconds or nothing too."""
    text = data2.strip(" ")
    if not re.fullmatch("[0-9]{1,15}", text):
        return None
    time = int(text)
    return time // 1000 if time >= MILLISECONDS else time


def read_error(data1: str) -> ErrorCode | None:
    """The code of an ERROR; real servers send its number or its name."""
    text = data1.strip(" ")
    if text in ErrorCode.__members__:
        return ErrorCode[text]
    known = {str(code.value): code for code in ErrorCode}
    return known.get(text)
