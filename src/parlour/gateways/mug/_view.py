"""What is so in one room: the room and its match as far as their facts have been told."""

import itertools
import unicodedata
from collections.abc import Iterator
from stringprep import in_table_c6, in_table_c7

import msgspec

from parlour.games import Seat
from parlour.gateways.mug._config import Anonymity
from parlour.gateways.mug._plays import Play
from parlour.gateways.mug._room import Room
from parlour.match import Match, Player, Status, free_name
from parlour.wire import clean
from parlour.wire.mug import Node, nick_key

REALM = "xmpp:"
NAMELESS = "guest"
NAME_LENGTH = 40


def identity_of(user: str) -> str:
    """The key of a bare JID at tables."""
    return REALM + user


def user_of(identity: str) -> str:
    """The bare JID of a player; empty for those who speak another protocol."""
    return identity.removeprefix(REALM) if identity.startswith(REALM) else ""


class View:
    """A room, its current match, and what guests are called here.

    Guests are players of the match who came through another protocol: they are shown like
    occupants, but nothing can be sent to them.
    """

    def __init__(self, address: str, play: Play, room: Room) -> None:
        self.address = address
        self.play = play
        self.room = room
        self.match: Match | None = None
        self._guests: dict[str, str] = {}

    # The match

    def show(self, match: Match | None) -> None:
        """Let the match be as it is now; guests who have come get a nickname."""
        before, self.match = self.match, match
        if match is None or before is None or match.seats is not before.seats:
            self._name_guests()

    def status(self) -> str:
        """The match status (proto-XEP Multi-User Gaming, "Match Status")."""
        if not self.room.configured:
            return "created"
        if self.match is None or self.match.position is None:  # it has not begun, nor ever will
            return "inactive"
        return "paused" if self.match.status is Status.SUSPENDED else "active"

    def state(self, won: str = "", drawn: bool = False) -> Node | None:
        """The state of the game; None before there is a configuration."""
        if not self.room.configured:
            return None
        if self.match is None or self.match.position is None:
            return self.play.state(self.room.options, None, won, drawn)
        return self.play.state(self.match.options, self.match.position, won, drawn)

    def roles(self) -> tuple[str, ...]:
        """The names of the roles, in the order of seats."""
        options = msgspec.convert(self.room.options, self.play.game.options)
        return self.play.game.seat_names(options, self.play.game.capacity(options))

    def seat_of(self, user: str) -> Seat | None:
        """Where an XMPP user sits."""
        return self.match.seat_of(identity_of(user)) if self.match is not None else None

    def role_of(self, user: str) -> str:
        """The role of an XMPP user; empty for spectators."""
        seat = self.seat_of(user)
        return "" if seat is None or self.match is None else self.match.seat_names[seat]

    def held_roles(self) -> dict[str, str]:
        """The roles of those inside who have one, by bare JID."""
        match = self.match
        if match is None:
            return {}
        return {
            user: match.seat_names[seat]
            for seat, player in match.players()
            if (user := user_of(player.identity)) in self.room.occupants
        }

    def players(self) -> Iterator[tuple[Seat, Player]]:
        """Who sits at the table."""
        return iter(self.match.players() if self.match is not None else ())

    def player_sessions(self) -> list[str]:
        """The full JIDs of all players who are in the room."""
        occupants = (self.room.occupants.get(user_of(one.identity)) for _, one in self.players())
        return [session for one in occupants if one is not None for session in one.sessions]

    # Who is who

    def nick_of(self, player: Player) -> str:
        """What a player of the match is called in the room."""
        occupant = self.room.occupants.get(user_of(player.identity))
        if occupant is not None:
            return occupant.nick
        return self._guests.get(player.identity) or self._free_nick(player)

    def guests(self) -> dict[str, tuple[str, str]]:
        """Nickname and role of every guest, by identity."""
        match = self.match
        if match is None:
            return {}
        return {
            player.identity: (self._guests[player.identity], match.seat_names[seat])
            for seat, player in match.players()
            if player.identity in self._guests
        }

    def reserved(self) -> tuple[str, ...]:
        """The nicknames of guests, which nobody else can have."""
        return tuple(nick for nick, _ in self.guests().values())

    def is_guest(self, nick: str) -> bool:
        """Whether a guest has a nickname that looks like that."""
        return nick_key(nick) in map(nick_key, self.reserved())

    def give_way(self, nick: str) -> None:
        """An occupant has that nickname now: a guest who sat down meanwhile gets another one."""
        key = nick_key(nick)
        self._guests = {one: name for one, name in self._guests.items() if nick_key(name) != key}
        self._name_guests()

    def free_name(self, nick: str) -> str:
        """The nick as a name that nobody at the table has."""
        return free_name(nick, [player.name for _, player in self.players()])

    def sees(self, reader: str) -> bool:
        """Whether a bare JID learns the JIDs of other occupants."""
        anonymity = self.room.config.anonymity
        return anonymity is Anonymity.NON or (
            anonymity is Anonymity.SEMI and reader == self.room.owner
        )

    def _name_guests(self) -> None:
        """Who has gone may find somebody else of that name on coming back."""
        guests = [player for _, player in self.players() if not user_of(player.identity)]
        here = {player.identity for player in guests}
        self._guests = {one: nick for one, nick in self._guests.items() if one in here}
        for player in guests:
            if player.identity not in self._guests:
                self._guests[player.identity] = self._free_nick(player)

    def _free_nick(self, player: Player) -> str:
        taken = {nick_key(one.nick) for one in self.room.occupants.values()}
        return shown_name(player.name, taken | {nick_key(one) for one in self._guests.values()})


def shown_name(name: str, taken: set[str]) -> str:
    """A name from another protocol as a nickname that is not taken.

    Only what every server's resourceprep lets pass: assigned in Unicode 3.2, nothing invisible,
    nothing that stands for what cannot be shown (RFC 3454, tables C.6 and C.7).
    """
    folded = unicodedata.normalize("NFKC", clean(name, NAME_LENGTH))
    category = unicodedata.ucd_3_2_0.category
    base = "".join(
        one
        for one in folded
        if category(one)[0] in "LNPSZ"
        and one.isprintable()
        and not (in_table_c6(one) or in_table_c7(one))
    )
    base = " ".join(base.split()) if nick_key(base) else NAMELESS
    return next(
        shown
        for number in itertools.count(1)
        if nick_key(shown := base if number == 1 else f"{base} {number}") not in taken
    )
