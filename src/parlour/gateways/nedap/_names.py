"""Who is called what: names are held by connections, and kept for players who are away."""

import itertools
import string
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

from parlour.games import Refusal, Refused
from parlour.gateways import LOOKS_ON, SERVER, Bans
from parlour.host import Directory
from parlour.match import Listing, Player

REALM = "nedap:"
NAME_LENGTH = 20  # GoProtocol, 'Inloggen': small letters only, name.length() <= 20
NAMELESS = "guest"


class Login:
    """One connection's hold on a name. `stream` is the unfinished game it comes back to, or ""."""

    __slots__ = ("identity", "name", "stream", "superseded")

    def __init__(self, name: str, identity: str, stream: str) -> None:
        self.name = name
        self.identity = identity
        self.stream = stream
        self.superseded = False


class Names:
    """The names of one gateway: held by its connections, or lent to foreign players in games."""

    def __init__(self, directory: Directory, reclaims: bool, bans: Bans | None = None) -> None:
        self._bans = bans or Bans()
        self._directory = directory
        self._reclaims = reclaims
        self._logins: dict[str, Login] = {}
        self._lent: dict[str, dict[str, str]] = {}
        directory.watch(self._listed)

    def log_in(self, name: str, address: str, now: int) -> Login:
        """Give `name` to a connection from `address`.

        Whoever has a seat in an unfinished game comes back to it from the same address, even
        when the server still believes in the connection before: that one is superseded.

        Raises:
            Refused: NAME_TAKEN, BANNED.
        """
        identity = f"{REALM}{name} {address}"
        self._bans.check_person(identity, name, now)
        held = self._logins.get(name)
        seats = list(self._directory.seated(REALM + name))
        stream = next((stream for stream, sitter in seats if sitter == identity), "")
        if not self._reclaims:
            stream = ""
        if name == SERVER or self._is_lent(name) or (held is not None and not stream):
            raise Refused(Refusal.NAME_TAKEN, f"the name {name} is taken: choose another")
        if seats and not stream:
            raise Refused(
                Refusal.NAME_TAKEN, f"{name} is in a game and may come back: choose another name"
            )
        if held is not None:
            held.superseded = True
        login = self._logins[name] = Login(name, identity, stream)
        return login

    def log_out(self, login: Login) -> None:
        """Free the name, unless somebody else has it by now."""
        if self._logins.get(login.name) is login:
            del self._logins[login.name]

    def shown(self, stream: str, players: list[Player]) -> tuple[str, ...]:
        """What the players of a match are called here, the same as long as it lasts.

        A foreign player's name is lent: nobody can log in with it during the match. Whoever
        reads of a match that is over hears of a name that nobody had to keep free.
        """
        native = {player.identity: _native(player.identity) for player in players}
        lent = self._lent.get(stream, {})
        for player in players:
            if not native[player.identity] and player.identity not in lent:
                used = {*native.values(), *lent.values()}
                lent[player.identity] = shown_name(player.name, partial(self._taken, used))
        if lent and stream in self._directory.unfinished:
            self._lent[stream] = lent
        return tuple(native[one.identity] or lent[one.identity] for one in players)

    def _taken(self, used: set[str], name: str) -> bool:
        return (
            name in used
            or name == SERVER
            or name in self._logins
            or self._is_lent(name)
            or any(self._directory.seated(REALM + name))
        )

    def _is_lent(self, name: str) -> bool:
        unfinished = self._directory.unfinished
        return any(
            name in names.values() for stream, names in self._lent.items() if stream in unfinished
        )

    def _listed(self, stream: str, listing: Listing) -> None:
        if listing.status.finished:
            self._lent.pop(stream, None)


def shown_name(name: str, taken: Callable[[str], bool]) -> str:
    """`name` folded to `[a-z]{1,20}`, with letters added until it is not `taken`."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(letter for letter in folded if letter in string.ascii_lowercase)
    return next(
        shown
        for ending in _endings()
        if not taken(shown := (letters or NAMELESS)[: NAME_LENGTH - len(ending)] + ending)
    )


def speaker_name(identity: str, name: str) -> str:
    """What is written in front of what somebody says who has no seat at the game.

    A foreigner may bear anybody's name, and pass for nobody: no name here has a space in it.
    """
    if not identity:
        return SERVER
    return _native(identity) or f"{shown_name(name, lambda _: False)} {LOOKS_ON}"


def _native(identity: str) -> str:
    """The name inside an identity of this realm; empty for all others."""
    if not identity.startswith(REALM):
        return ""
    return identity.removeprefix(REALM).partition(" ")[0]


def _endings() -> Iterator[str]:
    """Nothing, then a to z, then aa and so on."""
    for length in itertools.count():
        for letters in itertools.product(string.ascii_lowercase, repeat=length):
            yield "".join(letters)
