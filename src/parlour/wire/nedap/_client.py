"""The client's ear: takes what the real servers of the course send, not only what ours does."""

import re
from collections.abc import Callable

from parlour.wire._errors import Malformed, WireError
from parlour.wire._lines import LineReader, Overlong
from parlour.wire._text import clean
from parlour.wire.nedap._messages import (
    Chat,
    End,
    Invalid,
    Passed,
    Ready,
    ReadyTable,
    ServerMessage,
    Tableflipped,
    Unknown,
    Valid,
    Waiting,
    Warning,
)

Told = ServerMessage | Malformed | WireError

VALID = re.compile(r"VALID ([a-z]+) (-?[0-9]{1,4}) (-?[0-9]{1,4}) ?")
NUMBER = re.compile(r"-?[0-9]{1,6}")
"""An area score on 131 by 131 has five digits."""

SHOWN = 200


class ClientCodec:
    """Messages out of the bytes of a Go server, whatever their pieces.

    Any colour word, any number of scores, both forms of READY, words after WAITING, spaces too
    many and bare CHAT, WARNING and INVALID are understood; a keyword of no page is `Unknown`.
    """

    __slots__ = ("_lines",)

    def __init__(self) -> None:
        self._lines = LineReader()

    def feed(self, data: bytes) -> list[Told]:
        """Give the messages that are whole; a `WireError` is last, and nothing comes after it."""
        told: list[Told] = []
        for line in self._lines.feed(data):
            if isinstance(line, str):
                if line.strip(" "):
                    told.append(_read(line))
            elif isinstance(line, Overlong):
                told.append(Malformed(f"a line has more than {line.limit} bytes"))
            else:
                told.append(line)
        return told


def _read(line: str) -> ServerMessage | Malformed:
    valid = VALID.fullmatch(line)
    if valid is not None:
        return Valid(valid[1], int(valid[2]), int(valid[3]))
    keyword, _, rest = line.strip(" ").partition(" ")
    if keyword == "CHAT":
        return Chat(rest)
    if keyword == "WARNING":
        return Warning(rest)
    read = READERS.get(keyword)
    if read is None:
        return Unknown(clean(keyword, SHOWN))
    # A control among the words parts them: colours and names end up in front of people.
    words = [word for word in clean(rest, len(rest)).split(" ") if word]
    return read(words) or Malformed(f"{clean(line, SHOWN)} is not a form of {keyword}")


def _ready(words: list[str]) -> Ready | ReadyTable | None:
    numbers = [index for index, word in enumerate(words) if NUMBER.fullmatch(word)]
    if len(words) == 3 and 2 in numbers:
        return Ready(words[0], words[1], int(words[2]))
    if len(words) >= 5 and len(words) % 2 and 0 in numbers:
        players = tuple(zip(words[1::2], words[2::2], strict=True))
        return ReadyTable(players, int(words[0]))
    return None


def _valid(words: list[str]) -> Valid | None:
    if len(words) == 3 and all(map(NUMBER.fullmatch, words[1:])):
        return Valid(words[0], int(words[1]), int(words[2]))
    return None


def _end(words: list[str]) -> End | None:
    if words and all(map(NUMBER.fullmatch, words)):
        return End(tuple(map(int, words)))
    return None


READERS: dict[str, Callable[[list[str]], ServerMessage | None]] = {
    "WAITING": lambda words: Waiting(),
    "READY": _ready,
    "VALID": _valid,
    "PASSED": lambda words: Passed(words[0]) if len(words) == 1 else None,
    "INVALID": lambda words: Invalid(words[0], " ".join(words[1:])) if words else None,
    "TABLEFLIPPED": lambda words: Tableflipped(words[0]) if len(words) == 1 else None,
    "END": _end,
}
