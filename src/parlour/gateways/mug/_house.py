"""What the rooms of one service share."""

from collections.abc import Callable

from parlour.gateways import Allowance, Bans
from parlour.gateways.mug._options import MugOptions
from parlour.gateways.mug._outbox import Outbox
from parlour.gateways.mug._view import identity_of
from parlour.host import Chat, Host
from parlour.wire.mug import bare


class House:
    """The service as its rooms see it."""

    def __init__(
        self,
        host: Host,
        chat: Chat,
        options: MugOptions,
        domain: str,
        outbox: Outbox,
        new_id: Callable[[], str],
        bans: Bans,
    ) -> None:
        self.host = host
        self.chat = chat
        self.options = options
        self.domain = domain
        self.outbox = outbox
        self.new_id = new_id
        self._bans = bans
        self.allowance = Allowance(options.rate, options.burst)

    def banned(self, session: str, nick: str) -> str:
        """Why somebody does not come in, nor is called so; empty where nothing is against it."""
        ban = self._bans.of_person(identity_of(bare(session)), nick, self.host.now())
        return "" if ban is None else ban.sentence()

    def new_match(self) -> str:
        """The name of a match to come."""
        return f"match-{self.new_id()}"
