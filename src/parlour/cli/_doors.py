"""The doors whose sessions run on plain sockets: which protocols there are, in one table."""

from collections.abc import Callable
from typing import NamedTuple

from parlour.cli._config import Config
from parlour.gateways import Session
from parlour.gateways.nedap import NedapGateway
from parlour.gateways.ruc import RucGateway
from parlour.gateways.textbook import TextbookGateway
from parlour.host import Host

MakeSession = Callable[[str], Session]  # of a connection, by its peer's address
NewId = Callable[[], str]


class Door(NamedTuple):
    """A protocol. `name` is also that of its table in the settings, which says where it listens.

    `hint` says what to try, with {parlour}, {address}, {host} and {port} to be filled in.
    """

    name: str
    games: tuple[str, ...]
    hint: str
    gateway: Callable[[Config, Host, NewId], MakeSession]


DOORS: tuple[Door, ...] = (
    Door(
        "textbook",
        ("tictactoe",),
        "{parlour} play textbook {address}",
        lambda config, host, new_id: TextbookGateway(config.textbook, new_id).session,
    ),
    Door(
        "nedap",
        ("go",),
        "nc {host} {port}, then type PLAYER alice and, on the next line, GO 9",
        lambda config, host, new_id: (
            NedapGateway(config.nedap, host.directory, config.limits).session
        ),
    ),
    Door(
        "ruc",
        ("chinese_checkers",),
        "{parlour} play ruc {address} --room garden --name alice",
        lambda config, host, new_id: RucGateway(config.ruc, host.directory).session,
    ),
)
