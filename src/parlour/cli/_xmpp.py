"""XMPP as configured: rooms behind a component of somebody's server, or of a Prosody of ours."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from parlour.cli._address import ConfigError, component
from parlour.cli._config import XmppConfig
from parlour.cli._prosody import Hosts, ManagedProsody, free_port
from parlour.gateways.mug import Account, Component, MugGateway, Operator

PASSED_ON = 0.2  # seconds in which our Prosody passes on what was said to it last
SOON = 5.0  # seconds in which a server that is there has let us in
MakeGateway = Callable[[str, Callable[[str], None]], MugGateway]


class Plan(Struct, frozen=True):
    """Where the component goes, and which Prosody of ours waits for it there, if any."""

    account: Account
    managed: Hosts | None = None


def plan(config: XmppConfig) -> Plan | None:
    """What the table [xmpp] asks for; None for nothing.

    Raises:
        ConfigError: a setting cannot be used.
    """
    if config.server == "off":
        return None
    domain, at = config.domain, component(config.server)
    if at is None:
        hosts = Hosts(
            games=domain,
            clients=config.clients or free_port(),
            web=config.http or free_port(),
            components=free_port(),
            secret=secrets.token_hex(32),
        )
        return Plan(Account("127.0.0.1", hosts.components, domain, hosts.secret), hosts)
    return Plan(Account(*at, domain, _secret(config)))


def _secret(config: XmppConfig) -> str:
    """What the operator's server knows the component by."""
    path = config.secret_file
    if not path:
        raise ConfigError(
            "an XMPP server lets no component in without a secret: --xmpp-secret-file FILE"
        )
    try:
        secret = Path(path).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no text in UTF-8"
        raise ConfigError(f"cannot read the secret in {path}: {reason}") from None
    if not secret or "\n" in secret:
        raise ConfigError(f"{path} must hold the secret in one line, and nothing else")
    return secret


class Xmpp:
    """The component with the rooms behind it, and the Prosody in front of it where it is ours."""

    def __init__(self, what: Plan, data: Path, make: MakeGateway) -> None:
        self._plan = what
        self._component = Component(what.account)
        self._gateway = make(what.account.domain, self._component.send)
        self._gateway.paced_by(self._component.unsent)
        self._prosody: ManagedProsody | None = None
        if what.managed is not None:
            self._prosody = ManagedProsody(data / "prosody", what.managed, self._opened)
        self._begun = False
        self._ready = False

    async def start(self) -> None:
        """Begin, and wait a moment: a server that is there lets us in at once.

        What goes wrong is in the log, and tried again; the other protocols need not wait for it.

        Raises:
            StoreError: the rooms of the last run cannot be read.
        """
        await self._gateway.recover()
        connected = asyncio.create_task(self._component.connected())
        hopes = {connected}
        if self._prosody is None:
            self._component.start(self._gateway)
        else:
            hopes.add(self._prosody.start())  # which may have to fetch it first
        await asyncio.wait(hopes, timeout=SOON, return_when=asyncio.FIRST_COMPLETED)
        self._ready = connected.done()
        connected.cancel()

    def _opened(self, hosts: Hosts) -> None:
        """Our Prosody is ready, for the first time or again."""
        account = replace(self._plan.account, port=hosts.components)
        self._plan = Plan(account, hosts)
        self._component.expect_server(account)
        if not self._begun:
            self._begun = True
            self._component.start(self._gateway)

    @property
    def operator(self) -> Operator:
        """What an operator reaches of the rooms."""
        return self._gateway.operator

    @property
    def door(self) -> tuple[str, int] | None:
        """Where clients connect to the Prosody that is ours; None where the server is not."""
        hosts = self._plan.managed
        return None if hosts is None else ("127.0.0.1", hosts.clients)

    def greeting(self) -> str:
        """Where it is served, for the person who started the server."""
        hosts, account = self._plan.managed, self._plan.account
        if not self._ready:
            return "is not served yet; the log says why"
        if hosts is None:
            return f"{account.address:21} rooms are at {account.domain}"
        return (
            f"{f'127.0.0.1:{hosts.clients}':21} try: a client as guest of "
            f"{hosts.guests}, or ws://127.0.0.1:{hosts.web}/xmpp-websocket; "
            f"rooms are at {account.domain}"
        )

    async def close(self) -> None:
        """Say goodbye, and end the Prosody that is ours."""
        self._begun = True  # whatever our Prosody says now
        await self._component.close()
        if self._prosody is not None:
            await asyncio.sleep(PASSED_ON)  # it does not say when it has
            await self._prosody.close()
