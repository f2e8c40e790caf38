"""Another game at one table: what is offered there, until it is in the log or wanted no more."""

from collections.abc import Callable

from parlour.games import Refused
from parlour.gateways.web._rematch import offer, rematch, unwanted, withdrawn
from parlour.gateways.web._sequels import everybody
from parlour.gateways.web._story import Story
from parlour.gateways.web._tables import Tables
from parlour.gateways.web._views import OfferEnd, RematchView
from parlour.host import Accept, Host, Refuse
from parlour.match import CreateMatch, Match


class Offers:
    """What those who played have offered each other.

    `told` is called when that changes, `recorded` when the next game has been, or could not be.
    """

    def __init__(
        self,
        stream: str,
        host: Host,
        tables: Tables,
        told: Callable[[], None],
        recorded: Callable[[], None],
    ) -> None:
        self.view: RematchView | None = None
        self.recording = False  # who leaves and comes back must find that all have agreed
        self._stream = stream
        self._host = host
        self._tables = tables
        self._told = told
        self._recorded = recorded
        self._unhook = tables.sequels.hook(stream, lambda: self._become(RematchView()))

    def close(self) -> None:
        """Hear no more of the game that followed."""
        self._unhook()

    def look_up(self, match: Match) -> None:
        """Take over what the log knows of the game that followed."""
        self.view = self._tables.sequels.of(self._stream, match)

    def offer(
        self,
        story: Story,
        identity: str,
        online: Callable[[str], bool],
        refuse: Refuse,
        accept: Accept,
    ) -> None:
        """Somebody wants another game with the same people. One of `refuse` and `accept` is called.

        The last offer is accepted, and the new match named, when that is in the log.

        Raises:
            Declined: the match is not over, not everybody can be asked, or sits at too many tables.
        """
        match = story.match
        assert match is not None
        offers = offer(match, identity, self.view, online)
        seats = self._tables.seats
        seats.check(identity)
        command = None
        if offers == everybody(match):
            command = rematch(self._stream, match, story.lock, seats.has_room)
        self._become(RematchView(offers))
        if command is None:
            accept()
        else:
            self._record(match, command, refuse, accept)

    def end(self, match: Match, identity: str) -> None:
        """Somebody wants no other game: their offer is withdrawn, or those of others are declined.

        Raises:
            Declined: they have not played, or all have agreed.
        """
        left = unwanted(match, identity, self.view)
        if left is not None:
            self._become(left)

    def leave(self, match: Match, identity: str) -> None:
        """Who looks at the match no more would not come to the next one."""
        left = withdrawn(match, identity, self.view, OfferEnd.LEFT)
        if left is not None and not self.recording:
            self._become(left)

    def _record(self, match: Match, command: CreateMatch, refuse: Refuse, accept: Accept) -> None:
        def refused(no: Refused) -> None:
            self._end(RematchView())
            refuse(no)

        def accepted() -> None:
            self._end(RematchView(everybody(match), stream))
            accept()

        self.recording = True
        players = [player.identity for _, player in match.players()]
        asked = self._tables.seats.asking(players, object(), refused, accepted)
        stream = self._host.create("match", command, asked[0], accept=asked[1])

    def _end(self, outcome: RematchView) -> None:
        self.recording = False
        self._become(outcome)
        self._recorded()

    def _become(self, view: RematchView) -> None:
        self.view = view
        self._told()
