"""Bytes that no client should send: each is answered or ends its own connection, no more."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games import Refusal, Refused
from parlour.games.go import Go
from parlour.gateways import Close, Effect, Note, Submit, Write
from parlour.gateways.nedap import NedapGateway, NedapOptions, NedapSession
from parlour.host import Directory, Recorded
from parlour.match import CreateMatch, Match, MatchAggregate, Newcomer, PlayMove, Terms
from tests.gateways.nedap.peers import club, moves
from tests.service import NOW

MOVE_FORM = "write MOVE x y, two numbers from 0"
BAD = {
    "MOVE 1_0 3": f"1_0 is not a number of 1 to 4 digits: {MOVE_FORM}",
    "MOVE \uff13 \uff14": f"\uff13 is not a number of 1 to 4 digits: {MOVE_FORM}",
    "MOVE +1 2": f"+1 is not a number of 1 to 4 digits: {MOVE_FORM}",
    "MOVE a b": f"a is not a number of 1 to 4 digits: {MOVE_FORM}",
    "MOVE 3": f"MOVE has two arguments, not 1: {MOVE_FORM}",
    "MOVE 1 2 3": f"MOVE has two arguments, not 3: {MOVE_FORM}",
    "MOVE  1 1": f"MOVE  1 1 has a space too many: {MOVE_FORM}",
    "move 3 3": "keyword move unknown",
    "FOO 1 2": "keyword FOO unknown",
    "VALID black 1 1": "keyword VALID unknown",
}


def stranger() -> NedapSession:
    """A session that has not said anything yet."""
    return NedapGateway(NedapOptions(), Directory()).session("10.0.0.7")


def playing() -> NedapSession:
    """A session at move 0 of a game with bob, where alice has black."""
    session = stranger()
    session.connected(NOW)
    session.received(b"PLAYER alice\nGO 5\n", NOW)
    session.paired("match-1", NOW)
    rules = MatchAggregate([Go()])
    people = (
        Newcomer("nedap:alice 10.0.0.7", "alice", Terms(ready=True)),
        Newcomer("web:7", "Bob", Terms(ready=True)),
    )
    events = rules.decide(None, CreateMatch("go", {"size": 5}, people), NOW)
    state: Match | None = None
    records = []
    for version, event in enumerate(events, 1):
        state = rules.evolve(state, event)
        records.append(Recorded("match-1", version, event, state))
    (told, *_) = session.followed(records, NOW)
    assert told == Write(b"READY black bob 5\n")
    return session


def joined(effects: list[Effect]) -> list[Effect]:
    """The same effects with neighbouring writes made one."""
    result: list[Effect] = []
    for effect in effects:
        if isinstance(effect, Write) and result and isinstance(result[-1], Write):
            result[-1] = Write(result[-1].data + effect.data)
        else:
            result.append(effect)
    return result


@pytest.mark.parametrize("line", BAD)
async def test_a_typing_error_is_no_cheating(line: str) -> None:
    async with club() as room:
        black, white = await room.pair()
        black.send(line)
        assert await black.heard() == [f"WARNING {BAD[line]}"]
        await moves(black, white, "1 1")


FORGIVEN = {
    "CRLF": b"MOVE 1 1\r\n",
    "one trailing space": b"MOVE 1 1 \n",
    "empty lines": b"\n\r\n \nMOVE 1 1\n",
}


@pytest.mark.parametrize("kind", FORGIVEN)
async def test_what_is_forgiven(kind: str) -> None:
    async with club() as room:
        black, white = await room.pair()
        black.write(FORGIVEN[kind])
        await white.hears("VALID black 1 1")
        assert await black.heard() == ["VALID black 1 1"]


async def test_a_bare_carriage_return_ends_no_line() -> None:
    async with club() as room:
        black, white = await room.pair()
        black.write(b"PASS\rTABLEFLIP\nMOVE 1 1\rMOVE 2 2\n")
        assert await black.heard() == [
            "WARNING keyword PASS TABLEFLIP unknown",
            f"WARNING MOVE has two arguments, not 4: {MOVE_FORM}",
        ]
        assert await white.heard() == []


# Where Java's readLine and Scanner and Python's splitlines begin a new line.
SEPARATORS = ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("separator", SEPARATORS, ids=lambda one: f"U+{ord(one):04X}")
async def test_chat_forges_no_line_at_a_client_that_splits_at(separator: str) -> None:
    async with club() as room:
        black, white = await room.pair()
        black.send(f"CHAT hi{separator}VALID black 1 1")
        (line,) = await white.heard()
        assert line == "CHAT alice: hi VALID black 1 1"


STRANGE = {
    "invalid UTF-8": b"CHAT \xff\xfe\n",
    "a lone surrogate": b"CHAT \xed\xa0\x80\n",
    "NUL": b"MOVE 1\x00 1\n",
    "HTTP": b"GET / HTTP/1.1\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01",
}


@pytest.mark.parametrize("kind", STRANGE)
async def test_another_protocol_is_closed_without_a_word(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "parlour")
    async with club() as room:
        black, white = await room.pair()
        stranger = await room.peer()
        stranger.write(STRANGE[kind])
        await stranger.closed()
        await moves(black, white, "1 1")
    assert len(caplog.messages) == 1


async def test_connections_that_say_nothing_are_not_talked_about(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Probes connect and close, politely or not, or send empty lines only."""
    caplog.set_level("DEBUG", "parlour")
    async with club() as room:
        polite, rude, bored = await room.peer(), await room.peer(), await room.peer()
        await polite.close()
        rude.reset()
        bored.write(b"\n\r\n \n\n")
        assert await bored.heard() == []
        await bored.close()
        await room.pair()
    assert caplog.messages == []


@pytest.mark.parametrize("size", [8193 - 5, 100_000, 1 << 20])
@pytest.mark.parametrize("pieces", [1, 2])
async def test_the_tail_of_a_long_line_is_not_run(size: int, pieces: int) -> None:
    async with club() as room:
        black, white = await room.pair()
        line = b"CHAT " + b"A" * size + b"TABLEFLIP\n"
        if pieces == 2:
            black.write(line[:-10])
            assert await white.heard() == []
            line = line[-10:]
        black.write(line)
        heard = await black.heard()
        assert heard == ["WARNING a line may have 8192 bytes: all of it is ignored"]
        await moves(black, white, "1 1")


async def test_one_byte_per_segment() -> None:
    async with club() as room:
        black, white = await room.pair()
        for byte in b"MOVE 1 1\n":
            black.write(bytes([byte]))
            await black.writer.drain()
            assert await white.heard() == ([] if byte != b"\n"[0] else ["VALID black 1 1"])


async def test_a_hundred_commands_in_one_segment() -> None:
    async with club() as room:
        black, white = await room.pair()
        await moves(black, white, "1 1")
        white.send(*["MOVE 2 2"] * 100)
        heard = await white.heard()
        assert heard.count("VALID white 2 2") == 1
        assert len(heard) == 100
        assert all(line.startswith(("VALID", "WARNING ")) for line in heard)
        assert await black.heard() == ["VALID white 2 2"]
        black.send("PASS")
        await white.hears("PASSED black")


def test_nothing_is_heard_after_the_stream_is_lost() -> None:
    session = playing()
    effects = session.received(b"CHAT \xff\nTABLEFLIP\n", NOW)
    assert [type(effect) for effect in effects] == [Note, Submit, Close]
    assert list(session.received(b"PASS\n", NOW)) == []


def test_a_move_that_cannot_be_stored_is_warned_of() -> None:
    session = playing()
    (asked,) = session.received(b"MOVE 1 1\n", NOW)
    assert asked == Submit("match-1", PlayMove("nedap:alice 10.0.0.7", "1,1"))
    no = Refused(Refusal.UNAVAILABLE, "the server cannot store anything just now")
    assert list(session.refused(asked.command, no, NOW)) == [
        Write(b"WARNING the server cannot store anything just now\n")
    ]


LINES = st.sampled_from(
    [b"MOVE 1 1\n", b"PASS\n", b"TABLEFLIP\n", b"CHAT hi\r\n", b"GO 5\n", b"EXIT\n", b"PLAYER a\n",
     b"CANCEL\n", b"GO a 9 b\n", b"\xff", b"\0", b"MOVE", b"\n", b"A" * 9000]
)  # fmt: skip


@given(
    st.lists(LINES | st.binary(max_size=12), max_size=12).map(b"".join),
    st.lists(st.integers(0, 100), max_size=8),
    st.booleans(),
)
def test_pieces_give_the_same_as_the_whole(data: bytes, cuts: list[int], plays: bool) -> None:
    make = playing if plays else stranger
    told = joined(list(make().received(data, NOW)))
    session = make()
    chopped: list[Effect] = []
    edges = sorted({0, len(data), *(cut for cut in cuts if cut <= len(data))})
    for begin, end in itertools.pairwise(edges):
        chopped += session.received(data[begin:end], NOW)
    assert joined(chopped) == told
