"""What the clients of a torture note: what they sent, and what they were told of their games.

One JSON object a line, written as it happens. The proof reads this file and the server's log, and
nothing else.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

Ranking = list[list[int]]
"""Groups of seats, best first. A protocol that cannot say "equal" gives groups of one."""


class _Note(Struct, frozen=True, tag=str.lower, tag_field="note", omit_defaults=True):
    at: int  # milliseconds since the Unix epoch
    client: str


class Began(_Note, frozen=True, tag=str.lower):
    """The client is told that its game has begun, or is told it all again after a way back.

    The match is found in the log by what the client knows: its `identity` (the beginning of it),
    or the stream itself. A textbook client has neither: its match was made from `since` to `at`.
    """

    seat: int
    seats: int
    returns: bool  # whether it knows a way back
    identity: str = ""
    stream: str = ""
    since: int = 0


class Secured(_Note, frozen=True, tag=str.lower):
    """The client is connected over TLS."""


class Sent(_Note, frozen=True, tag=str.lower):
    """The client asks for `move` as number `ply` of the game, counted from 0."""

    ply: int
    move: str


class Told(_Note, frozen=True, tag=str.lower):
    """A move was played, as the client is told it: its own ones too."""

    seat: int
    move: str


class Shown(_Note, frozen=True, tag=str.lower):
    """The whole board, seat and move of every mark: all that a protocol says to who comes back."""

    marks: list[tuple[int, str]]


class Out(_Note, frozen=True, tag=str.lower):
    """A seat has lost before the end of the game."""

    seat: int


class Ended(_Note, frozen=True, tag=str.lower):
    """The result."""

    ranking: Ranking
    scores: list[int] = []


class CalledOff(_Note, frozen=True, tag=str.lower):
    """There will be no result."""


class Missed(_Note, frozen=True, tag=str.lower):
    """The client came back, and its game was not there any more."""


class GaveUp(_Note, frozen=True, tag=str.lower):
    """No game has begun for the client, who has been there from `since` to `at`."""

    since: int


class Planned(_Note, frozen=True, tag=str.lower):
    """What the run (`client` is "run") must have done: games of these kinds, and strangers."""

    kinds: list[str]
    strangers: bool


class Refused(_Note, frozen=True, tag=str.lower):
    """The server said no to something."""

    text: str


class Fault(_Note, frozen=True, tag=str.lower):
    """What was done to the client: cut, reset, stall, throttle, flood; or `lost`, by the server."""

    kind: str
    until: int = 0


class Started(_Note, frozen=True, tag=str.lower):
    """The server (`client` is then "server" or "xmpp") listens."""


class Killed(_Note, frozen=True, tag=str.lower):
    """SIGKILL to the server, or to the XMPP server."""


Note = (
    Began
    | Secured
    | Sent
    | Told
    | Shown
    | Out
    | Ended
    | CalledOff
    | Missed
    | GaveUp
    | Planned
    | Refused
    | Fault
    | Started
    | Killed
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Note)


def now() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000


class Notebook:
    """The file that all clients of a run write to."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=1 << 16)

    def write(self, note: Note) -> None:
        """Add one line."""
        self._file.write(_encoder.encode(note) + b"\n")

    def close(self) -> None:
        """Everything is in the file."""
        self._file.close()


def read(path: Path) -> Iterator[Note]:
    """The notes of a run, in order."""
    with path.open("rb") as file:
        for line in file:
            yield _decoder.decode(line)


def by_client(notes: Sequence[Note]) -> dict[str, list[Note]]:
    """Each client's own notes, in order."""
    found: dict[str, list[Note]] = {}
    for note in notes:
        found.setdefault(note.client, []).append(note)
    return found
