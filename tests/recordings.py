"""Read the recordings of real servers and clients in `tests/data/transcripts`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

FOLDER = Path(__file__).parent / "data" / "transcripts"

Direction = Literal["from client", "to client"]


class Sent(NamedTuple):
    """What one side sent at once: `data` as on the wire, `client` as the recording names it."""

    direction: Direction
    client: str
    data: bytes


GO_LINE = re.compile(r" *[0-9.]+ (c\d+) ([CS])>[CS] (.*)")
PROBE_LINE = re.compile(r" *(\w+) (>>|<<) (.*)")
RUC_LINE = re.compile(r" *[0-9]+\.[0-9]{3} (C[0-9])(->|<-)S (.*)\\n")
INTS = re.compile(r" *[0-9.]+ +(conn\d+) +(c2s|s2c) bytes ([0-9a-f ]+)")


def go_recordings() -> list[Path]:
    """The recordings of one Go game or several, each a text file."""
    return sorted((FOLDER / "go").glob("*.txt"))


def tictactoe_recordings() -> list[Path]:
    """The recordings of one tic-tac-toe match each."""
    return sorted((FOLDER / "tictactoe-socket").glob("*.txt"))


def go_lines(path: Path) -> Iterator[Sent]:
    """The lines of a Go recording, each with the newline that the recorder took away."""
    for line in path.read_text().split("\n"):
        timed, probed = GO_LINE.fullmatch(line), PROBE_LINE.fullmatch(line)
        found = timed or probed
        if found is None or found[3].startswith("<"):
            continue
        direction: Direction = "from client" if found[2] in ("C", ">>") else "to client"
        yield Sent(direction, found[1], _written(found[3]))


def _written(text: str) -> bytes:
    """A write that was no whole line stands in the recording as a quoted literal."""
    if text.startswith("'"):
        return str(ast.literal_eval(text)).encode()
    return text.encode() + b"\n"


def tictactoe_ints(path: Path) -> Iterator[Sent]:
    """The writes of a tic-tac-toe recording, as the bytes they were."""
    for line in path.read_text().split("\n"):
        found = INTS.match(line)
        if found is not None:
            direction: Direction = "from client" if found[2] == "c2s" else "to client"
            yield Sent(direction, found[1], bytes.fromhex(found[3]))


def ruc_lines(name: str) -> Iterator[Sent]:
    """The JSON lines of a Chinese checkers recording, each with its newline.

    A recorded line reads `seconds C1->S {...}\\n`; lines with `@` tell of connections and
    segments and are left out.

    Raises:
        ValueError: a line is in neither form.
    """
    path = FOLDER / "chinese-checkers" / name
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = RUC_LINE.fullmatch(text)
        if found is not None:
            direction: Direction = "from client" if found[2] == "->" else "to client"
            yield Sent(direction, found[1], found[3].encode() + b"\n")
        elif " @ " not in text:
            raise ValueError(f"{name} line {number} is no recorded line: {text!r}")
