"""The door of Go over text lines: what its sessions share, and a session per connection."""

from parlour.gateways import Allowance, Bans, Limits
from parlour.gateways.nedap._names import Names
from parlour.gateways.nedap._options import NedapOptions
from parlour.gateways.nedap._patience import Patience
from parlour.gateways.nedap._session import NedapSession
from parlour.host import Directory

DEFAULT = Limits()


class NedapGateway:
    """Makes sessions that know of each other's names through `Names` and the directory."""

    def __init__(
        self,
        options: NedapOptions,
        directory: Directory,
        limits: Limits = DEFAULT,
        bans: Bans | None = None,
    ) -> None:
        self._options = options
        self._names = Names(directory, options.grace > 0, bans)
        self._says = Allowance(limits.chat, limits.chat_at_once)
        self._patience = Patience()

    def session(self, address: str) -> NedapSession:
        """The session of a connection from `address`."""
        return NedapSession(address, self._options, self._names, self._says, self._patience)
