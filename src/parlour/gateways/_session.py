"""What a line-protocol session is: a pure object between one connection and the service.

Bytes, facts and refusals go in, effects come out. `parlour.gateways.Connection` carries the
effects out on a socket; tests look at them.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from parlour.games import Refused
from parlour.host import ChatLine, Recorded
from parlour.lobby import Seek
from parlour.match import CreateMatch


class Write(Struct, frozen=True, gc=False):
    """Send bytes. All that one input leads to goes out in a single write."""

    data: bytes


class Close(Struct, frozen=True):
    """Send what is left and say no more; the peer has `linger` milliseconds to read it."""

    linger: int = 2_000


class Submit(Struct, frozen=True, gc=False):
    """Ask for a command. The answer is a fact that `followed` brings, or `refused`."""

    stream: str
    command: Any


class Find(Struct, frozen=True):
    """Look for an opponent. The answer is `paired`, at once or after `waiting`.

    `waited`: the peer does not ask just now but waits already, and waits on where a refusal passes.
    """

    seek: Seek
    waited: bool = False


class StopFinding(Struct, frozen=True):
    """Look no more."""

    identity: str


class Open(Struct, frozen=True):
    """Open a table; the answer is `opened_match` at once, and the facts follow."""

    command: CreateMatch


class Follow(Struct, frozen=True):
    """Be told of every fact past version `after`. A session follows one stream at most."""

    stream: str
    after: int = 0


class Unfollow(Struct, frozen=True):
    """Be told no more."""


class Listen(Struct, frozen=True):
    """Hear what is said at a topic, one at most; None: nothing any more."""

    topic: str | None


class Say(Struct, frozen=True):
    """Say something at a topic; the speaker hears it too."""

    topic: str
    identity: str
    name: str
    text: str


class Wake(Struct, frozen=True):
    """Call `woken` at `at`, in milliseconds since the Unix epoch. The newest one counts."""

    at: int


class Note(Struct, frozen=True):
    """Write one line to the operator's log."""

    text: str


Effect = (
    Write | Close | Submit | Find | StopFinding | Open | Follow | Unfollow | Listen | Say | Wake
    | Note
)  # fmt: skip
Effects = Sequence[Effect]

NOTHING: Effects = ()
TURNED_AWAY = 500  # ms in which who is turned away may read why


class Session:
    """One connection's side of a protocol. Every input returns the effects it has.

    Subclasses answer what concerns them. After `Close` nothing is said: a session ignores further
    bytes, and is told of nothing else but that it is `lost`.
    `logged_in` is set when the peer has shown what it came for, by the protocol's first step.
    """

    logged_in = False
    _identity = ""

    @property
    def identity(self) -> str:
        """Who the peer is, with the realm; empty before a login."""
        return self._identity

    def sent_away(self, why: str, now: int) -> Effects:
        """The operator ends the connection, which is lost with all that follows from that."""
        return (*self.lost(now), *self.turned_away(why, now))

    def announced(self, text: str, now: int) -> Effects:
        """The operator says something to everybody; nothing where the protocol has no words."""
        return NOTHING

    def turned_away(self, why: str, now: int) -> Effects:
        """There is no room for the connection: say so where the protocol can, and end it."""
        return (Close(TURNED_AWAY),)

    def connected(self, now: int) -> Effects:
        """The connection stands."""
        return NOTHING

    def received(self, data: bytes, now: int) -> Effects:
        """Bytes came, however they were chopped."""
        raise NotImplementedError

    def followed(self, records: Sequence[Recorded], now: int) -> Effects:
        """Facts of the followed stream, all of one append together."""
        return NOTHING

    def refused(self, command: Any, no: Refused, now: int) -> Effects:
        """A submitted command, or the creation of a match, was refused."""
        return NOTHING

    def paired(self, stream: str, now: int) -> Effects:
        """An opponent was found; the match is that stream."""
        return NOTHING

    def waiting(self, now: int) -> Effects:
        """There is no opponent yet."""
        return NOTHING

    def opened_match(self, stream: str, now: int) -> Effects:
        """The table asked for is being created under that name."""
        return NOTHING

    def heard(self, line: ChatLine, now: int) -> Effects:
        """Somebody said something at the topic listened to."""
        return NOTHING

    def woken(self, now: int) -> Effects:
        """The time asked for with `Wake` has come."""
        return NOTHING

    def lost(self, now: int) -> Effects:
        """The peer has gone: the connection is lost, or the peer has ended its half of it.

        Where it has ended its half it may still read what is said here, as the last there is.
        """
        return NOTHING

    def closing(self, now: int) -> Effects:
        """The service is about to stop: say what the protocol can say."""
        return NOTHING


def goodbye(goes_on: bool) -> str:
    """What a stopping server says; `goes_on`: to somebody who can come back to a game."""
    return "the server stops" + ("; your game goes on when it runs again" if goes_on else "")
