"""The component stream against servers that misbehave, each a few lines over a real socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from xml.etree.ElementTree import Element

import pytest

from parlour.gateways.mug import Account, Component, _component

SOON = 20.0
HEADER = (
    b"<?xml version='1.0'?><stream:stream xmlns='jabber:component:accept' id='s1' "
    b"xmlns:stream='http://etherx.jabber.org/streams' from='games.localhost'>"
)
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Listener:
    """A service that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    def connected(self) -> None:
        self.heard.put_nowait("connected")

    def disconnected(self) -> None:
        self.heard.put_nowait("disconnected")

    def drained(self) -> None:
        """Nothing to add."""

    def received(self, stanza: Element) -> None:
        if stanza.get("id") == "poison":
            raise RuntimeError("a mistake of ours")
        self.heard.put_nowait(stanza.get("id", ""))

    def close(self) -> None:
        """Nothing to say."""

    async def next(self) -> str:
        return await asyncio.wait_for(self.heard.get(), SOON)


@contextlib.asynccontextmanager
async def served_by(
    talk: Talk, listener: Listener | None = None
) -> AsyncIterator[tuple[Component, Listener]]:
    """A component whose server behaves like `talk`, in every connection anew."""

    talks = set[asyncio.Task[None]]()

    async def talked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talks.add(task)
        with contextlib.suppress(
            ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError
        ):
            await talk(reader, writer)
        writer.transport.abort()

    server = await asyncio.start_server(talked, "127.0.0.1", 0)
    account = Account("127.0.0.1", server.sockets[0].getsockname()[1], "games.localhost", "s")
    component, listener = Component(account), listener or Listener()
    component.start(listener)
    try:
        yield component, listener
    finally:
        await component.close()
        server.close()
        for task in talks:
            task.cancel()
        await asyncio.gather(*talks)


async def let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """The server's half of the handshake."""
    await reader.readuntil(b'to="games.localhost">')
    writer.write(HEADER)
    await reader.readuntil(b"</handshake>")
    writer.write(b"<handshake/>")


async def said(caplog: pytest.LogCaptureFixture, words: str) -> None:
    """Return when the log has the words."""
    async with asyncio.timeout(SOON):
        while words not in caplog.text:
            await asyncio.sleep(0.01)


async def test_a_server_that_says_nothing_is_given_up(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_component, "HANDSHAKE", 0.05)
    tries: asyncio.Queue[int] = asyncio.Queue()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tries.put_nowait(1)
        await reader.read()

    async with served_by(silent):
        await said(caplog, "does not let a component in within")
        await asyncio.wait_for(tries.get(), SOON)
        await asyncio.wait_for(tries.get(), SOON)  # and tried again


async def test_a_server_that_is_known_to_be_back_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_component, "FIRST_WAIT", 1000.0)

    async def ends_soon(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)

    async with served_by(ends_soon) as (component, listener), asyncio.timeout(SOON):
        for _ in range(3):
            assert [await listener.next(), await listener.next()] == ["connected", "disconnected"]
            component.expect_server(component._account)


@pytest.mark.parametrize("lets_in", [True, False])
async def test_whoever_has_the_old_port_of_a_server_that_moved_is_left(lets_in: bool) -> None:
    left = asyncio.Event()
    met = asyncio.Event()

    async def stranger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if lets_in:
            await let_in(reader, writer)
        met.set()
        await reader.read()
        left.set()

    async def ours(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        await reader.read()

    async with (
        served_by(stranger) as (component, listener),
        served_by(ours) as (other, _),
        asyncio.timeout(SOON),
    ):
        await met.wait()
        if lets_in:
            assert await listener.next() == "connected"
        component.expect_server(other._account)
        if lets_in:
            assert await listener.next() == "disconnected"
        await left.wait()
        assert await listener.next() == "connected"


@pytest.mark.slow
async def test_a_server_of_another_kind_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    async def web(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await reader.read()

    async with served_by(web):
        await said(caplog, "sent what is no XML")


async def test_a_stream_error_ends_a_stream_that_the_server_leaves_open(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def shut_down(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        writer.write(
            b"<stream:error><system-shutdown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>"
            b"</stream:error>"
        )
        await reader.read()

    async with served_by(shut_down) as (_, listener):
        assert [await listener.next() for _ in range(3)] == [
            *("connected", "disconnected", "connected")
        ]
    assert "ended the stream with system-shutdown" in caplog.text


async def test_nothing_is_sent_before_the_handshake_and_what_waited_comes_first() -> None:
    came: asyncio.Queue[bytes] = asyncio.Queue()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        came.put_nowait(await reader.readuntil(b"<c/>"))

    async with served_by(slow) as (component, listener):
        component.send("<a/>")
        component.send("<b/>")
        assert await listener.next() == "connected"
        component.send("<c/>")
        assert await asyncio.wait_for(came.get(), SOON) == b"<a/><b/><c/>"


async def test_a_mistake_of_ours_costs_one_stanza(caplog: pytest.LogCaptureFixture) -> None:
    async def two(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        for name in (b"poison", b"sound"):
            writer.write(b"<message id='" + name + b"' from='a@b/c' to='r@games.localhost'/>")
        await reader.read()

    async with served_by(two) as (_, listener):
        assert [await listener.next() for _ in range(2)] == ["connected", "sound"]
    assert "a stanza of a@b/c could not be dealt with" in caplog.text


@pytest.mark.parametrize("namespace", ["jabber:component:accept", "jabber:client"])
async def test_stanzas_are_known_in_the_namespace_of_components_and_of_clients(
    namespace: str,
) -> None:
    async def sends(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        for kind in ("message", "presence", "iq", "other"):
            head = f"<{kind} xmlns='{namespace}' id='{kind}'"
            writer.write(f"{head} from='a@b/c' to='games.localhost'/>".encode())
        writer.write(b"<message id='end' from='a@b/c' to='games.localhost'/>")
        await reader.read()

    async with served_by(sends) as (_, listener):
        heard = [await listener.next() for _ in range(5)]
    assert heard == ["connected", "message", "presence", "iq", "end"]


@pytest.mark.parametrize(
    "stanza",
    [
        b"<message id='x' to='games.localhost'/>",
        b"<message id='x' from='a@b/c' to='r@elsewhere.localhost'/>",
        b"<presence id='x' type='unavailable' from='a@b@c' to='r@games.localhost'/>",
        b"<message id='x' type='error' from='a@b@c' to='r@games.localhost'/>",
        b"<iq id='x' type='result' from='a@b@c' to='r@games.localhost'/>",
    ],
    ids=["no sender", "other domain", "malformed goes", "malformed error", "malformed result"],
)
async def test_what_cannot_be_answered_is_dropped(stanza: bytes) -> None:
    rest: asyncio.Queue[bytes] = asyncio.Queue()

    async def sends(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        writer.write(stanza + b"<message id='after' from='a@b/c' to='games.localhost'/>")
        rest.put_nowait(await reader.readuntil(b"<end/>"))

    async with served_by(sends) as (component, listener):
        assert [await listener.next() for _ in range(2)] == ["connected", "after"]
        component.send("<end/>")
        assert await asyncio.wait_for(rest.get(), SOON) == b"<end/>"


async def test_a_malformed_address_is_answered_with_the_stanza_mirrored() -> None:
    answer: asyncio.Queue[bytes] = asyncio.Queue()

    async def sends(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        writer.write(b"<iq id='1&apos;' type='get' from='a@b/c' to='r@games.localhost/&#x378;'/>")
        answer.put_nowait(await reader.readuntil(b"</iq>"))

    async with served_by(sends):
        text = (await asyncio.wait_for(answer.get(), SOON)).decode()
    assert text == (
        "<iq from='r@games.localhost/\u0378' type='error' id='1&apos;' to='a@b/c'>"
        "<error type='modify'><jid-malformed xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>"
        "</error></iq>"
    )


async def test_a_server_that_does_not_read_is_dropped_at_a_limit(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_component, "UNSENT_MOST", 1 << 20)
    stanza = f"<message>{'x' * 100_000}</message>"

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        await asyncio.Event().wait()

    async with served_by(deaf) as (component, listener):
        assert await listener.next() == "connected"
        async with asyncio.timeout(SOON):
            while listener.heard.empty():  # the kernel takes some megabytes first
                component.send(stanza)
                await asyncio.sleep(0)
        assert await listener.next() == "disconnected"
        assert "bytes unread" in caplog.text
        assert await listener.next() == "connected"


async def test_the_service_hears_when_all_that_was_sent_is_taken() -> None:
    reads = asyncio.Event()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        await reads.wait()
        await reader.read()

    class Drained(Listener):
        def drained(self) -> None:
            self.heard.put_nowait("drained")

    async with served_by(slow, Drained()) as (component, listener):
        assert await listener.next() == "connected"
        async with asyncio.timeout(SOON):
            while not component.unsent():  # the kernel takes some megabytes first
                component.send(f"<message>{'x' * 100_000}</message>")
                await asyncio.sleep(0)
            while component.unsent() < 1_000_000:
                component.send(f"<message>{'x' * 100_000}</message>")
        while not listener.heard.empty():
            assert listener.heard.get_nowait() == "drained"
        reads.set()
        assert await listener.next() == "drained"
        assert component.unsent() < 100_000


async def test_what_makes_no_sense_has_no_answer_while_much_is_unsent() -> None:
    asks, reads = asyncio.Event(), asyncio.Event()
    rest: asyncio.Queue[bytes] = asyncio.Queue()

    async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        await asks.wait()
        writer.write(b"<iq id='1' type='get' from='a@b/c' to='r@games.localhost/&#x378;'/>")
        writer.write(b"<iq id='2' from='a@b/c' to='games.localhost'/>")
        await reads.wait()
        data = b""
        while not data.endswith(b"<end/>"):
            data = data[-100:] + await reader.read(1 << 16)
        rest.put_nowait(data)

    async with served_by(slow) as (component, listener):
        assert await listener.next() == "connected"
        async with asyncio.timeout(SOON):
            while component.unsent() <= _component.ANSWERED_MOST:
                component.send(f"<message>{'x' * 30_000}</message>")
                await asyncio.sleep(0)
        asks.set()
        assert await listener.next() == "2"
        component.send("<end/>")
        reads.set()
        assert (await asyncio.wait_for(rest.get(), SOON)).endswith(b"x</message><end/>")


async def test_what_waits_for_a_lost_server_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_component, "UNSENT_MOST", 1000)
    came: asyncio.Queue[bytes] = asyncio.Queue()

    async def reads(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        came.put_nowait(await reader.readuntil(b"<end/>"))

    async with served_by(reads) as (component, _):
        for number in range(250):
            component.send(f"<m{number:03d}/>")
        component.send("<end/>")
        # 142 of 7 bytes are 994; the next one lets go of all that came before it.
        text = "".join(f"<m{number}/>" for number in range(143, 250))
        assert await asyncio.wait_for(came.get(), SOON) == f"{text}<end/>".encode()


def test_an_address_is_written_as_an_operator_writes_it() -> None:
    assert Account("127.0.0.1", 5347, "d", "s").address == "127.0.0.1:5347"
    assert Account("::1", 5347, "d", "s").address == "[::1]:5347"
