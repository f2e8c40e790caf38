"""Which of the eight codes answers what, in the ruled order, and that nothing is relayed."""

import json

import pytest

from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.ruc.peers import house

E = ErrorCode

BAD_LINES = {
    "no JSON": b"hello\n",
    "an empty line": b"\n",
    "a list": b"[1]\n",
    "no op": b'{"data1":"","data2":""}\n',
    "an op in words": b'{"op":"MOVE"}\n',
    "an unknown op": b'{"op":200011}\n',
    "an infinite op": b'{"op":1e999}\n',
    "an op of 5,000 digits": b'{"op":' + b"9" * 5000 + b"}\n",
    "null": b'{"op":200000,"data1":null,"data2":""}\n',
    "a number": b'{"op":200000,"data1":1,"data2":""}\n',
    "a key twice": b'{"op":200000,"op":200004,"data1":"","data2":""}\n',
    "100,000 brackets": b"[" * 100_000 + b"\n",
    "a lone surrogate": b'{"op":200000,"data1":"\\ud800","data2":"a"}\n',
    "what only servers say": b'{"op":200008,"data1":"","data2":""}\n',
    "CLOSE_ROOM": b'{"op":200003,"data1":"room1","data2":""}\n',
}


@pytest.mark.parametrize("line", BAD_LINES.values(), ids=list(BAD_LINES))
async def test_what_is_no_request_is_said_to_be_none(line: bytes) -> None:
    async with house() as home:
        alice, bob = await home.joined("alice", "bob")
        alice.write(line)
        await alice.is_told(E.INVALID_REQ)
        alice.says(Opcode.PLAYER_READY)
        await bob.hears(("PLAYER_READY", "alice", ""))


@pytest.mark.parametrize("op", [Opcode.PLAYER_READY, Opcode.MOVE, Opcode.LEAVE_ROOM])
async def test_outside_a_room(op: Opcode) -> None:
    async with house() as home:
        stranger = await home.peer()
        stranger.says(op)
        await stranger.is_told(E.NOT_IN_ROOM)


@pytest.mark.parametrize(
    ("room", "name"),
    [
        ("room1", ""),
        ("room1", "abc\n"),
        ("room1", "é"),
        ("room1", "a" * 21),
        ("room1", "two words"),
        ("room1", "nul\0"),
        ("room1", "taken"),
        ("", "alice"),
        ("x" * 65, "alice"),
        ("x" * 7000, "alice"),
        ("tab\t", "alice"),
        ("   ", "alice"),
    ],
)
async def test_a_join_that_is_refused(room: str, name: str) -> None:
    async with house() as home:
        (taken,) = await home.joined("taken")
        stranger = await home.peer()
        frame = {"data1": room, "data2": name, "op": Opcode.JOIN_ROOM}
        stranger.write(json.dumps(frame).encode() + b"\n")
        await stranger.is_told(E.INVALID_JOIN)
        taken.says(Opcode.PLAYER_READY)
        await taken.hears(("PLAYER_READY", "taken", ""))


async def test_a_seventh_a_second_room_and_a_running_room() -> None:
    async with house() as home:
        peers = await home.joined(*"abcdef")
        seventh = await home.peer()
        seventh.says(Opcode.JOIN_ROOM, "room1", "g")
        await seventh.is_told(E.INVALID_JOIN)
        peers[0].says(Opcode.JOIN_ROOM, "elsewhere", "a")
        await peers[0].is_told(E.INVALID_JOIN)
        players = await home.started("x", "y", room="garden")
        seventh.says(Opcode.JOIN_ROOM, "garden", "not allowed!")
        await seventh.is_told(E.ROOM_IS_RUNNING)
        players[0].says(Opcode.PLAYER_READY)
        await players[0].is_told(E.ROOM_IS_RUNNING)


async def test_a_move_before_the_start() -> None:
    async with house() as home:
        (alice,) = await home.joined("alice")
        alice.says(Opcode.MOVE, "A", "-4 5 -4 4")
        await alice.is_told(E.ROOM_NOT_RUNNING)


MOVES = [
    ("A", "-4 5 -4", E.INVALID_REQ),
    ("A", "", E.INVALID_REQ),
    ("A", "1_0 3 4 5", E.INVALID_REQ),
    ("A", "-4 5 -4 \uff14", E.INVALID_REQ),
    ("A", "+4 5 4 4", E.INVALID_REQ),
    ("A", "-4 5", E.INVALID_MOVE),
    ("A", "1 0", E.INVALID_MOVE),
    ("A", "-1", E.INVALID_MOVE),
    ("D", "-4 5 -4 4", E.INVALID_MOVE),
    ("", "-4 5 -4 4", E.INVALID_MOVE),
    ("A", "4 -5 4 -4", E.INVALID_MOVE),
    ("A", "-4 5 0 0", E.INVALID_MOVE),
    ("A", " ".join(["-4 5"] * 200), E.INVALID_MOVE),
    ("A", "-4 6 -4 4 -4 6", E.INVALID_MOVE),
]


@pytest.mark.parametrize(("zone", "path", "code"), MOVES)
async def test_a_move_that_is_refused_costs_only_time(
    zone: str, path: str, code: ErrorCode
) -> None:
    async with house() as home:
        alice, bob = await home.started("alice", "bob")
        (stream,) = home.service.host.directory.unfinished
        before, _ = await home.service.host.state(stream)
        alice.says(Opcode.MOVE, zone, path)
        await alice.is_told(code)
        after, _ = await home.service.host.state(stream)
        assert after.clock == before.clock
        alice.says(Opcode.MOVE, "A", "-4 5 -4 4")
        await bob.hears(("MOVE", "A", "-4 5 -4 4"), ("START_TURN", "D", "*"))


async def test_out_of_turn_before_the_path_is_read() -> None:
    async with house() as home:
        _, bob = await home.started("alice", "bob")
        bob.says(Opcode.MOVE, "D", "nonsense")
        await bob.is_told(E.OUTTURN_MOVE)


@pytest.mark.parametrize("hello", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00", b"\xff\n"])
async def test_a_foreign_protocol_is_closed(hello: bytes) -> None:
    async with house() as home:
        stranger = await home.peer()
        stranger.write(hello)
        assert await stranger.frame() == ("EOF", "", "")


async def test_a_name_that_is_taken_from_the_same_address_hurts_nobody() -> None:
    async with house() as home:
        alice, bob = await home.joined("alice", "bob")
        again = await home.peer()
        again.says(Opcode.JOIN_ROOM, "room1", "bob")
        await again.is_told(E.INVALID_JOIN)
        bob.says(Opcode.PLAYER_READY)
        await alice.hears(("PLAYER_READY", "bob", ""))
        again.says(Opcode.JOIN_ROOM, "room1", "cleo")
        await again.hears(("JOIN_ROOM_REPLY", "alice bob", "01"))


async def test_requests_behind_a_join_wait_for_its_answer() -> None:
    async with house() as home:
        hasty = await home.peer()
        hasty.write(
            b'{"data1":"r","data2":"a","op":200000}\n'
            b'{"data1":"s","data2":"a","op":200000}\n'
            b'{"data1":"a","data2":"","op":200004}\n'
        )
        await hasty.hears(("JOIN_ROOM_REPLY", "", ""))
        await hasty.is_told(E.INVALID_JOIN)
        await hasty.hears(("PLAYER_READY", "a", ""))
        assert len(home.service.host.directory.unfinished) == 1


async def test_two_who_open_one_room_at_once_meet_in_it() -> None:
    async with house() as home:
        first, second = await home.peer(), await home.peer()
        first.says(Opcode.JOIN_ROOM, "room1", "first")
        second.says(Opcode.JOIN_ROOM, "room1", "second")
        await first.hears(("JOIN_ROOM_REPLY", "", ""), ("JOIN_ROOM", "second", ""))
        await second.hears(("JOIN_ROOM_REPLY", "first", "0"))
