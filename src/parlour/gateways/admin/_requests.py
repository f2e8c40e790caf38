"""What operators ask on the local socket, and what they are answered: a JSON object per line."""

from msgspec import Struct

from parlour.gateways import BanKind

LONGEST = 500  # characters of a reason or an announcement


class _Request(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    pass


class Connections(_Request, frozen=True, tag="connections"):
    """Who is here."""


class Matches(_Request, frozen=True, tag="matches"):
    """What is being played, or waits for players."""


class Kick(_Request, frozen=True, tag="kick"):
    """End a connection, or all of somebody."""

    whom: str
    reason: str = ""


class PutBan(_Request, frozen=True, tag="ban"):
    """Keep somebody out from now on, for ever or to an end that is said in one of two ways.

    `until` is in milliseconds since the Unix epoch, `lasts` in milliseconds; 0 is neither.
    """

    kind: BanKind
    who: str
    until: int = 0
    lasts: int = 0
    reason: str = ""


class LiftBan(_Request, frozen=True, tag="unban"):
    """Let somebody in again."""

    kind: BanKind
    who: str


class ListBans(_Request, frozen=True, tag="bans"):
    """Who is kept out."""


class CloseMatch(_Request, frozen=True, tag="close-match"):
    """End a match without a result."""

    match: str
    reason: str = ""


class CloseRoom(_Request, frozen=True, tag="close-room"):
    """Close a room and end the match in it."""

    room: str
    reason: str = ""


class Announce(_Request, frozen=True, tag="announce"):
    """Say something to everybody whose protocol has words for it."""

    text: str


class Drain(_Request, frozen=True, tag="drain"):
    """Let no game begin, and end the server when none is left."""


class Undrain(_Request, frozen=True, tag="undrain"):
    """Let games begin again."""


class SetLogLevel(_Request, frozen=True, tag="log-level"):
    """Log from that level up; an empty `logger` is all of the server."""

    level: str
    logger: str = ""


class History(_Request, frozen=True, tag="history"):
    """What was done by operators, the newest `last` of it."""

    last: int = 100


class TellPruned(_Request, frozen=True, tag="pruned"):
    """Those streams are no longer in the log."""

    before: int
    streams: tuple[str, ...]


Request = (
    Connections
    | Matches
    | Kick
    | PutBan
    | LiftBan
    | ListBans
    | CloseMatch
    | CloseRoom
    | Announce
    | Drain
    | Undrain
    | SetLogLevel
    | History
    | TellPruned
)
