"""Write Go messages, each exactly one line with exactly the tokens its keyword has."""

import re
from typing import assert_never

from parlour.wire._text import clean
from parlour.wire.nedap._messages import (
    Cancel,
    Chat,
    ClientMessage,
    End,
    Exit,
    Go,
    Invalid,
    Move,
    OldGo,
    Pass,
    Passed,
    Player,
    Ready,
    ReadyTable,
    ServerMessage,
    Tableflip,
    Tableflipped,
    Unknown,
    Valid,
    Waiting,
    Warning,
)

TEXT_LIMIT = 2000
"""Characters of free text in a line: with 4 bytes each the line keeps within 8 KiB."""

TOKEN = re.compile(r"[!-~]+")


def encode(message: ClientMessage | ServerMessage) -> bytes:
    """Write one line. Free text is cleaned; a move or VALID costs well under a microsecond.

    Raises: ValueError for a name, colour or keyword that is not one ASCII word.
    """
    if type(message) is Valid:
        return f"VALID {_token(message.colour)} {message.x} {message.y}\n".encode()
    return f"{_line(message)}\n".encode()


def _line(message: ClientMessage | ServerMessage) -> str:
    match message:
        case Move(x, y):
            return f"MOVE {x} {y}"
        case Valid(colour, x, y):
            return f"VALID {_token(colour)} {x} {y}"
        case Player(name):
            return f"PLAYER {_token(name)}"
        case Go(size, opponent):
            return f"GO {size}{_optional(opponent)}"
        case OldGo(name, size, opponent):
            return f"GO {_token(name)} {size}{_optional(opponent)}"
        case Ready(colour, opponent, size):
            return f"READY {_token(colour)} {_token(opponent)} {size}"
        case ReadyTable(players, size):
            words = (_token(word) for player in players for word in player)
            return f"READY {size} {' '.join(words)}"
        case Passed(colour) | Tableflipped(colour):
            return f"{_keyword(message)} {_token(colour)}"
        case Invalid(colour, reason):
            return f"INVALID {_token(colour)} {clean(reason, TEXT_LIMIT)}"
        case End(scores):
            return f"END {' '.join(map(str, scores))}"
        case Chat(text) | Warning(text):
            return f"{_keyword(message)} {clean(text, TEXT_LIMIT)}"
        case Pass() | Tableflip() | Cancel() | Exit() | Waiting():
            return _keyword(message)
        case Unknown(keyword):
            return _token(keyword)
        case _:
            assert_never(message)


def _keyword(message: ClientMessage | ServerMessage) -> str:
    return str(message.__struct_config__.tag)


def _optional(opponent: str | None) -> str:
    return "" if opponent is None else f" {_token(opponent)}"


def _token(word: str) -> str:
    if word in ("black", "white") or TOKEN.fullmatch(word):
        return word
    raise ValueError(f"{word!r} is not one ASCII word")
