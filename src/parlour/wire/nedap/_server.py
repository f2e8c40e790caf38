"""The server's ear: strict about every token, because the source calls the server the truth."""

import re
from collections.abc import Callable
from functools import lru_cache

from parlour.wire._errors import Malformed, WireError
from parlour.wire._lines import LineReader, Overlong
from parlour.wire._text import clean
from parlour.wire.nedap._messages import (
    Cancel,
    Chat,
    ClientMessage,
    Exit,
    Go,
    Move,
    OldGo,
    Pass,
    Player,
    Tableflip,
    Unknown,
)

Heard = ClientMessage | Malformed | WireError

MOVE = re.compile(r"MOVE (-?[0-9]{1,4}) (-?[0-9]{1,4}) ?")
MOVE_LENGTH = len("MOVE -9999 -9999 ")
NUMBER = re.compile(r"-?[0-9]{1,4}")
NAME = re.compile(r"[a-z]{1,20}")
SHOWN = 40
"""Characters of a bad value that an answer quotes."""

MOVE_FORM = "write MOVE x y, two numbers from 0"
PLAYER_FORM = "write PLAYER name, 1 to 20 small letters a to z"
GO_FORM = "write GO size, or GO size opponent"


class ServerCodec:
    """Messages out of the bytes of a Go client, whatever their pieces."""

    __slots__ = ("_lines",)

    def __init__(self) -> None:
        self._lines = LineReader()

    def feed(self, data: bytes) -> list[Heard]:
        """Give the messages that are whole; a `WireError` is last, and nothing comes after it."""
        heard: list[Heard] = []
        for line in self._lines.feed(data):
            if isinstance(line, str):
                if line and line != " ":
                    heard.append(_read(line))
            elif isinstance(line, Overlong):
                heard.append(Malformed(f"a line may have {line.limit} bytes: all of it is ignored"))
            else:
                heard.append(line)
        return heard


# Moves are values and few: most lines of most games were read before.
@lru_cache(maxsize=4096)
def _move_line(line: str) -> Move | None:
    move = MOVE.fullmatch(line)
    return Move(int(move[1]), int(move[2])) if move is not None else None


def _read(line: str) -> ClientMessage | Malformed:
    if len(line) <= MOVE_LENGTH:
        move = _move_line(line)
        if move is not None:
            return move
    keyword, space, rest = line.partition(" ")
    if not keyword:
        return Malformed("a line begins with its keyword, not with a space")
    if keyword == "CHAT":
        return Chat(rest) if rest.strip() else Malformed("nothing was said: write CHAT message")
    read = READERS.get(keyword)
    if read is None:
        return Unknown(clean(keyword, SHOWN))
    arguments = rest.removesuffix(" ").split(" ") if space and rest else []
    if "" in arguments:
        return Malformed(f"{_shown(line)} has a space too many: {FORMS[keyword]}")
    return read(arguments)


def _player(arguments: list[str]) -> Player | Malformed:
    if len(arguments) != 1:
        return Malformed(f"PLAYER has one argument, not {len(arguments)}: {PLAYER_FORM}")
    return _name_error(arguments[0], PLAYER_FORM) or Player(arguments[0])


def _go(arguments: list[str]) -> Go | OldGo | Malformed:
    named = bool(arguments) and not arguments[0].lstrip("-")[:1].isdigit()
    words = arguments[1:] if named else arguments
    if not 1 <= len(words) <= 2:
        return Malformed(
            f"GO with {_shown(' '.join(arguments)) or 'nothing'} is not known: {GO_FORM}"
        )
    for name in (arguments[:1] if named else []) + words[1:]:
        error = _name_error(name, GO_FORM)
        if error is not None:
            return error
    size = int(words[0]) if NUMBER.fullmatch(words[0]) else 0
    if not (5 <= size <= 131 and size % 2):
        return Malformed(f"size {_shown(words[0])} is not odd and 5 to 131: {GO_FORM}")
    opponent = words[1] if len(words) == 2 else None
    return OldGo(arguments[0], size, opponent) if named else Go(size, opponent)


def _move(arguments: list[str]) -> Malformed:
    if len(arguments) != 2:
        return Malformed(f"MOVE has two arguments, not {len(arguments)}: {MOVE_FORM}")
    wrong = next(word for word in arguments if not NUMBER.fullmatch(word))
    return Malformed(f"{_shown(wrong)} is not a number of 1 to 4 digits: {MOVE_FORM}")


def _bare(message: ClientMessage) -> Callable[[list[str]], ClientMessage | Malformed]:
    keyword = message.__struct_config__.tag

    def read(arguments: list[str]) -> ClientMessage | Malformed:
        if arguments:
            return Malformed(
                f"{keyword} has no argument, not {_shown(' '.join(arguments))}: write {keyword}"
            )
        return message

    return read


READERS: dict[str, Callable[[list[str]], ClientMessage | Malformed]] = {
    "PLAYER": _player,
    "GO": _go,
    "MOVE": _move,
    "PASS": _bare(Pass()),
    "TABLEFLIP": _bare(Tableflip()),
    "CANCEL": _bare(Cancel()),
    "EXIT": _bare(Exit()),
}

FORMS = {
    "PLAYER": PLAYER_FORM,
    "GO": GO_FORM,
    "MOVE": MOVE_FORM,
    "PASS": "write PASS",
    "TABLEFLIP": "write TABLEFLIP",
    "CANCEL": "write CANCEL",
    "EXIT": "write EXIT",
}


def _name_error(name: str, form: str) -> Malformed | None:
    if NAME.fullmatch(name):
        return None
    return Malformed(f"name {_shown(name)} is not 1 to 20 small letters a to z: {form}")


def _shown(value: str) -> str:
    return clean(value, SHOWN)
