"""The doors whose sessions run on plain sockets: which protocols there are, in one table."""

from collections.abc import Callable
from typing import NamedTuple

from parlour.cli._config import Config
from parlour.gateways import Desk, Session
from parlour.gateways.nedap import NedapGateway
from parlour.gateways.ruc import RucGateway
from parlour.gateways.textbook import TextbookGateway

MakeSession = Callable[[str], Session]  # of a connection, by its peer's address
NewId = Callable[[], str]


class Door(NamedTuple):
    """A protocol. `name` is also that of its table in the settings, which says where it listens.

    `hint` says what to try, with {parlour}, {address}, {host} and {port} to be filled in;
    `secure_hint` what to try over TLS.
    """

    name: str
    games: tuple[str, ...]
    hint: str
    secure_hint: str
    gateway: Callable[[Config, Desk, NewId], MakeSession]


DOORS: tuple[Door, ...] = (
    Door(
        "textbook",
        ("tictactoe",),
        "{parlour} play textbook {address}",
        "{parlour} play textbook {address} --tls",
        lambda config, desk, new_id: TextbookGateway(config.textbook, new_id).session,
    ),
    Door(
        "nedap",
        ("go",),
        "nc {host} {port}, then type PLAYER alice and, on the next line, GO 9",
        "{parlour} play nedap {address} --name alice --tls",
        lambda config, desk, new_id: (
            NedapGateway(config.nedap, desk.host.directory, config.limits, desk.bans).session
        ),
    ),
    Door(
        "ruc",
        ("chinese_checkers",),
        "{parlour} play ruc {address} --room garden --name alice",
        "{parlour} play ruc {address} --room garden --name alice --tls",
        lambda config, desk, new_id: RucGateway(config.ruc, desk.host.directory, desk.bans).session,
    ),
)
