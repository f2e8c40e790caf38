"""One connection's place among those that its address may have."""

import asyncio

from parlour.gateways import Desk, peer_of


class Place:
    """What a connection takes when it comes and gives back when it goes.

    A reverse proxy's connections are everybody's: what comes over them is counted by request.
    """

    def __init__(self, desk: Desk, transport: asyncio.BaseTransport) -> None:
        self.address, _ = peer_of(transport.get_extra_info("peername"))
        self._desk = desk
        self._socket = transport.get_extra_info("socket")
        # Over TLS it was counted before the handshake.
        self._taken = transport.get_extra_info("ssl_object") is not None
        self._counted = self._taken or self.address not in desk.proxies

    def take(self) -> None:
        """Count the connection.

        Raises:
            Refused: there is no room for it; the detail is for the peer.
        """
        if self._taken:
            return
        self._desk.files.admit(self._socket)
        if self._counted:
            self._desk.gatekeeper.admit(self.address, self._desk.host.now())

    def is_counted_for(self, address: str) -> bool:
        """Whether it has been counted as a connection of `address`; a proxy speaks for others."""
        return self._counted and address == self.address

    def leave(self, logged_in: bool) -> None:
        """The connection is gone; `logged_in`: it had asked for something that there is."""
        if self._counted:
            self._desk.gatekeeper.left(self.address, logged_in, self._desk.host.now())
