"""Where recorded events name a person, and what stands there when the names are deleted."""

import enum
from collections.abc import Mapping
from typing import Any

from parlour.cli._words import replaced
from parlour.host import holder_of
from parlour.wire.mug import bare, unescape_node

REALMS = ("nedap", "ruc", "textbook", "web", "xmpp")
XMPP = "xmpp:"
NOWHERE = "erased.invalid"  # RFC 2606, section 2: a domain that never is
GONE = "erased"  # in the place of an address


class Kind(enum.Enum):
    """What a field holds."""

    IDENTITY = enum.auto()
    NAME = enum.auto()  # of whoever the event is about
    JID = enum.auto()
    TEXT = enum.auto()  # in which a name may be a word
    SUBJECT = enum.auto()  # of a ban, of the kind that stands beside it
    WHOM = enum.auto()  # a name, an identity, or a connection with its address
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
    "VisitorKicked": {"user": Kind.OTHER, "whom": Kind.WHOM, "reason": Kind.TEXT},
    "Banned": {"user": Kind.OTHER, "ban": {"who": Kind.SUBJECT, "reason": Kind.TEXT}},
    "Unbanned": {"user": Kind.OTHER, "who": Kind.SUBJECT},
    "MatchClosed": {"user": Kind.OTHER, "match": Kind.OTHER, "reason": Kind.TEXT},
    "RoomShut": {"user": Kind.OTHER, "room": Kind.TEXT, "reason": Kind.TEXT},
    "Announced": {"user": Kind.OTHER, "text": Kind.TEXT},
    "DrainBegun": {"user": Kind.OTHER},
    "DrainEnded": {"user": Kind.OTHER},
    "LogLevelSet": {"user": Kind.OTHER, "level": Kind.OTHER, "logger": Kind.OTHER},
    "Pruned": {"user": Kind.OTHER},
    "ActRefused": {"user": Kind.OTHER, "act": Kind.OTHER, "why": Kind.TEXT},
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
    return unescape_node(name.partition("@")[0]) if realm == "xmpp" else ""


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
        """The text without the person's identity and names, as far as they are words of it.

        They are found in any form that is taken for the same name: bans are kept in another one.
        """
        realm, _, key = self.person.partition(":")
        text = replaced(text, self.person, self.identity(self.person))
        if realm == "xmpp":
            text = replaced(text, key, self.jid(key))
        for name in sorted(self.names, key=len, reverse=True):
            text = replaced(text, name, self.token)
        return text

    def _place(self, sign: str, place: str) -> str:
        if not place:
            return ""
        return sign + self._places.setdefault(place, str(len(self._places) + 1))


def rewritten(event: dict[str, Any], people: Mapping[str, Erased]) -> dict[str, Any]:
    """The event without the names of `people`, who are those of its stream by `realm:name`."""
    fields = FIELDS.get(kind_of(event), {})
    return _Rewriting(people, people.get(person_in(event))).object(event, fields)


class _Rewriting:
    """One event, and the person that it is about."""

    def __init__(self, people: Mapping[str, Erased], about: Erased | None) -> None:
        self._people = people
        self._about = about

    def object(self, values: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
        new = {name: self._field(value, fields.get(name)) for name, value in values.items()}
        for name, kind in fields.items():
            if kind is Kind.SUBJECT and name in values:
                new[name] = self._subject(values["kind"], values[name])
        return new

    def _field(self, value: Any, kind: Any) -> Any:
        if isinstance(kind, Mapping):
            return self.object(value, kind)
        if kind is Kind.TEXT:
            return self._text(value) if isinstance(value, str) else [*map(self._text, value)]
        if kind is Kind.WHOM:
            return self._whom(value)
        about = self._about
        if about is None:
            return value
        if kind is Kind.IDENTITY:
            return about.identity(value)
        if kind is Kind.JID:
            return about.jid(value)
        return about.token if kind is Kind.NAME else value

    def _text(self, text: str) -> str:
        for one in self._people.values():
            text = one.text(text)
        return text

    def _subject(self, kind: str, who: str) -> str:
        """An address is not a name, even if somebody is called 10; nor is a domain."""
        if kind == "address" or (kind == "jid" and "@" not in who):
            return who
        return self._text(who)

    def _whom(self, whom: str) -> str:
        """Whose connection it was is not recorded: no address stays."""
        protocol, slash, rest = whom.partition("/")
        if not slash or protocol not in REALMS:
            return self._text(whom)
        if protocol != "xmpp":
            return f"{protocol}/{GONE}"
        one = self._people.get(XMPP + bare(rest))
        return whom if one is None else f"{protocol}/{one.jid(rest)}"
