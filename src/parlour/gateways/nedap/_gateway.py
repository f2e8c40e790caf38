"""The door of Go over text lines: what its sessions share, and a session per connection."""

from parlour.gateways.nedap._arrivals import Arrivals
from parlour.gateways.nedap._names import Names
from parlour.gateways.nedap._options import NedapOptions
from parlour.gateways.nedap._patience import Patience
from parlour.gateways.nedap._session import NedapSession
from parlour.host import Directory


class NedapGateway:
    """Makes sessions that know of each other's names through `Names` and the directory."""

    def __init__(self, options: NedapOptions, directory: Directory) -> None:
        self._options = options
        self._names = Names(directory, reclaims=options.grace > 0)
        self._arrivals = Arrivals(options.arrivals)
        self._patience = Patience()

    def session(self, address: str) -> NedapSession:
        """The session of a connection from `address`."""
        return NedapSession(address, self._options, self._names, self._arrivals, self._patience)
