"""Reads the wire recordings in `tests/data/transcripts`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

TRANSCRIPTS = Path(__file__).parent / "data" / "transcripts"
RUC_LINE = re.compile(r" *[0-9]+\.[0-9]{3} (C[0-9])(->|<-)S (.*)\\n")


class Recorded(NamedTuple):
    """One line on the wire, without its newline."""

    direction: Literal["to server", "to client"]
    client: str
    line: str


def ruc_lines(name: str) -> Iterator[Recorded]:
    """The JSON lines of a Chinese checkers recording, in the order of the wire.

    A recorded line reads `seconds C1->S {...}\\n`; lines with `@` tell of connections and
    segments and are left out.

    Raises:
        ValueError: a line is in neither form.
    """
    path = TRANSCRIPTS / "chinese-checkers" / name
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = RUC_LINE.fullmatch(text)
        if match is not None:
            yield Recorded("to server" if match[2] == "->" else "to client", match[1], match[3])
        elif " @ " not in text:
            raise ValueError(f"{name} line {number} is no recorded line: {text!r}")
