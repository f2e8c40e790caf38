"""Who is here: guests by their cookies, their connections, and what their absence leads to."""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from itsdangerous import BadSignature, Signer, URLSafeTimedSerializer

from parlour.games import Refused
from parlour.gateways.web._seats import SEEK, Seats
from parlour.gateways.web._session import REALM, Guest
from parlour.gateways.web._told import Done, Paired, Seeking, SeekShown, Told, Waiting
from parlour.host import LEFT, Host, Pairer
from parlour.lobby import Seek
from parlour.match import ComeBack, GoAway, Listing, Status

COOKIE = "parlour_guest"
REMEMBERED = 365 * 24 * 3600  # seconds that a cookie is good for
LETTERS = "23456789abcdefghjkmnpqrstvwxyz"


class Cookies:
    """Signs and reads the cookies that say who a guest is."""

    def __init__(self, secret: bytes, new_id: Callable[[], str]) -> None:
        self._cookies = URLSafeTimedSerializer(secret, salt="parlour-guest")
        self._tokens = Signer(secret, salt="parlour-csrf")
        self._new_id = new_id

    def new(self) -> Guest:
        """Somebody who has not been here before. The name tells nothing of the identity."""
        letters = "".join(secrets.choice(LETTERS) for _ in range(4))
        return Guest(f"{REALM}{self._new_id()}", f"guest-{letters}")

    def read(self, cookie: str | None) -> Guest | None:
        """The guest whose cookie it is; None when we have not signed it in the last year."""
        if not cookie:
            return None
        try:  # with a `max_age` a cookie is refused also when the clock was set back since
            (identity, name), signed = self._cookies.loads(cookie, return_timestamp=True)
        except (BadSignature, ValueError):
            return None
        if signed.timestamp() + REMEMBERED < time.time():
            return None
        return Guest(str(identity), str(name))

    def write(self, guest: Guest) -> str:
        """The cookie's value."""
        return str(self._cookies.dumps([guest.identity, guest.name]))

    def token(self, guest: Guest) -> str:
        """What a page of ours can know and one of another origin cannot."""
        return self._tokens.get_signature(guest.identity).decode()

    def is_token(self, guest: Guest, token: str) -> bool:
        """Whether a request carries the guest's token."""
        return self._tokens.verify_signature(guest.identity, token)


class Reached(Protocol):
    """A connection of a guest."""

    def tell(self, message: Told) -> None:
        """Send a message."""

    def answer(self, id_: int | None, no: Refused) -> None:
        """A request was refused."""


class Present:
    """A guest of whom we know: here, or gone so shortly that the seats do not know it."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.connections: dict[Reached, None] = {}
        self.seeking: SeekShown | None = None
        self.unanswered: list[tuple[Reached, int | None]] = []
        """Requests for an opponent: all hear the same when one is found."""
        self.gone = True
        self.timers: list[asyncio.TimerHandle] = []

    def wait_no_more(self) -> None:
        """Somebody is here again, or nobody is waited for any more."""
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def tell(self, message: Told) -> None:
        """Send a message to every tab."""
        for connection in tuple(self.connections):
            connection.tell(message)

    def answer(self, answer: Callable[[Reached, int | None], None]) -> None:
        """Answer every request for an opponent, once."""
        unanswered, self.unanswered = self.unanswered, []
        for connection, id_ in unanswered:
            answer(connection, id_)


class Guests:
    """Keeps seats and seeks as long as one connection of their guest stands."""

    def __init__(
        self,
        host: Host,
        pairer: Pairer,
        seats: Seats,
        linger: float,
        grace: float,
        connections: int,
    ) -> None:
        """`linger` and `grace` are seconds: a page that is loaded anew is away for a moment."""
        self._host = host
        self._pairer = pairer
        self._seats = seats
        self._linger = linger
        self._connections_most = connections
        self._grace = max(grace, linger)
        self._present: dict[str, Present] = {}
        self._closed = False
        host.directory.watch(self._listed)

    def is_online(self, identity: str) -> bool:
        """Whether a guest has a connection."""
        present = self._present.get(identity)
        return present is not None and bool(present.connections)

    def enter(self, guest: Guest, connection: Reached) -> Present | None:
        """One more connection; the first one brings the guest back to the seats.

        None when there are too many.
        """
        present = self._present.get(guest.identity)
        if present is None:
            present = self._present[guest.identity] = Present(guest)
        if len(present.connections) >= self._connections_most:
            return None
        present.wait_no_more()
        self._pairer.offer_again(guest.identity)
        present.connections[connection] = None
        if present.gone:
            present.gone = False
            for stream in self.seats(guest.identity):
                self._host.insist(stream, ComeBack(guest.identity), partial(self._here, guest))
        return present

    def leave(self, present: Present, connection: Reached) -> None:
        """One connection less."""
        present.connections.pop(connection, None)
        if not present.connections:
            self._expect(present)

    def expect(self, guest: Guest) -> None:
        """A guest without a connection has sat down: give it time to come."""
        present = self._present.setdefault(guest.identity, Present(guest))
        if not present.connections:
            self._expect(present)

    def rename(self, guest: Guest) -> None:
        """The guest is called otherwise from now on."""
        present = self._present.get(guest.identity)
        if present is not None:
            present.guest.name = guest.name

    def seats(self, identity: str) -> tuple[str, ...]:
        """The unfinished matches at which the guest sits."""
        return tuple(stream for stream, _ in self._host.directory.seated(identity))

    def seek(self, present: Present, connection: Reached, id_: int | None, seek: Seek) -> None:
        """Look for an opponent; a new seek replaces the old one.

        It is too late for that, and to look no more, while a seat is being taken.
        """
        shown = present.seeking = SeekShown(seek.game, seek.options)
        present.tell(Seeking(shown))
        self._seats.ask(seek.identity, SEEK)
        present.unanswered.append((connection, id_))

        def paired(stream: str) -> None:
            present.answer(lambda one, number: one.tell(Done(number, stream)))
            self._found(present)
            present.tell(Paired(stream))
            if self._present.get(seek.identity) is not present:  # given up meanwhile
                self._go_away(present, [stream], LEFT)

        def failed(no: Refused) -> None:
            self._found(present)
            present.answer(lambda one, number: one.answer(number, no))

        def waits() -> None:
            present.answer(lambda one, number: one.tell(Waiting(seek.game, number)))

        self._pairer.seek(seek, paired, failed, waits)

    def stop_seeking(self, present: Present) -> None:
        """Look no more."""
        if present.seeking is not None and self._pairer.stop(present.guest.identity):
            self._found(present)

    def _found(self, present: Present) -> None:
        """Nothing is sought any more."""
        present.seeking = None
        self._seats.answered(present.guest.identity, SEEK)
        present.tell(Seeking(None))

    def close(self) -> None:
        """The service stops: nobody who goes now goes by their own will."""
        self._closed = True
        for present in self._present.values():
            present.wait_no_more()

    def _expect(self, present: Present) -> None:
        if self._closed:
            return
        present.wait_no_more()
        loop = asyncio.get_running_loop()
        present.timers += [
            loop.call_later(self._linger, self._gone, present),
            loop.call_later(self._grace, self._forget, present),
        ]

    def _gone(self, present: Present) -> None:
        """Nobody came back at once: what has begun hears of it, and nothing is sought any more."""
        present.gone = True
        self._pairer.pass_over(present.guest.identity)
        if present.seeking is not None:
            self.stop_seeking(present)  # whose seat is being taken may be back before it is
        self._go_away(present, self._started(present))

    def _forget(self, present: Present) -> None:
        self._go_away(present, self.seats(present.guest.identity))
        self._pairer.offer_again(present.guest.identity)
        del self._present[present.guest.identity]

    def _listed(self, stream: str, listing: Listing) -> None:
        """A game may begin with one who has gone: then the others hear of it at once."""
        if listing.status is Status.OPEN or listing.finished:
            return
        for sitter in listing.sitters:
            present = self._present.get(sitter.identity)
            if present is not None and self._pairer.passes_over(sitter.identity):
                asyncio.get_running_loop().call_soon(self._go_away, present, [stream])

    def _started(self, present: Present) -> Iterable[str]:
        unfinished = self._host.directory.unfinished
        seats = self.seats(present.guest.identity)
        return [stream for stream in seats if unfinished[stream].status is not Status.OPEN]

    def _go_away(self, present: Present, streams: Iterable[str], stranger: str = "") -> None:
        identity = present.guest.identity
        for stream in streams:
            self._host.insist(
                stream, GoAway(identity, stranger), lambda: not self.is_online(identity)
            )

    def _here(self, guest: Guest) -> bool:
        return self.is_online(guest.identity)
