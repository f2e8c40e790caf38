"""The operator's hands among the browsers."""

from collections.abc import Mapping

from msgspec import Struct

from parlour.gateways.web._connection import Hall
from parlour.gateways.web._told import Notice
from parlour.wire import clean

SAID_LONGEST = 500


class Page(Struct, frozen=True):
    """One WebSocket; `identity` is empty for a page without a cookie."""

    peer: str
    address: str
    identity: str
    name: str
    since: int
    heard: int


class Reception:
    """Reaches every WebSocket of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def present(self) -> list[Page]:
        """Everybody who is there."""
        return [
            Page(one.peer, one.address, one.guest.identity, one.guest.name, one.since, one.heard)
            for one in self._hall.connections
        ]

    def send_away(self, whys: Mapping[str, str]) -> None:
        """End the connections of these peers, and say why in the last frame of each."""
        for one in tuple(self._hall.connections):
            if (why := whys.get(one.peer)) is not None:
                one.send_away(why)

    def announce(self, text: str) -> int:
        """Say something to every page; how many are told."""
        notice = Notice(clean(text, SAID_LONGEST))
        for one in tuple(self._hall.connections):
            one.tell(notice)
        return len(self._hall.connections)
