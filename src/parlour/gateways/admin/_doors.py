"""The rest of the server as an operator's hand reaches it; the composition root has the ends."""

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from msgspec import Struct


class Visitor(Struct, frozen=True):
    """One connection. Moments are in milliseconds since the Unix epoch, 0 where nobody knows.

    `identity` is empty before a login, `address` where it is another server's to know. `also` are
    further names, of whoever is in several rooms.
    """

    id: str
    protocol: str
    address: str
    identity: str
    name: str
    since: int
    heard: int
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that this connection is called, one empty name where it is nothing."""
        return (self.name, *self.also)


class Door(Protocol):
    """Where visitors of one or several protocols come in."""

    def visitors(self) -> Iterable[Visitor]:
        """Everybody who is there."""

    def send_away(self, whys: Mapping[str, str]) -> None:
        """End the connections of these ids, telling each its reason where the protocol can."""

    def announce(self, text: str) -> dict[str, int]:
        """Say something to everybody there; how many of each protocol could be told."""


class Rooms(Protocol):
    """Rooms that outlive their matches."""

    async def close_room(self, name: str, why: str) -> bool:
        """Close a room and the match in it; False when there is none of that name.

        Raises:
            Refused: it is not closed.
        """


SetLogLevel = Callable[[str, str], None]
"""Takes a level and the name of a logger."""
