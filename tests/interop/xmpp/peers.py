"""People with an XMPP client (slixmpp), and a component's service that notes what it is told."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from xml.etree.ElementTree import Element, tostring

from slixmpp import ClientXMPP
from slixmpp.stanza.rootstanza import RootStanza
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher.base import MatcherBase
from slixmpp.xmlstream.stanzabase import StanzaBase

from parlour.gateways.mug._component import Account, Component
from tests.interop.xmpp.servers import GAMES, GUESTS, HOST, PASSWORD, SECRET, SOON, XmppServer


class _All(MatcherBase):
    def match(self, xml: StanzaBase) -> bool:
        return isinstance(xml, RootStanza)


class Person:
    """A client that is logged in; `inbox` has every stanza that came for it, as an element."""

    def __init__(self, server: XmppServer, jid: str) -> None:
        plain = {"unencrypted_plain": True, "unencrypted_scram": True}
        self.client = ClientXMPP(jid, PASSWORD, plugin_config={"feature_mechanisms": plain})
        self.client.enable_plaintext = True
        self.client.enable_starttls = self.client.enable_direct_tls = False
        self.client.register_handler(Callback("everything", _All(None), self._keep))
        self.inbox: asyncio.Queue[Element] = asyncio.Queue()
        self._address = ("127.0.0.1", server.clients)

    @property
    def jid(self) -> str:
        """The full JID, as the server bound it."""
        return str(self.client.boundjid)

    def say(self, stanza: str) -> None:
        """Send a stanza as it stands."""
        self.client.send(stanza)

    async def hears(self, matches: Callable[[Element], bool] = lambda _: True) -> Element:
        """The next stanza that matches; others before it are passed over."""
        async with asyncio.timeout(SOON):
            while True:
                stanza = await self.inbox.get()
                if matches(stanza):
                    return stanza

    def _keep(self, stanza: StanzaBase) -> None:
        self.inbox.put_nowait(stanza.xml)

    async def log_in(self) -> None:
        begun = asyncio.ensure_future(self.client.wait_until("session_start", SOON))
        self.client.connect(*self._address)
        await begun

    async def log_out(self) -> None:
        await self.client.disconnect(wait=1.0)
        self.vanish()

    def vanish(self) -> None:
        """Cut the connection without a word."""
        self.client.abort()
        if self.client._run_out_filters is not None:  # it would keep the client alive
            self.client._run_out_filters.cancel()


@contextlib.asynccontextmanager
async def person(server: XmppServer, name: str = "", resource: str = "") -> AsyncIterator[Person]:
    """Somebody with an account on the server, or without a name a guest."""
    jid = f"{name}@{HOST}" if name else GUESTS
    someone = Person(server, f"{jid}/{resource}" if resource else jid)
    await someone.log_in()
    try:
        yield someone
    finally:
        await someone.log_out()


class Notes:
    """A service that notes what it is told, and says `goodbye` at the end."""

    def __init__(self, component: Component) -> None:
        self.component = component
        self.told: asyncio.Queue[str] = asyncio.Queue()
        self.stanzas: asyncio.Queue[Element] = asyncio.Queue()
        self.goodbye = ""

    def connected(self) -> None:
        self.told.put_nowait("connected")

    def disconnected(self) -> None:
        self.told.put_nowait("disconnected")

    def drained(self) -> None:
        """Nothing to add."""

    def received(self, stanza: Element) -> None:
        self.stanzas.put_nowait(stanza)

    def close(self) -> None:
        self.told.put_nowait("closed")
        if self.goodbye:
            self.component.send(self.goodbye)

    async def next_stanza(self) -> Element:
        return await asyncio.wait_for(self.stanzas.get(), SOON)

    async def next_told(self) -> str:
        return await asyncio.wait_for(self.told.get(), SOON)


def account(server: XmppServer, secret: str = SECRET, domain: str = GAMES) -> Account:
    return Account("127.0.0.1", server.components, domain, secret)


@contextlib.asynccontextmanager
async def component(where: Account) -> AsyncIterator[Notes]:
    """A component that tries to reach its server, with a service that takes notes."""
    stream = Component(where)
    notes = Notes(stream)
    stream.start(notes)
    try:
        yield notes
    finally:
        await stream.close()


def shown(stanza: Element) -> str:
    """The stanza as text, for the message of a failed test."""
    return tostring(stanza, encoding="unicode")
