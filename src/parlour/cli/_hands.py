"""What an operator reaches of a running server: its doors, as one looks to `parlour admin`."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping

from parlour.cli._doors import MakeSession
from parlour.gateways import Connection, Desk
from parlour.gateways.admin import Visitor
from parlour.gateways.mug import Operator
from parlour.gateways.web import Reception
from parlour.host import holder_of

XMPP = "xmpp"
WEB = "web"


class Sockets:
    """The protocols on plain sockets. `protocol_of` names the door that made a session."""

    def __init__(self, desk: Desk, protocol_of: Callable[[MakeSession], str]) -> None:
        self._desk = desk
        self._protocol_of = protocol_of

    def visitors(self) -> Iterator[Visitor]:
        """Everybody who is there."""
        for protocol, one in self._connections():
            identity = one.identity
            yield Visitor(
                id=f"{protocol}/{one.peer}",
                protocol=protocol,
                address=one.address,
                identity=identity,
                name=holder_of(identity).partition(":")[2],
                since=one.since,
                heard=one.heard,
            )

    def send_away(self, whys: Mapping[str, str]) -> None:
        """End connections."""
        for protocol, one in self._connections():
            if (why := whys.get(f"{protocol}/{one.peer}")) is not None:
                one.send_away(why)

    def announce(self, text: str) -> dict[str, int]:
        """Say something to everybody whose protocol has words for it."""
        told: dict[str, int] = {}
        for protocol, one in self._connections():
            if one.announce(text):
                told[protocol] = told.get(protocol, 0) + 1
        return told

    def _connections(self) -> list[tuple[str, Connection]]:
        return [
            (self._protocol_of(one.make), one)
            for one in self._desk.connections
            if isinstance(one, Connection)
        ]


class Browsers:
    """The WebSockets of pages."""

    def __init__(self, reception: Reception) -> None:
        self._reception = reception

    def visitors(self) -> Iterator[Visitor]:
        """Everybody who is there."""
        for one in self._reception.present():
            yield Visitor(
                id=f"{WEB}/{one.peer}",
                protocol=WEB,
                address=one.address,
                identity=one.identity,
                name=one.name,
                since=one.since,
                heard=one.heard,
            )

    def send_away(self, whys: Mapping[str, str]) -> None:
        """End connections."""
        self._reception.send_away({id.removeprefix(f"{WEB}/"): why for id, why in whys.items()})

    def announce(self, text: str) -> dict[str, int]:
        """Say something to every page."""
        told = self._reception.announce(text)
        return {WEB: told} if told else {}


class Jids:
    """Who is in rooms. Where they come from is their server's to know."""

    def __init__(self, operator: Operator) -> None:
        self._operator = operator

    def visitors(self) -> Iterable[Visitor]:
        """Everybody who is in a room."""
        for session, nicks in self._operator.inside().items():
            yield Visitor(
                id=f"{XMPP}/{session}",
                protocol=XMPP,
                address="",
                identity=f"xmpp:{session.partition('/')[0]}",
                name=nicks[0],
                since=0,
                heard=self._operator.heard(session),
                also=nicks[1:],
            )

    def send_away(self, whys: Mapping[str, str]) -> None:
        """Take people out of all rooms."""
        for id, why in whys.items():
            self._operator.send_away(id.removeprefix(f"{XMPP}/"), why)

    def announce(self, text: str) -> dict[str, int]:
        """Say something in every room."""
        told = self._operator.announce(text)
        return {XMPP: told} if told else {}

    async def close_room(self, name: str, why: str) -> bool:
        """Close a room; False where there is none.

        Raises:
            Refused: it is not closed.
        """
        return await self._operator.close_room(name, why)


def set_level(level: str, logger: str) -> None:
    """Log from that level up; without a logger's name, everything that is the server's."""
    logging.getLogger(logger or "parlour").setLevel(level.upper())
