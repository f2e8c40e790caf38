"""Who is to leave a room: asked for until it is recorded, for they may not ask again."""

from msgspec import Struct

from parlour.games import Refused
from parlour.gateways.mug._asking import Asking
from parlour.gateways.mug._house import House
from parlour.gateways.mug._room_commands import Leave
from parlour.gateways.mug._room_events import Departure


class Going(Struct, frozen=True):
    """Why somebody has to leave, `since` when (ms), and whether it `stands` whatever they say."""

    cause: Departure
    since: int
    stands: bool


class Leaves:
    """The leaves of one room that are not recorded yet, one for each full JID."""

    def __init__(self, stream: str, asking: Asking, house: House) -> None:
        self._stream = stream
        self._asking = asking
        self._house = house
        self._going: dict[str, Going] = {}

    def ask(self, session: str, cause: Departure = Departure.LEFT, *, stands: bool = False) -> None:
        """Let a full JID go, later where that cannot be recorded now, and ask once at a time.

        Who comes again before that stays, unless the leave `stands`.
        """
        before = self._going.get(session)
        going = Going(cause, self._house.host.now(), stands)
        if before is None:
            self._going[session] = going
            self._let_go(session, cause)
        elif before.cause is Departure.UNREACHABLE or (stands and not before.stands):
            self._going[session] = going

    def stays(self, session: str) -> bool:
        """A full JID comes again before it could be let go; False where it has to go all the same.

        Whoever was put out comes in again when that is recorded.
        """
        going = self._going.get(session)
        if going is not None and going.stands:
            return False
        self._going.pop(session, None)
        return True

    def again(self) -> None:
        """Ask for what could not be recorded; who was believed lost and has spoken stays."""
        for session, going in tuple(self._going.items()):
            lost = going.cause is Departure.UNREACHABLE
            if lost and self._house.heard(session) > going.since:
                del self._going[session]
            else:
                self._let_go(session, going.cause)

    def _let_go(self, session: str, cause: Departure) -> None:
        def done() -> None:
            self._going.pop(session, None)

        def refused(no: Refused) -> None:
            if not no.refusal.passes:
                done()

        self._asking.submit(self._stream, Leave(session, cause), refused, done)
