"""What a Go client and server say to each other, one struct per keyword.

Source: GoProtocol (Nedap University, 2016-2018), "Samenvatting Protocol".
"""

from msgspec import Struct


class Player(Struct, frozen=True, tag="PLAYER"):
    """Client: my name, `[a-z]{1,20}`."""

    name: str


class Go(Struct, frozen=True, tag="GO"):
    """Client: look for a game on a board of `size`, odd, 5 to 131; with `opponent` only."""

    size: int
    opponent: str | None = None


class OldGo(Struct, frozen=True, tag="GO name"):
    """Client: PLAYER and GO in one line, the form that "some still use" ('Inloggen')."""

    name: str
    size: int
    opponent: str | None = None


class Move(Struct, frozen=True, tag="MOVE"):
    """Client: a stone at x from the left, y from the top, both from 0; may be off the board."""

    x: int
    y: int


class Pass(Struct, frozen=True, tag="PASS"):
    """Client: no stone this turn."""


class Tableflip(Struct, frozen=True, tag="TABLEFLIP"):
    """Client: I give up."""


class Chat(Struct, frozen=True, tag="CHAT"):
    """Either side: free text; from a server it begins with the sender's name and a colon."""

    text: str


class Cancel(Struct, frozen=True, tag="CANCEL"):
    """Client: stop waiting."""


class Exit(Struct, frozen=True, tag="EXIT"):
    """Client: log out."""


class Unknown(Struct, frozen=True, tag="unknown"):
    """Either side: a line that begins with no known keyword."""

    keyword: str


class Waiting(Struct, frozen=True, tag="WAITING"):
    """Server: the answer to GO."""


class Ready(Struct, frozen=True, tag="READY"):
    """Server: the game begins; you have `colour`. The form that all real clients parse."""

    colour: str
    opponent: str
    size: int


class ReadyTable(Struct, frozen=True, tag="READY size"):
    """Server: the game begins, in the form of the summary table; `players` are (colour, name)."""

    players: tuple[tuple[str, str], ...]
    size: int


class Valid(Struct, frozen=True, tag="VALID"):
    """Server, to all: a stone of `colour` stands at x, y."""

    colour: str
    x: int
    y: int


class Passed(Struct, frozen=True, tag="PASSED"):
    """Server, to all: `colour` passed."""

    colour: str


class Invalid(Struct, frozen=True, tag="INVALID"):
    """Server: `colour` made an illegal move and has lost by it."""

    colour: str
    reason: str


class Tableflipped(Struct, frozen=True, tag="TABLEFLIPPED"):
    """Server, to all: `colour` gave up, left, or ran out of time."""

    colour: str


class End(Struct, frozen=True, tag="END"):
    """Server: the game is over; scores in the order of play, all -1 when nobody counted."""

    scores: tuple[int, ...]


class Warning(Struct, frozen=True, tag="WARNING"):
    """Server: that was not understood, or not now."""

    text: str


ClientMessage = Player | Go | OldGo | Move | Pass | Tableflip | Chat | Cancel | Exit | Unknown
ServerMessage = (
    Waiting
    | Ready
    | ReadyTable
    | Valid
    | Passed
    | Invalid
    | Tableflipped
    | End
    | Chat
    | Warning
    | Unknown
)
