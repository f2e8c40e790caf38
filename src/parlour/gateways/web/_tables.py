"""What this gateway asks of the match for its guests: seats, tables, seeks, and who is let in."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Raw, Struct

from parlour.games import AnyGame, Refusal
from parlour.gateways import Allowance, Limits
from parlour.gateways.web._bodies import NewTable
from parlour.gateways.web._declined import Declined, No
from parlour.gateways.web._errands import Errands
from parlour.gateways.web._locks import Locks
from parlour.gateways.web._requests import Seek as SeekRequest
from parlour.gateways.web._seats import SEEK, Seats
from parlour.gateways.web._sequels import Sequels
from parlour.gateways.web._views import (
    ListingView,
    LostView,
    SeekView,
    SitterView,
    control_view,
    name_shown,
    protocol_of,
    text_shown,
)
from parlour.host import Directory
from parlour.lobby import Seek
from parlour.match import (
    CreateMatch,
    Fault,
    Listing,
    Newcomer,
    Terms,
    Visibility,
    fold_name,
    free_name,
)
from parlour.wire import clean

KIND = "match-"
NAME_LENGTH = 20
# A whole match may have to be read and played through again.
LOOKS, LOOKED_AT_ONCE = 10, 100  # of one address: a second, and at once
LISTED_KEPT = 4096  # matches of which the view in lists is kept, a kilobyte each
DEFAULT = Limits()


class Tables:
    """The matches as guests may see and join them."""

    def __init__(
        self,
        games: Iterable[AnyGame],
        directory: Directory,
        grace: int,
        limits: Limits = DEFAULT,
    ) -> None:
        self.limits = limits
        self.games = {game.name: game for game in games}
        self._directory = directory
        self._grace = grace
        self.says = Allowance(limits.chat, limits.chat_at_once)
        self.seeks = Allowance(limits.seeks, limits.seeks_at_once)
        self.looks = Allowance(LOOKS, LOOKED_AT_ONCE)
        self.errands = Errands()
        self.locks = Locks(directory)
        self.sequels = Sequels(directory)
        self.seats = Seats(directory, limits.matches)
        self._listed: dict[str, tuple[Listing, bool, Raw]] = {}

    def check(self, stream: str) -> None:
        """Other kinds of streams are no business of a browser's.

        Raises:
            Declined: UNKNOWN_STREAM.
        """
        if not stream.startswith(KIND):
            raise Declined(Refusal.UNKNOWN_STREAM, f"there is no match {stream}")

    def newcomer(self, stream: str, identity: str, name: str, seat: int | None) -> Newcomer:
        """A guest who sits down at an existing table.

        Raises:
            Declined: UNKNOWN_STREAM, LIMIT.
        """
        listing = self._directory.get(stream)
        if listing is None:
            raise Declined(Refusal.UNKNOWN_STREAM, f"there is no {stream}")
        self.seats.check(identity, stream)
        options = msgspec.convert(listing.options, self.games[listing.game].options)
        taken = [sitter.name for sitter in listing.sitters]
        terms = self._terms(needs_all(self.games[listing.game], options))
        return Newcomer(identity, free_name(name, taken, NAME_LENGTH), terms, seat)

    def create(self, wanted: NewTable, identity: str, name: str, lock: str = "") -> CreateMatch:
        """A table that a guest opens.

        Raises:
            Declined: BAD_OPTIONS, NAME_TAKEN, LIMIT.
        """
        self.seats.check(identity)
        game, options = self._options(wanted.game, wanted.options)
        room = wanted.room.strip()
        if wanted.room and (not room or not room.isprintable()):
            raise Declined(Refusal.BAD_OPTIONS, f"{wanted.room!r} is no name of a room")
        if room and wanted.password:
            raise Declined(Refusal.BAD_OPTIONS, "a table with a password cannot have a room")
        if room and self._directory.taken(room):
            raise Declined(Refusal.NAME_TAKEN, f"there is a game in the room {room} already")
        capacity = game.capacity(options)
        if wanted.seat is not None and wanted.seat >= capacity:
            raise Declined(Refusal.BAD_OPTIONS, f"seat is {wanted.seat}, not 0 to {capacity - 1}")
        hidden = wanted.password or wanted.visibility is Visibility.HIDDEN
        return CreateMatch(
            game.name,
            msgspec.to_builtins(options),
            (Newcomer(identity, name, self._terms(needs_all(game, options)), wanted.seat),),
            room=room,
            visibility=Visibility.HIDDEN if hidden else Visibility.PUBLIC,
            control=wanted.control,
            lock=lock,
        )

    def seek(self, wanted: SeekRequest, identity: str, name: str) -> Seek:
        """What a guest looks for. Who seeks wants to play at once.

        Raises:
            Declined: BAD_OPTIONS, LIMIT.
        """
        self.seats.check(identity, SEEK)
        game, options = self._options(wanted.game, wanted.options)
        if not game.can_start(options, 2):
            raise Declined(
                Refusal.BAD_OPTIONS, "a seek is for two players: open a table for more of them"
            )
        return Seek(
            identity=identity,
            holder=identity,
            name=name,
            game=game.name,
            options=msgspec.to_builtins(options),
            terms=self._terms(ready=True),
            control=wanted.control,
        )

    def is_public(self, stream: str, listing: Listing) -> bool:
        """Whether everybody may see the match in a list."""
        if listing.visibility is not Visibility.PUBLIC and not self.locks.listed(stream):
            return False
        return listing.game in self.games  # a log may know games that this server does not

    def listing(self, stream: str, listing: Listing) -> ListingView:
        """A public match as everybody may see it in a list."""
        game = self.games[listing.game]
        return ListingView(
            id=stream,
            game=listing.game,
            options=listing.options,
            room=name_shown(listing.room),
            status=listing.status,
            visibility=Visibility.PUBLIC,
            locked=self.locks.locked(stream),
            created_at=listing.created_at,
            ended_at=listing.ended_at,
            control=control_view(listing.control),
            capacity=game.capacity(msgspec.convert(listing.options, game.options)),
            players=tuple(
                SitterView(one.seat, name_shown(one.name), protocol_of(one.identity))
                for one in listing.sitters
            ),
            outcome=listing.outcome,
            forfeits=tuple(LostView(*lost) for lost in listing.forfeits),
            abort=listing.abort,
            abort_detail=text_shown(listing.abort_detail),
        )

    def listed(self, stream: str, listing: Listing) -> Raw:
        """The same as JSON, made once while it does not change: an answer has hundreds of them."""
        locked = self.locks.locked(stream)
        kept = self._listed.get(stream)
        if kept is not None and kept[0] is listing and kept[1] == locked:
            return kept[2]
        if len(self._listed) >= LISTED_KEPT:
            self._listed.clear()
        made = Raw(msgspec.json.encode(self.listing(stream, listing)))
        self._listed[stream] = listing, locked, made
        return made

    def _terms(self, ready: bool) -> Terms:
        """A browser can be told "not like this", and its player is known by the cookie."""
        return Terms(
            illegal_move=Fault.ANSWER,
            out_of_turn=Fault.ANSWER,
            grace=self._grace,
            ready=ready,
            rejoins=True,
        )

    def _options(self, name: str, options: dict[str, Any]) -> tuple[AnyGame, Struct]:
        game = self.games.get(name)
        if game is None:
            known = ", ".join(self.games)
            raise Declined(Refusal.BAD_OPTIONS, f"no game {name!r}, only {known}")
        try:
            return game, msgspec.convert(options, game.options)
        except msgspec.ValidationError as error:
            raise Declined(Refusal.BAD_OPTIONS, str(error)) from None


def needs_all(game: AnyGame, options: Struct) -> bool:
    """Whether the match begins only when every seat is taken, so that nobody need say ready."""
    return not any(game.can_start(options, count) for count in range(1, game.capacity(options)))


def clean_name(text: str) -> str:
    """A name that can be shown anywhere.

    Raises:
        Declined: MALFORMED, nothing is left of it or it is too long.
    """
    name = clean(text, len(text) + 1).strip()
    if not fold_name(name) or len(name) > NAME_LENGTH:
        raise Declined(No.MALFORMED, f"a name has 1 to {NAME_LENGTH} characters")
    return name


def seek_view(seek: Seek) -> SeekView:
    """A seek as everybody may see it."""
    return SeekView(
        seek.game,
        seek.options,
        name_shown(seek.name),
        protocol_of(seek.identity),
        control_view(seek.clock),
    )
