"""A stream that begins as none may: faults, X14."""

import asyncio
import contextlib
from xml.etree.ElementTree import Element

import pytest

from parlour.gateways.mug import Account, Component, _component
from parlour.gateways.mug._outbox import Outbox
from tests.gateways.mug.test_mug_component import HEADER, SOON, let_in, said, served_by

ENTITIES = b"<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
PROLOGS = {
    "entities": b"<!DOCTYPE lolz [" + ENTITIES + b"]>",
    "external": b"<!DOCTYPE x SYSTEM 'file:///etc/passwd'>",
    "later": b" " * 200 + b"<!DOCTYPE x>",
    "comment": b"<!-- nothing -->",
    "endless": b" " * 5_000,
}


@pytest.mark.parametrize("prolog", PROLOGS.values(), ids=PROLOGS)
@pytest.mark.parametrize("size", [1, 10_000])
async def test_a_document_type_is_restricted_xml_and_nothing_is_expanded(
    caplog: pytest.LogCaptureFixture, prolog: bytes, size: int
) -> None:
    answers: asyncio.Queue[bytes] = asyncio.Queue()
    start, header = HEADER.split(b"<stream:stream", 1)

    async def bomb(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b'to="games.localhost">')
        stream = start + prolog + b"<stream:stream" + header
        answer = b""
        with contextlib.suppress(ConnectionError):  # what is still on its way resets the rest
            for first in range(0, len(stream), size):
                writer.write(stream[first : first + size])
            answer = await reader.read()
        answers.put_nowait(answer)

    async with served_by(bomb) as (_, listener):
        answer = await asyncio.wait_for(answers.get(), SOON)
        await said(caplog, "began its stream with what no stream begins with")
        assert listener.heard.empty()
    assert b"<handshake" not in answer
    if size > len(PROLOGS["endless"]):
        assert b"<restricted-xml " in answer


async def test_a_stream_after_such_a_one_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    begun = 0

    async def first_a_bomb(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal begun
        begun += 1
        if begun == 1:
            writer.write(b"<?xml version='1.0'?><!DOCTYPE x>")
        else:
            await let_in(reader, writer)
        await reader.read()

    async with served_by(first_a_bomb) as (_, listener):
        assert await listener.next() == "connected"


async def test_an_entity_that_nobody_declared_ends_the_stream(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def talks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        writer.write(b"<message id='m' from='a@b/c' to='r@games.localhost'>&lol;</message>")
        await reader.read()

    async with served_by(talks) as (_, listener):
        assert [await listener.next() for _ in range(2)] == ["connected", "disconnected"]


HEAD = "from='a@b/c' to='r@games.localhost' id"


async def test_a_stanza_that_breaks_the_rules_of_namespaces_costs_only_itself() -> None:
    answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def talks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        for stanza in (
            f"<message {HEAD}='m1'><foo xmlns='http://www.w3.org/XML/1998/namespace'/></message>",
            f"<message {HEAD}='m2' type='error'><p:foo/></message>",
            f"<iq {HEAD}='m3' type='result'><p:foo/></iq>",
            f"<presence {HEAD}='gone' type='unavailable'><p:foo/></presence>",
            f"<message {HEAD}='m6' type='unavailable'><p:foo/></message>",
            f"<p:message {HEAD}='m4'/>",
            f"<iq {HEAD}='m5' type='get'><x xmlns='urn:}}x'/></iq>",
            f"<message {HEAD}='last'/>",
        ):
            writer.write(stanza.encode())
        answers.put_nowait(await reader.readuntil(b"</iq>"))
        await reader.read()

    async with served_by(talks) as (_, listener):
        assert [await listener.next() for _ in range(3)] == ["connected", "gone", "last"]
        said_back = (await asyncio.wait_for(answers.get(), SOON)).decode()
    told = [f"id='m{number}'" in said_back for number in range(1, 7)]
    assert told == [True, *[False] * 3, True, True]
    assert said_back.count("<bad-request ") == 3


async def test_a_stream_that_is_no_xml_is_begun_again_without_longer_waits(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a user wrote is not in the log."""
    monkeypatch.setattr(_component, "FIRST_WAIT", 0.01)
    times: list[float] = []

    async def garbles(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        times.append(asyncio.get_running_loop().time())
        writer.write(b"<message id='m' from='a@b/c' to='r@games.localhost'>secret</iq>")
        await reader.read()

    async with served_by(garbles) as (_, listener), asyncio.timeout(SOON):
        for _ in range(10):
            assert [await listener.next(), await listener.next()] == ["connected", "disconnected"]
    # Doubled ten times, the waits are 10 s.
    assert times[-1] - times[0] < 5
    assert "sent what is no XML (mismatched tag" in caplog.text
    assert "secret" not in caplog.text


APOSTROPHES = "'" * 1_000  # each is six characters of an answer
NO_NICK = "/&#x378;"  # a character that Unicode has not assigned


@pytest.mark.parametrize(
    ("nick", "inside", "condition"),
    [(NO_NICK, "", "jid-malformed"), ("", "<p:foo/>", "bad-request")],
    ids=["address", "prefix"],
)
async def test_a_flood_of_what_makes_no_sense_is_answered_twenty_times(
    nick: str, inside: str, condition: str
) -> None:
    asks = asyncio.Event()
    said_back: asyncio.Queue[bytes] = asyncio.Queue()

    def stanza(sender: str) -> bytes:
        to = f"r@games.localhost{nick}"
        return f"<message from='{sender}' to='{to}' id='{sender}'>{inside}</message>".encode()

    async def talks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await let_in(reader, writer)
        await asks.wait()
        writer.write(b"".join([stanza(f"Flood@b/{number}") for number in range(1000)]))
        writer.write(stanza("other@b/c"))
        said_back.put_nowait(await reader.readuntil(b"to='other@b/c'>"))
        await reader.read()

    async with served_by(talks) as (_, listener):
        assert await listener.next() == "connected"
        began = asyncio.get_running_loop().time()
        asks.set()
        told = (await asyncio.wait_for(said_back.get(), SOON)).decode()
        seconds = asyncio.get_running_loop().time() - began
    assert 20 <= told.count(f"<{condition} ") <= 21 + seconds  # one more a second


def nonsense(user: int, id: str) -> Element:
    """A request from an address that is none; of some servers the `id` is of any length."""
    sender = f"flood{user}@b/{APOSTROPHES}"
    to = f"r@games.localhost/{APOSTROPHES}\u0378"
    attributes = {"from": sender, "to": to, "type": "get", "id": id}
    return Element("{jabber:component:accept}iq", attributes)


async def test_answers_to_what_makes_no_sense_end_before_lists_have_to_wait() -> None:
    component = Component(Account("127.0.0.1", 1, "games.localhost", "secret"))
    outbox = Outbox(component.send)
    outbox.unsent = component.unsent
    for user in range(100):
        component.received(nonsense(user, "'" * 1_000), sound=True)
    assert component.unsent() > 20_000
    assert not outbox.busy()


async def test_what_makes_no_sense_and_has_too_long_an_id_has_no_answer() -> None:
    component = Component(Account("127.0.0.1", 1, "games.localhost", "secret"))
    for length in (1_001, 100_000):
        component.received(nonsense(1, "'" * length), sound=True)
    assert not component.unsent()
