"""Facts of a room and its match as stanzas to those inside."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from parlour.gateways import LOOKS_ON
from parlour.gateways.mug._outbox import Outbox, Payload
from parlour.gateways.mug._plays import PLAYS
from parlour.gateways.mug._room import Occupant, Room
from parlour.gateways.mug._room_events import Departure
from parlour.gateways.mug._view import View, user_of
from parlour.host import ChatLine, Recorded
from parlour.match import MovePlayed, SeatReady
from parlour.wire import clean
from parlour.wire.mug import (
    Node,
    bare,
    believed_lost,
    invalid_turn_kick,
    occupant_presence,
    start,
    status_presence,
    turn,
)

SAID_LONGEST = 500  # characters of a line that crosses from one protocol to another


class Teller:
    """Keeps those inside informed; it remembers what they were last told."""

    def __init__(self, view: View, outbox: Outbox) -> None:
        self._view = view
        self._outbox = outbox
        self._roles: dict[str, str] = {}
        self._guests: dict[str, tuple[str, str]] = {}
        self._missed: dict[str, dict[str, None]] = {}  # of whom a full JID did not hear the leave
        self._status = view.status()

    def assume(self) -> None:
        """What is so has been told already, by a run of the service before this one."""
        view, before = self._view, self._guests
        self._status = view.status()
        self._guests = view.guests()
        self._roles = view.held_roles()
        named = {nick for nick, _ in self._guests.values()}
        for nick, _ in before.values():
            if nick not in named:
                self._miss(nick, view.room.sessions)

    def make_up(self, told: Room) -> None:
        """Let those who went since the room was as `told`, and those who stay, hear of it."""
        room = self._view.room
        for user, occupant in told.occupants.items():
            now = room.occupants.get(user)
            if now is None or now.nick != occupant.nick:
                self._miss(occupant.nick, room.sessions)
            gone = [one for one in occupant.sessions if room.inside(one) is None]
            nodes = occupant_presence(room.affiliation(user), "none")
            self._tell_gone(occupant.nick, gone, Payload(*nodes))
            for session in gone:
                self._missed.pop(session, None)

    # The room

    def welcome(self, session: str, occupant: Occupant) -> None:
        """Everything there is to know, in the order that the text demands: the own presence last.

        "Presence Broadcast".
        """
        view = self._view
        self._outbox.tell("presence", view.address, (session,), self._room())
        self._tell_missed(session)
        for other in view.room.occupants.values():
            if other.user != occupant.user:
                self._tell_occupant(other, (session,))
        for nick, role in view.guests().values():
            self._tell_guest(nick, role, (session,))
        self._tell_occupant(occupant, (session,))

    def entered(self, session: str, occupant: Occupant) -> None:
        """Somebody came in: everybody hears it, and the newcomer all the rest before that."""
        self._view.give_way(occupant.nick)
        self._sync_guests(unseen=session)
        self._roles.pop(occupant.user, None)
        if role := self._view.role_of(occupant.user):
            self._roles[occupant.user] = role
        others = [one for one in self._view.room.sessions if one != session]
        self._tell_occupant(occupant, others)
        self.welcome(session, occupant)

    def left(self, session: str, occupant: Occupant, cause: Departure) -> None:
        """A session is gone; with the last one, its occupant is.

        Who was believed lost hears it, too: it may have been a mistake.
        """
        room = self._view.room
        nodes = list(occupant_presence(room.affiliation(occupant.user), "none"))
        if cause is Departure.INVALID_TURN:
            nodes.append(invalid_turn_kick())
        lost = believed_lost() if cause is Departure.UNREACHABLE else ()
        self._tell_gone(occupant.nick, (session,), Payload(*lost, *nodes))
        if occupant.user not in room.occupants:
            self._roles.pop(occupant.user, None)
            self._tell_gone(occupant.nick, room.sessions, Payload(*nodes))
        self._missed.pop(session, None)

    def looks_on(self, session: str, occupant: Occupant) -> None:
        """Tell somebody who gives up a role, and has none, that it is so."""
        self._tell_occupant(occupant, (session,), "none")

    def renamed(self, before: Occupant, nick: str) -> None:
        """ "Changing Nickname": the old nickname says the new one."""
        self._view.give_way(nick)
        self._sync_guests()
        self._tell_occupant(before, self._view.room.sessions, nick=nick)
        if not self._outbox.up:
            self._miss(before.nick, self._view.room.sessions)

    def affiliated(self, user: str) -> None:
        """An affiliation changed: everybody who is inside hears it of everybody inside."""
        occupant = self._view.room.occupants.get(user)
        if occupant is not None:
            self._tell_occupant(occupant, self._view.room.sessions)

    def configured(self, changed: bool) -> None:
        """The room is unlocked, or set differently."""
        self._status = self._view.status()
        self._tell_all(self._room(changed=changed))

    def round_ended(self, won: str, drawn: bool) -> None:
        """The result, and the state from which the next round begins."""
        if self._status != "inactive":
            self._status = "inactive"
            self._tell_all(self._room(won=won, drawn=drawn))

    def closed(self, occupants: Iterable[Occupant], why: str) -> None:
        """The room is gone, and nobody is inside any more."""
        nodes = occupant_presence("none", "none")
        payload = Payload(Node("status", children=(why,)), *nodes)
        for occupant in occupants:
            sender = f"{self._view.address}/{occupant.nick}"
            self._outbox.tell("presence", sender, occupant.sessions, payload, type="unavailable")

    def stopping(self) -> None:
        """The service stops; the room stays, and so do those in it."""
        why = Node("status", children=("the service stops and keeps this room",))
        sessions = self._view.room.sessions
        self._outbox.tell(
            "presence", self._view.address, sessions, Payload(why), type="unavailable"
        )

    # The match

    def told(self, records: Sequence[Recorded]) -> None:
        """Facts of the match, all of one append."""
        moved = seated = False
        for record in records:
            event = record.event
            if isinstance(event, MovePlayed):
                self._moved(event, record)
                moved = True
                continue
            seated = True  # whatever else happens may change who sits where
            # While a role is free it is only offered.
            if isinstance(event, SeatReady) and event.ready and None not in record.state.seats:
                self.started(event.seat, record)
        if seated:
            self._sync_table()
        self._sync_state(moved)

    def started(self, seat: int, record: Recorded) -> None:
        """A player wants to begin: all players hear it. "Game Start"."""
        nick = self._view.nick_of(record.state.player(seat))
        sender = f"{self._view.address}/{nick}"
        self._outbox.tell("message", sender, self._view.player_sessions(), Payload(start()))

    def spoken(self, line: ChatLine) -> None:
        """Somebody has spoken at the match; what was said in the room has been told as it was."""
        if user_of(line.identity) or self._outbox.crowded():
            return
        guest = self._view.guests().get(line.identity)
        # Whoever is no occupant speaks through the room, under any name.
        who = "" if guest or not line.name else f"{line.name} {LOOKS_ON}: "
        said = clean(who + line.text, SAID_LONGEST)
        sender = f"{self._view.address}/{guest[0]}" if guest else self._view.address
        payload = Payload(Node("body", children=(said,)))
        sessions = self._view.room.sessions
        self._outbox.tell("message", sender, sessions, payload, type="chat")

    def sync(self) -> None:
        """Tell what differs from what was told last: roles, guests, the status of the match."""
        self._sync_table()
        self._sync_state()

    def _sync_table(self) -> None:
        self._sync_roles()
        self._sync_guests()

    def _sync_state(self, moved: bool = False) -> None:
        match, status = self._view.match, self._view.status()
        # How a match without a last move has ended is told with the round.
        ended = match is not None and match.status.finished
        if moved or (status != self._status and not ended):
            self._status = status
            self._tell_all(self._room())

    def _moved(self, event: MovePlayed, record: Recorded) -> None:
        """ "Game Play": the turn goes to all occupants, the sender included."""
        nick = self._view.nick_of(record.state.player(event.seat))
        self._outbox.tell(
            "message",
            f"{self._view.address}/{nick}",
            self._view.room.sessions,
            _turn(self._view.play.namespace, event.move, record.state.position.ply - 1),
            type="chat",
        )

    def _sync_roles(self) -> None:
        view, before = self._view, self._roles
        roles = self._roles = view.held_roles()
        if roles == before:
            return
        for occupant in view.room.occupants.values():
            role = roles.get(occupant.user, "")
            if role != before.get(occupant.user, ""):
                self._tell_occupant(occupant, view.room.sessions, role or "none")

    def _sync_guests(self, unseen: str = "") -> None:
        """Tell who came and who went, but not the session `unseen`."""
        guests = self._view.guests()
        if guests == self._guests:
            return
        everybody = [one for one in self._view.room.sessions if one != unseen]
        for identity, (nick, _) in self._guests.items():
            if guests.get(identity, ("",))[0] != nick:
                self._tell_gone(nick, everybody, Payload(*occupant_presence("none", "none")))
        for identity, (nick, role) in guests.items():
            if self._guests.get(identity, ("",))[0] != nick:
                self._tell_guest(nick, role, everybody)
        self._guests = guests

    # What could not be told

    def _tell_gone(self, nick: str, sessions: Sequence[str], payload: Payload) -> None:
        sender = f"{self._view.address}/{nick}"
        self._outbox.tell("presence", sender, sessions, payload, type="unavailable")
        if not self._outbox.up:
            self._miss(nick, sessions)

    def _miss(self, nick: str, sessions: Sequence[str]) -> None:
        """A nickname is nobody's any more: they are told with all the rest."""
        for session in sessions:
            self._missed.setdefault(session, {})[nick] = None

    def _tell_missed(self, session: str) -> None:
        if not self._outbox.up or session not in self._missed:
            return
        view = self._view
        taken = {one.nick for one in view.room.occupants.values()}.union(view.reserved())
        for nick in self._missed.pop(session):
            if nick not in taken:
                self._tell_gone(nick, (session,), Payload(*occupant_presence("none", "none")))

    # How it is said

    def _room(self, changed: bool = False, won: str = "", drawn: bool = False) -> Payload:
        view = self._view
        state = view.state(won, drawn)
        return Payload(*status_presence(view.status(), state, configuration_changed=changed))

    def _tell_all(self, payload: Payload) -> None:
        self._outbox.tell("presence", self._view.address, self._view.room.sessions, payload)

    def _tell_occupant(
        self, occupant: Occupant, sessions: Sequence[str], role: str = "", nick: str = ""
    ) -> None:
        """Presence of an occupant; the JID only to those who may see it."""
        view = self._view
        affiliation = view.room.affiliation(occupant.user)
        shown = role or self._role_of(occupant.user)
        sender = f"{view.address}/{occupant.nick}"

        def tell(readers: Iterable[str], jid: str) -> None:
            payload = Payload(*occupant_presence(affiliation, shown, jid=jid, nick=nick))
            self._outbox.tell("presence", sender, readers, payload)

        seeing, blind = _split(sessions, view.sees)
        if seeing:
            tell(seeing, occupant.sessions[-1])
        if blind:
            tell(blind, "")

    def _role_of(self, user: str) -> str:
        """While nothing is known yet of the table of the next round, roles are as they were."""
        unknown = self._view.match is None and self._view.room.match
        return self._roles.get(user, "") if unknown else self._view.role_of(user)

    def _tell_guest(self, nick: str, role: str, sessions: Iterable[str]) -> None:
        payload = Payload(*occupant_presence("none", role))
        self._outbox.tell("presence", f"{self._view.address}/{nick}", sessions, payload)


@lru_cache(maxsize=1024)
def _turn(game: str, move: str, ply: int) -> Payload:
    """On a small board the same turns come again and again."""
    return Payload(turn(PLAYS[game].turn(move, ply)))


def _split(sessions: Iterable[str], sees: Callable[[str], bool]) -> tuple[list[str], list[str]]:
    seeing: list[str] = []
    blind: list[str] = []
    for session in sessions:
        (seeing if sees(bare(session)) else blind).append(session)
    return seeing, blind
