"""A stream that begins as none may: faults, X14."""

import asyncio
import contextlib

import pytest

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
