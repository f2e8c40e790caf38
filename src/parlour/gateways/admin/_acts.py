"""What operators have done, as recorded: a closed union of facts, and who is banned by them."""

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from parlour.gateways import Ban, BanKind, kept_as


def _tag(name: str) -> str:
    return f"{name}/1"


class _Act(Struct, frozen=True, tag_field="type", tag=_tag, omit_defaults=True):
    """`uid` is the number of the user at this machine who did it; -1 where it is not known."""

    at: int  # milliseconds since the Unix epoch
    uid: int = -1
    user: str = ""


class VisitorKicked(_Act, frozen=True, kw_only=True, tag=_tag):
    """Connections were ended; `whom` is as the operator wrote it."""

    whom: str
    connections: int
    reason: str = ""


class Banned(_Act, frozen=True, kw_only=True, tag=_tag):
    """Somebody is kept out; a ban of the same subject before it is replaced."""

    ban: Ban


class Unbanned(_Act, frozen=True, kw_only=True, tag=_tag):
    """Somebody is let in again."""

    kind: BanKind
    who: str


class MatchClosed(_Act, frozen=True, kw_only=True, tag=_tag):
    """A match was ended without a result."""

    match: str
    reason: str = ""


class RoomShut(_Act, frozen=True, kw_only=True, tag=_tag):
    """A room was closed, and the match in it."""

    room: str
    reason: str = ""


class Announced(_Act, frozen=True, kw_only=True, tag=_tag):
    """Something was said to everybody."""

    text: str


class DrainBegun(_Act, frozen=True, tag=_tag):
    """No game begins any more, and the server ends with the last one."""


class DrainEnded(_Act, frozen=True, tag=_tag):
    """Games begin again."""


class LogLevelSet(_Act, frozen=True, kw_only=True, tag=_tag):
    """The log says more, or less."""

    level: str
    logger: str = ""


class Pruned(_Act, frozen=True, kw_only=True, tag=_tag):
    """What had finished before a moment was taken out of the log."""

    before: int
    streams: int


class ActRefused(_Act, frozen=True, kw_only=True, tag=_tag):
    """An act of kind `act` that was recorded at the moment `of` could not be done."""

    act: str
    of: int
    why: str


class NamesErased(_Act, frozen=True, kw_only=True, tag=_tag):
    """Names were replaced in the log by those `tokens`."""

    tokens: tuple[str, ...]


Act = (
    VisitorKicked
    | Banned
    | Unbanned
    | MatchClosed
    | RoomShut
    | Announced
    | DrainBegun
    | DrainEnded
    | LogLevelSet
    | Pruned
    | NamesErased
    | ActRefused
)


class Acts(Struct, frozen=True):
    """The fold of all acts; `version` counts them."""

    bans: Mapping[tuple[BanKind, str], Ban] = {}
    version: int = 0


def evolve(acts: Acts | None, act: Act) -> Acts:
    """What is so after `act`."""
    before = acts or Acts()
    bans = before.bans
    match act:
        case Banned(ban=ban):
            who = kept_as(ban.kind, ban.who)
            bans = {**bans, (ban.kind, who): replace(ban, who=who)}
        case Unbanned(kind=kind, who=who):
            lifted = (kind, kept_as(kind, who))
            bans = {key: ban for key, ban in bans.items() if key != lifted}
        case (
            VisitorKicked()
            | MatchClosed()
            | RoomShut()
            | Announced()
            | DrainBegun()
            | DrainEnded()
            | LogLevelSet()
            | Pruned()
            | NamesErased()
            | ActRefused()
        ):
            pass
        case _:
            assert_never(act)
    return Acts(bans, before.version + 1)
