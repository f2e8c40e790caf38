"""Who is kept out, and how every door learns it."""

import contextlib
import datetime
import enum
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from parlour.games import Refusal, Refused
from parlour.gateways._addresses import Network, known_address, known_network
from parlour.host import holder_of
from parlour.match import fold_name

LONGEST = 200  # characters of whom a ban is about
LAST = 253_370_764_800_000  # 9999-01-01 in UTC: later ends cannot be told in every time zone


class BanKind(enum.StrEnum):
    """By what somebody is known."""

    NAME = "name"
    ADDRESS = "address"
    JID = "jid"


class Ban(Struct, frozen=True, omit_defaults=True):
    """Somebody who is kept out: a name or `realm:name`, an address or network, a JID or domain.

    `until` is in milliseconds since the Unix epoch; 0 is for ever. `reason` is told to whom it
    concerns.
    """

    kind: BanKind
    who: str
    until: int = 0
    reason: str = ""

    def holds(self, now: int) -> bool:
        """Whether it has not ended."""
        return not self.until or now < self.until

    def sentence(self) -> str:
        """What its subject is told."""
        end = ""
        if 0 < self.until <= LAST:  # a recorded one may be any number
            moment = datetime.datetime.fromtimestamp(self.until / 1000, datetime.UTC)
            end = f" until {moment:%Y-%m-%d %H:%M} UTC"
        return f"you are banned{end}" + (f": {self.reason}" if self.reason else "")


def subject(kind: BanKind, who: str) -> str:
    """Whom a ban is about, in the one form that bans are kept in.

    Raises:
        Refused: MALFORMED_NAME, with what it may be.
    """
    if len(who) > LONGEST or not who.isprintable() or not kept_as(kind, who).strip():
        raise Refused(
            Refusal.MALFORMED_NAME, f"{who[:LONGEST]!r} is nobody: 1 to {LONGEST} printable letters"
        )
    match kind:
        case BanKind.NAME:
            return fold_name(who)
        case BanKind.ADDRESS:
            try:
                return _network(who)
            except ValueError:
                raise Refused(
                    Refusal.MALFORMED_NAME,
                    f"{who!r} is no address: expected one such as 10.0.0.7 or 10.0.0.0/8",
                ) from None
        case BanKind.JID:
            if "/" in who or who.startswith("@") or who.count("@") > 1 or " " in who:
                raise Refused(
                    Refusal.MALFORMED_NAME,
                    f"{who!r} is no JID: expected one such as anna@example.org, or example.org",
                )
            return who.strip().casefold()


def kept_as(kind: BanKind, who: str) -> str:
    """A recorded subject in the form that is looked up.

    It was brought into one form when it was recorded, by rules that may have been others.
    """
    match kind:
        case BanKind.NAME:
            return fold_name(who)
        case BanKind.ADDRESS:
            with contextlib.suppress(ValueError):
                return _network(who)
    return who


def _network(who: str) -> str:
    """A network, or the address where it is of one.

    Raises:
        ValueError: it is neither.
    """
    network = known_network(who, strict=False)
    whole = network.prefixlen == network.max_prefixlen
    return str(network.network_address) if whole else str(network)


class Bans:
    """The bans that are in force. Doors ask at a connection, and again at a login."""

    def __init__(self) -> None:
        self._bans: dict[tuple[BanKind, str], Ban] = {}
        self._networks: list[tuple[Network, Ban]] = []

    def put(self, bans: Iterable[Ban]) -> None:
        """These and no others."""
        kept = (replace(ban, who=kept_as(ban.kind, ban.who)) for ban in bans)
        self._bans = {(ban.kind, ban.who): ban for ban in kept}
        self._networks = [
            (known_network(ban.who), ban)
            for ban in self._bans.values()
            if ban.kind is BanKind.ADDRESS
        ]

    def all(self) -> list[Ban]:
        """All that were put, by kind and subject."""
        return [self._bans[key] for key in sorted(self._bans)]

    def of_address(self, address: str, now: int) -> Ban | None:
        """The ban that keeps an address out."""
        if not self._networks:
            return None
        known = known_address(address)
        if known is None:
            return None
        return next((ban for net, ban in self._networks if known in net and ban.holds(now)), None)

    def of_person(self, identity: str, name: str, now: int) -> Ban | None:
        """The ban that keeps a player out. An empty `name` is that of the identity."""
        if not self._bans:
            return None
        holder = holder_of(identity)
        realm, _, native = holder.partition(":")
        keys = {(BanKind.NAME, fold_name(one)) for one in (name or native, native, holder) if one}
        if realm == "xmpp":
            jid = native.casefold()
            keys |= {(BanKind.JID, jid), (BanKind.JID, jid.partition("@")[2])}
        found = (self._bans[key] for key in sorted(keys & self._bans.keys()))
        return next((ban for ban in found if ban.holds(now)), None)

    def check_address(self, address: str, now: int) -> None:
        """Let an address in.

        Raises:
            Refused: BANNED, with a sentence for the peer.
        """
        _check(self.of_address(address, now))

    def check_person(self, identity: str, name: str, now: int) -> None:
        """Let a player in.

        Raises:
            Refused: BANNED, with a sentence for the player.
        """
        _check(self.of_person(identity, name, now))


def _check(ban: Ban | None) -> None:
    if ban is not None:
        raise Refused(Refusal.BANNED, ban.sentence())
