"""The composition root: the one place that names a store, a bus, the games and the gateways."""

import asyncio
import contextlib
import logging
import os
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from parlour.buses import MemoryBus
from parlour.cli._address import address
from parlour.cli._config import PROTOCOLS, Config
from parlour.cli._counting import counted
from parlour.cli._doors import DOORS, Door, MakeSession
from parlour.cli._drained import Drained
from parlour.cli._errors import CommandError
from parlour.cli._games import GAMES
from parlour.cli._hands import Browsers, Jids, Sockets, set_level
from parlour.cli._measured import MeasuredStore
from parlour.cli._trust import trust
from parlour.cli._xmpp import Xmpp, plan
from parlour.gateways import CertificateError, Certificates, Connection, Desk, Handshake, Limits
from parlour.gateways.admin import AdminGateway, Drain, Hands, OperatorAggregate
from parlour.gateways.mug import MugGateway, MugOptions, MugSettings, RoomAggregate
from parlour.gateways.web import Metrics, ProtocolInfo, WeakSecretError, WebGateway, load_secret
from parlour.host import Chat, Host, Pairer, nothing
from parlour.lobby import Lobby
from parlour.stores import SqliteStore

log = logging.getLogger("parlour")

ALPHABET = "23456789abcdefghjkmnpqrstvwxyz"  # nothing that reads like something else
ID_LENGTH = 12  # 30**12: two matches of a busy century do not meet

IN_ROOMS = ("tictactoe",)  # the games that can be played over XMPP
IN_A_BROWSER = "{}://{{address}}/ in a browser"

CLOSING = 4.0  # seconds for an orderly end; service managers give up on it a little later

# Players of one match can be far apart in time; a clock that a person sets must not reach them.
_STARTED_AT = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000


def now() -> int:
    """Milliseconds since the Unix epoch, by a clock that never goes back while we run."""
    return _STARTED_AT + time.monotonic_ns() // 1_000_000


def new_id() -> str:
    """A name for a stream that nobody can guess."""
    number = secrets.randbelow(len(ALPHABET) ** ID_LENGTH)
    digits = []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(digits)


class Listening(NamedTuple):
    """Where a protocol listens, and what to try there."""

    host: str
    port: int
    hint: str


class Service:
    """A running server: its host, and the protocols that listen."""

    def __init__(
        self, host: Host, limits: Limits, certificates: Certificates | None, drain: Drain
    ) -> None:
        self.host = host
        pairer = Pairer(host, Lobby(), lambda: drain.on)
        self.desk = Desk(host, pairer, Chat(), limits)
        self._drain, drain.ended = drain, pairer.look_again
        self._certificates = certificates
        self.listening: dict[str, Listening] = {}
        self._sessions: dict[str, MakeSession] = {}
        self.web: WebGateway | None = None
        self.xmpp: Xmpp | None = None
        self.admin: AdminGateway | None = None
        self.hung = False

    async def listen(
        self, name: str, open_at: Callable[[str, int], Awaitable[int]], where: str, hint: str
    ) -> None:
        """Open the door of one protocol: `open_at` takes host and port and returns the port.

        Raises:
            CommandError: the address is in use or not ours.
        """
        at = address(where)
        if at is None:
            return
        host, port = at
        try:
            self.listening[name] = Listening(host, await open_at(host, port), hint)
        except UnicodeError:
            raise CommandError(f"{host!r} is no name of a host") from None
        except OSError as error:
            raise CommandError(
                f"cannot listen on {where} for {name}: {_reason(error)};"
                f" --{name} HOST:PORT listens elsewhere, --{name} off not at all"
            ) from None

    async def open(self, door: Door, config: Config) -> None:
        """Open a door whose sessions run on plain sockets.

        Raises:
            CommandError: the address is in use or not ours.
        """
        make = self._sessions[door.name] = door.gateway(config, self.desk, new_id)
        where = getattr(config, door.name).listen
        connect = partial(Connection, self.desk, make)
        await self.listen(door.name, partial(self.desk.listen, connect), where, door.hint)
        hint = door.secure_hint
        if self._certificates is not None:
            hint += trust(config.tls.cert).replace("{", "{{").replace("}", "}}")
        await self.listen_tls(door.name, connect, config, hint)

    async def listen_tls(
        self, name: str, connect: Callable[[], asyncio.BaseProtocol], config: Config, hint: str
    ) -> None:
        """Open the door of one protocol over TLS, where it is to have one.

        Raises:
            CommandError: there is no certificate, or the address is in use or not ours.
        """
        where = getattr(config, name).tls
        if address(where) is None:
            return
        if self._certificates is None:
            raise CommandError(f"--{name}-tls needs --tls-cert FILE")
        secure = partial(Handshake, self.desk, self._certificates, connect)
        await self.listen(f"{name}-tls", partial(self.desk.listen, secure), where, hint)

    def renew(self) -> None:
        """Read the certificate again; who is connected stays so, and a bad file changes nothing."""
        if self._certificates is None:
            log.info("there is no certificate to read again")
            return
        try:
            self._certificates.reload()
        except CertificateError as error:
            log.error("the old certificate stays in use: %s", error)
        else:
            log.info("the certificate was read again")

    def protocol_of(self, make: MakeSession) -> str:
        """The name of the door that makes such sessions."""
        return next(name for name, one in self._sessions.items() if one is make)

    def hands(self) -> Hands:
        """What an operator reaches."""
        doors: list[Any] = [Sockets(self.desk, self.protocol_of)]
        rooms = Jids(self.xmpp.operator) if self.xmpp is not None else None
        if self.web is not None:
            doors.append(Browsers(self.web.reception))
        if rooms is not None:
            doors.append(rooms)
        return Hands(self.host, self.desk.bans, doors, rooms, self._drain, set_level)

    def connections(self) -> dict[str, int]:
        """How many connections each of those doors has, and how many clients are in rooms."""
        connections = self.desk.connections
        present = Counter(one.make for one in connections if isinstance(one, Connection))
        counts = {
            name: present[make]
            for name, make in self._sessions.items()
            if {name, f"{name}-tls"} & self.listening.keys()
        }
        return counts if self.xmpp is None else counts | {"xmpp": len(self.xmpp.operator.inside())}

    def protocols(self) -> list[ProtocolInfo]:
        """Where programs of one's own can connect."""
        told = []
        for door in DOORS:
            for name, tls in ((door.name, False), (f"{door.name}-tls", True)):
                if (at := self.listening.get(name)) is not None:
                    told.append(ProtocolInfo(door.name, at.host, at.port, door.games, tls))
        if self.xmpp is not None and self.xmpp.door is not None:
            told.append(ProtocolInfo("xmpp", *self.xmpp.door, IN_ROOMS))
        return told

    async def start(self) -> None:
        """Let in whoever comes.

        Raises:
            CommandError: since the addresses were taken, another server listens at one of them.
        """
        try:
            if self.web is not None:
                await self.web.start()
            await self.desk.start()
        except OSError as error:
            ours = ", ".join(f"{name} {at.host}:{at.port}" for name, at in self.listening.items())
            raise CommandError(
                f"cannot listen: {_reason(error)}; another server began to listen at one of {ours};"
                " --NAME HOST:PORT, as in --web 127.0.0.1:8081, listens elsewhere"
            ) from None
        if self.xmpp is not None:
            await self.xmpp.start()

    async def close(self) -> None:
        """Let nobody in, say goodbye, finish what is being recorded."""
        try:
            await self._close_doors()
        finally:
            await self._close_host()

    async def _close_doors(self) -> None:
        """A door that fails keeps no other from closing."""
        others = (self.admin, self.web, self.xmpp)
        doors = [self.desk.close(), *(door.close() for door in others if door is not None)]
        with contextlib.suppress(TimeoutError):
            closing = asyncio.gather(*doors, return_exceptions=True)
            for error in await asyncio.wait_for(closing, CLOSING / 2):
                if error is not None:
                    log.error("a door failed to close", exc_info=error)

    async def _close_host(self) -> None:
        try:
            await asyncio.wait_for(self.host.close(), CLOSING / 2)
        except TimeoutError:
            self.hung = True
            log.error("the store does not finish: leaving what nobody was told of")


@contextlib.asynccontextmanager
async def running(
    config: Config, path: Path, stop: Callable[[], None] = nothing
) -> AsyncIterator[Service]:
    """A service as configured, with its log file at `path`, from recovered to closed.

    `stop` is called when an operator has let it run empty.

    Raises:
        CommandError: nothing is to be served, or an address cannot be listened on.
        StoreError: the log cannot be opened or read.
    """
    if not _serves_something(config):
        raise CommandError("every protocol is off: there is nothing to serve")
    certificates = _certificates(config)
    metrics = Metrics()
    drain = Drain(stop)
    aggregates = (Drained(GAMES, drain), RoomAggregate(), OperatorAggregate())
    store = MeasuredStore(SqliteStore(path), metrics)
    host = Host(store, MemoryBus(), aggregates, now, new_id, metrics.refused)
    service = Service(host, config.limits, certificates, drain)
    try:
        for door in DOORS:
            await service.open(door, config)
        await _open_web(service, config, path.parent, metrics)
        _open_xmpp(service, config, path.parent)
        # Only a server that can listen touches the log: a failed start leaves it as it was.
        await host.recover(config.reclaim * 1000)
        service.admin = AdminGateway(host, service.desk.bans, service.hands(), path.parent)
        await service.admin.start()
        await service.start()
        log.info(
            "serving %s; taken up: %s",
            ", ".join(service.listening) or "XMPP only",
            counted(len(host.directory.unfinished), "unfinished match", "unfinished matches"),
        )
        yield service
        log.info("stopping")
    finally:
        await service.close()


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)


def _serves_something(config: Config) -> bool:
    tables = [getattr(config, name) for name in PROTOCOLS]
    doors = [where for table in tables for where in (table.listen, table.tls)]
    return any(where != "off" for where in (*doors, config.xmpp.server))


async def _open_web(service: Service, config: Config, data: Path, metrics: Metrics) -> None:
    if address(config.web.listen) is None and address(config.web.tls) is None:
        return
    try:
        secret = load_secret(data / "web-secret")
    except OSError as error:
        raise CommandError(f"cannot keep a secret in {data}: {error.strerror}") from None
    except WeakSecretError as error:
        raise CommandError(str(error)) from None
    web = WebGateway(config.web, service.desk, GAMES, secret, new_id, metrics, service)
    service.web = web
    await service.listen("web", web.listen, config.web.listen, IN_A_BROWSER.format("http"))
    await service.listen_tls("web", web.connect, config, IN_A_BROWSER.format("https"))


def _certificates(config: Config) -> Certificates | None:
    cert, key = config.tls.cert, config.tls.key
    if not cert:
        return None
    try:
        return Certificates(Path(cert), Path(key or cert))
    except CertificateError as error:
        raise CommandError(str(error)) from None


def _open_xmpp(service: Service, config: Config, data: Path) -> None:
    what = plan(config.xmpp)
    if what is None:
        return

    options, desk = _mug_options(config), service.desk

    def make(domain: str, send: Callable[[str], None]) -> MugGateway:
        return MugGateway(desk.host, desk.chat, options, domain, send, new_id, desk.bans)

    service.xmpp = Xmpp(what, data, make)


def _mug_options(config: Config) -> MugOptions:
    """What the rooms go by: their own table, and their part of the limits."""
    limits = config.limits
    return MugOptions(
        **{name: getattr(config.xmpp, name) for name in MugSettings.__struct_fields__},
        rate=limits.stanzas,
        burst=limits.stanzas_at_once,
        rooms_most=limits.rooms,
        all_rooms_most=limits.all_rooms,
        occupants_most=limits.occupants,
        sessions_most=limits.sessions,
    )
