"""What the rooms of one service share."""

from collections.abc import Callable

from parlour.gateways import Allowance
from parlour.gateways.mug._options import MugOptions
from parlour.gateways.mug._outbox import Outbox
from parlour.host import Chat, Host


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
    ) -> None:
        self.host = host
        self.chat = chat
        self.options = options
        self.domain = domain
        self.outbox = outbox
        self.new_id = new_id
        self.allowance = Allowance(options.rate, options.burst)

    def new_match(self) -> str:
        """The name of a match to come."""
        return f"match-{self.new_id()}"
