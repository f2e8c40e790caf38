"""Who is still there: the silent are asked for a sign (XEP-0199), and who gives none is probed.

A client that knows no pings may answer what servers answer for those who are gone (RFC 6120,
section 8.4), or nothing. So whoever gives no sign is sent an empty message of type groupchat:
servers hand it to whoever is there, clients answer no messages, and from where nobody is it comes
back (RFC 6121, section 8.5.3.2.1, the error; Prosody, ejabberd). The bounce lets the session go.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from parlour.gateways.mug._each_room import each_room
from parlour.gateways.mug._house import House
from parlour.gateways.mug._keeper import Keeper
from parlour.gateways.mug._outbox import Payload
from parlour.gateways.mug._room_events import Departure
from parlour.wire.mug import STANZAS, Stanza, bare, ping, split_address

LITTLE = 1 << 18  # bytes; while more than that is unsent, nobody else is asked
SWEEP = 10_000  # ms between looks at who was silent
AT_A_TIME = 5_000  # rooms and sessions that are looked at in a second: all would be a stall
BOUNCE = 10_000  # ms in which a probe has come back from nearly every server


# With these a server says that nobody is there; with any other a client may say what it likes.
GONE = frozenset(
    (
        "gone",
        "item-not-found",
        "recipient-unavailable",
        "remote-server-not-found",
        "remote-server-timeout",
        "service-unavailable",
        "jid-malformed",
    )
)


class Turn(Struct, frozen=True):
    """What is due to somebody: to be told `anew` what is so, to be `asked` for a sign, or both."""

    keeper: Keeper
    anew: bool = False
    asked: bool = False


class Pulse:
    """Signs of life.

    After a restart, or when the stream was lost, everybody is told anew what is so and asked.
    Until they say something, or a probe does not come back, they are in doubt; then players have
    their seat back.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        # When they were first seen in a room, or last probed there, by stream and session.
        self._met: dict[tuple[str, str], int] = {}
        self._asked: dict[str, tuple[Keeper, str, int]] = {}
        # When and in which room those were who are in doubt: one that has come back says nothing
        # of the rooms where they were not asked yet.
        self._probed: dict[tuple[str, str], tuple[int, Keeper]] = {}
        self._doubted: dict[str, list[Keeper]] = {}
        # When they were probed last because of what occupants had sent, by stream and session.
        self._suspected: dict[tuple[str, str], int] = {}
        self._turns: OrderedDict[tuple[str, str], Turn] = OrderedDict()  # by stream and session
        self._swept = 0
        self._sweeping: Iterator[bool] | None = None

    def doubt(self, keepers: Iterable[Keeper]) -> None:
        """Ask everybody whether they are still there."""
        self._asked.clear()
        self._probed.clear()
        self._suspected.clear()
        self._doubted.clear()
        self._sweeping = None  # all are asked now
        # Who had no turn before the stream was lost again comes first: everybody has one in time.
        left, self._turns = self._turns, OrderedDict()
        late: dict[tuple[str, str], Turn] = {}
        for keeper in keepers:
            for session in keeper.room.sessions:
                self._doubted.setdefault(session, []).append(keeper)
                before = left.get((keeper.stream, session))
                turns = self._turns if before is not None and before.anew else late
                turns[keeper.stream, session] = Turn(keeper, anew=True, asked=True)
        self._turns.update(late)
        self.ask()

    def tell_anew(self, keeper: Keeper) -> None:
        """Tell everybody in a room what is so, each in their turn."""
        for session in keeper.room.sessions:
            turn = self._turns.get((keeper.stream, session), Turn(keeper))
            self._turns[keeper.stream, session] = replace(turn, anew=True)
        if self._house.outbox.up:
            self.ask()

    def doubts(self, keeper: Keeper, session: str) -> bool:
        """Whether a full JID has given no sign since everybody in that room was asked."""
        return keeper in self._doubted.get(session, ())

    def sign(self, stanza: Stanza, now: int) -> None:
        """Somebody said something that only they could say.

        A leave is the end of doubt in the room that is left, and no sign of life in any.
        """
        session = stanza.sender
        if stanza.leaves:
            self._doubt_no_more(session, bare(stanza.to))
            return
        self._house.signs[session] = now
        self._believe(session)

    def _doubt_no_more(self, session: str, room: str) -> list[Keeper]:
        """What of that room was doubted: nothing, or its keeper."""
        doubting = self._doubted.pop(session, [])
        rest = [keeper for keeper in doubting if keeper.view.address != room]
        if rest:
            self._doubted[session] = rest
        return [keeper for keeper in doubting if keeper.view.address == room]

    def _believe(self, session: str) -> None:
        keepers = self._doubted.pop(session, ())
        each_room(keepers, "believe a sign", lambda keeper: keeper.come_back(session))

    def _believe_in(self, keeper: Keeper, session: str) -> None:
        """In that room alone: a probe of it has not come back."""
        doubted = self._doubt_no_more(session, keeper.view.address)
        each_room(doubted, "believe a probe", lambda keeper: keeper.come_back(session))

    def answered(self, stanza: Stanza, now: int) -> None:
        """The answer to a question, or to something else."""
        asked = self._asked.get(stanza.id)
        if asked is None or asked[1] != stanza.sender:
            return
        del self._asked[stanza.id]
        error = stanza.child("error", "")
        unknown = error is not None and error.child("feature-not-implemented", STANZAS)
        if stanza.type == "result" or unknown:
            self.sign(stanza, now)
        else:
            self._probe(asked[0], asked[1], now)

    def bounced(self, keeper: Keeper, stanza: Stanza) -> None:
        """Something that was sent has come back, to whom it came from.

        What the room says reaches whoever is there. What came from an occupant may be blocked
        (XEP-0191), in which case the sender and nobody else cannot reach them.
        """
        error = stanza.child("error", "")
        conditions = (
            {one.name for one in error.elements() if one.namespace == STANZAS} if error else ()
        )
        if not GONE.intersection(conditions) or not keeper.room.inside(stanza.sender):
            return
        if split_address(stanza.to)[2]:
            self._suspect(keeper, stanza.sender)
        else:
            keeper.leaves.ask(stanza.sender, Departure.UNREACHABLE)

    def _suspect(self, keeper: Keeper, session: str) -> None:
        """Probe somebody, once for all that comes back in the meantime."""
        now, key = self._house.host.now(), (keeper.stream, session)
        if now - self._suspected.get(key, 0) >= BOUNCE:
            self._suspected[key] = now
            self._probe(keeper, session, now)

    def tick(self, keepers: Iterable[Keeper], now: int) -> None:
        """Ask, and wait no longer for those who do not answer."""
        for key in [key for key, (since, _) in self._probed.items() if now - since >= BOUNCE]:
            self._believe_in(self._probed.pop(key)[1], key[1])
        for key in [key for key, since in self._suspected.items() if now - since >= BOUNCE]:
            del self._suspected[key]
        patience = self._house.options.patience * 1000
        late = [name for name, asked in self._asked.items() if now - asked[2] >= patience]
        for name in late:
            keeper, session, since = self._asked.pop(name)
            if self._house.heard(session) < since:  # not a word, of whatever kind
                self._probe(keeper, session, now)
        if self._sweeping is None and now - self._swept >= SWEEP:
            self._swept = now
            self._sweeping = self._sweep(tuple(keepers), now)
        if self._sweeping is not None and not next(self._sweeping, False):
            self._sweeping = None
        self.ask()

    def _sweep(self, keepers: Sequence[Keeper], now: int) -> Iterator[bool]:
        """Ask the silent, some rooms at a time, and then forget who is in none."""
        silence = self._house.options.silence * 1000
        waiting = {(keeper.stream, session) for keeper, session, _ in self._asked.values()}
        seen: set[tuple[str, str]] = set()
        looked = 0
        for keeper in keepers:
            looked += 1 + len(keeper.room.sessions)
            for session in keeper.room.sessions:
                key = keeper.stream, session
                seen.add(key)
                heard = self._house.heard(session)
                if not heard:
                    self._met.setdefault(key, now)
                last = max(heard, self._met.get(key, 0))
                if now - last >= silence and key not in waiting:
                    turn = self._turns.get(key, Turn(keeper))
                    self._turns[key] = replace(turn, asked=True)
            if looked >= AT_A_TIME:
                looked = 0
                yield True
        inside, signs = {session for _, session in seen}, self._house.signs
        for session in [one for one, at in signs.items() if one not in inside and at < now]:
            del signs[session]
        for key in [one for one, at in self._met.items() if one not in seen and at < now]:
            del self._met[key]

    def ask(self) -> None:
        """Tell and ask the next ones, as many as the stream takes just now.

        In a room of 200 one welcome is 60 kB: all at once would cut the stream.
        """
        while self._turns and self._house.outbox.unsent() <= LITTLE:
            (_, session), turn = self._turns.popitem(last=False)
            keeper = turn.keeper
            occupant = keeper.room.inside(session)
            if occupant is None:
                continue
            if turn.anew:
                keeper.tell_anew(session, occupant)
            if not turn.asked:
                continue
            name = f"sign-{self._house.new_id()}"  # that others cannot guess
            self._asked[name] = (keeper, session, self._house.host.now())
            self._house.outbox.tell(
                "iq", keeper.view.address, (session,), Payload(ping()), type="get", id=name
            )

    def _probe(self, keeper: Keeper, session: str, now: int) -> None:
        """Send what comes back from where nobody is."""
        if keeper.room.inside(session) is None:
            return
        self._met[keeper.stream, session] = now
        # Not from the last of several probes: others may have them probed again and again.
        self._probed.setdefault((keeper.stream, session), (now, keeper))
        self._house.outbox.tell(
            "message", keeper.view.address, (session,), Payload(), type="groupchat"
        )
