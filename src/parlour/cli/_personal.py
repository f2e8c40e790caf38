"""Where recorded events name a person, and what stands there when the names are deleted."""

import enum
import re
from collections.abc import Callable, Mapping
from typing import Any

from parlour.host import holder_of
from parlour.wire.mug import bare

REALMS = ("nedap", "ruc", "textbook", "web", "xmpp")
XMPP = "xmpp:"
NOWHERE = "erased.invalid"  # RFC 2606, section 2: a domain that never is


class Kind(enum.Enum):
    """What a field holds."""

    IDENTITY = enum.auto()
    NAME = enum.auto()  # of whoever the event is about
    JID = enum.auto()
    TEXT = enum.auto()  # in which a name may be a word
    OTHER = enum.auto()  # nothing of a person


Fields = Mapping[str, Any]
"""For each field its kind, or the fields of the object in it."""

FIELDS: Mapping[str, Fields] = {
    "MatchCreated": {
        "game": Kind.OTHER,
        "room": Kind.TEXT,
        "rematch_of": Kind.OTHER,
        "lock": Kind.OTHER,
    },
    "SeatTaken": {"identity": Kind.IDENTITY, "name": Kind.NAME},
    "MovePlayed": {"move": Kind.OTHER},
    "SeatForfeited": {"detail": Kind.TEXT},
    "MatchAborted": {"detail": Kind.TEXT},
    "RoomCreated": {"name": Kind.TEXT, "game": Kind.OTHER, "owner": Kind.JID},
    "RoomConfigured": {
        "config": {
            "title": Kind.TEXT,
            "description": Kind.TEXT,
            "password": Kind.TEXT,
            "chat": Kind.TEXT,
        }
    },
    "OccupantEntered": {"session": Kind.JID, "nick": Kind.NAME},
    "OccupantLeft": {"session": Kind.JID},
    "NickChanged": {"user": Kind.JID, "nick": Kind.NAME},
    "AffiliationChanged": {"user": Kind.JID},
    "RoundOpened": {"stream": Kind.OTHER},
    "RoundEnded": {"stream": Kind.OTHER, "won": Kind.OTHER},
    # What operators wrote of somebody. Their own names are those of users of the machine.
    "VisitorKicked": {"user": Kind.OTHER, "whom": Kind.TEXT, "reason": Kind.TEXT},
    "Banned": {"user": Kind.OTHER, "ban": {"who": Kind.TEXT, "reason": Kind.TEXT}},
    "Unbanned": {"user": Kind.OTHER, "who": Kind.TEXT},
    "MatchClosed": {"user": Kind.OTHER, "match": Kind.OTHER, "reason": Kind.TEXT},
    "RoomShut": {"user": Kind.OTHER, "room": Kind.TEXT, "reason": Kind.TEXT},
    "Announced": {"user": Kind.OTHER, "text": Kind.TEXT},
    "DrainBegun": {"user": Kind.OTHER},
    "DrainEnded": {"user": Kind.OTHER},
    "LogLevelSet": {"user": Kind.OTHER, "level": Kind.OTHER, "logger": Kind.OTHER},
    "Pruned": {"user": Kind.OTHER},
    "NamesErased": {"user": Kind.OTHER, "tokens": Kind.OTHER},
}
ROOM_NAMES = {"MatchCreated": "room", "RoomCreated": "name"}


def wanted(who: str) -> str:
    """What was typed as a person, as `People` compares it: `realm:name`, or a name alone."""
    if who.partition(":")[0] in REALMS:
        return XMPP + bare(who.removeprefix(XMPP)) if who.startswith(XMPP) else holder_of(who)
    return XMPP + bare(who) if "@" in who else who


def kind_of(event: Mapping[str, Any]) -> str:
    """The name of an event without the version of its shape."""
    return str(event["type"]).partition("/")[0]


def person_in(event: Mapping[str, Any]) -> str:
    """Whom an event is about, as `realm:name`; empty for nobody."""
    for field, kind in FIELDS.get(kind_of(event), {}).items():
        if kind is Kind.IDENTITY:
            return holder_of(event[field])
        if kind is Kind.JID:
            return XMPP + bare(event[field])
    return ""


def name_in(event: Mapping[str, Any]) -> str:
    """What the person of an event is called there; empty where it is not said."""
    fields = FIELDS.get(kind_of(event), {})
    return next((event[field] for field, kind in fields.items() if kind is Kind.NAME), "")


def native_name(person: str) -> str:
    """The name inside a person's identity; empty where that is a key that nobody chose."""
    realm, _, name = person.partition(":")
    if realm in ("nedap", "ruc"):
        return name
    return name.partition("@")[0] if realm == "xmpp" else ""


class Erased:
    """One person, the names that are deleted, and what is written instead."""

    def __init__(self, person: str, token: str) -> None:
        self.person = person
        self.token = token
        self.names = {name} if (name := native_name(person)) else set()
        self._places: dict[str, str] = {}  # further addresses and resources, numbered

    def identity(self, identity: str) -> str:
        """The identity that is written instead of one of this person's."""
        realm, _, rest = identity.partition(":")
        if realm == "xmpp":
            return XMPP + self.jid(rest)
        return f"{realm}:{self.token}{self._place(' ', identity.partition(' ')[2])}"

    def jid(self, jid: str) -> str:
        """The bare or full JID that is written instead."""
        return f"{self.token}@{NOWHERE}{self._place('/', jid.partition('/')[2])}"

    def text(self, text: str) -> str:
        """The text without the names, as far as they are words of it."""
        for name in sorted(self.names, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", self.token, text, flags=re.I)
        return text

    def _place(self, sign: str, place: str) -> str:
        if not place:
            return ""
        return sign + self._places.setdefault(place, str(len(self._places) + 1))


def rewritten(event: dict[str, Any], people: Mapping[str, Erased]) -> dict[str, Any]:
    """The event without the names of `people`, who are those of its stream by `realm:name`."""

    def without(text: str) -> str:
        for one in people.values():
            text = one.text(text)
        return text

    about = people.get(person_in(event))
    fields = FIELDS.get(kind_of(event), {})
    return {
        name: _instead(value, fields.get(name), about, without) for name, value in event.items()
    }


def _instead(value: Any, kind: Any, about: Erased | None, without: Callable[[str], str]) -> Any:
    if isinstance(kind, Mapping):
        return {name: _instead(one, kind.get(name), about, without) for name, one in value.items()}
    if kind is Kind.TEXT:
        return without(value) if isinstance(value, str) else [without(one) for one in value]
    if about is None:
        return value
    if kind is Kind.IDENTITY:
        return about.identity(value)
    if kind is Kind.JID:
        return about.jid(value)
    return about.token if kind is Kind.NAME else value
