"""The door of Chinese checkers over JSON lines."""

from parlour.gateways import Bans
from parlour.gateways.ruc._names import Names
from parlour.gateways.ruc._options import RucOptions
from parlour.gateways.ruc._session import RucSession
from parlour.host import Directory


class RucGateway:
    """Makes sessions; a room is the directory's unfinished match of that name."""

    def __init__(self, options: RucOptions, directory: Directory, bans: Bans | None = None) -> None:
        self._options = options
        self._directory = directory
        self._names = Names(directory, bans)

    def session(self, address: str) -> RucSession:
        """The session of a connection from `address`."""
        return RucSession(address, self._options, self._directory, self._names)
