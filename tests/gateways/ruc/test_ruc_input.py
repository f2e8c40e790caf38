"""Bad input, wherever it comes: the ruled code, nothing relayed, the turn's time untouched."""

import contextlib
from collections.abc import AsyncIterator

import pytest

from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.ruc.peers import Peer, house
from tests.gateways.ruc.race import STEP, TURN, begun, passes
from tests.service import Clock

E = ErrorCode


def written(op: int, data1: str = '""', data2: str = '""') -> bytes:
    """A line whose values are written as they are given, in JSON or not."""
    return f'{{"data1":{data1},"data2":{data2},"op":{op}}}\n'.encode()


LINES = {
    "no JSON": b"hello\n",
    "an empty line": b"\n",
    "half a line of JSON": b'{"data1":"A","data2":"-4 5 -4 4","op":2000\n',
    "two objects in a line": b'{"op":200004}{"op":200004}\n',
    "a list": b"[1]\n",
    "a string": b'"200004"\n',
    "an object in the object": b'{"op":200004,"x":{"op":200004}}\n',
    "missing op": b'{"data1":"","data2":""}\n',
    "op is a string": b'{"op":"200004"}\n',
    "op is a float": b'{"op":200004.0}\n',
    "op is true": b'{"op":true}\n',
    "op is null": b'{"op":null}\n',
    "op is NaN": b'{"op":NaN}\n',
    "op is 1e999": b'{"op":1e999}\n',
    "op is negative": b'{"op":-200004}\n',
    "op has 5,000 digits": b'{"op":' + b"9" * 5000 + b"}\n",
    "data1 has 5,000 digits": b'{"op":200004,"data1":' + b"9" * 5000 + b"}\n",
    "op is unknown": b'{"op":200011}\n',
    "op is unknown too": b'{"op":200012}\n',
    "data1 is null": written(200004, "null"),
    "data2 is null": written(200007, '"A"', "null"),
    "data1 is a number": written(200000, "1", '"alice"'),
    "data2 is a list": written(200007, '"A"', "[-4,5,-4,4]"),
    "data2 is true": written(200004, '""', "true"),
    "op twice": b'{"op":200007,"op":200004}\n',
    "op twice, once escaped": b'{"op":200007,"\\u006fp":200004}\n',
    "data1 twice": b'{"data1":"A","data1":"A","data2":"-4 5 -4 4","op":200007}\n',
    "an unknown key twice": b'{"x":1,"x":1,"op":200004}\n',
    "100,000 brackets": b"[" * 100_000 + b"\n",
    "8,000 brackets": b"[" * 8000 + b"\n",
    "a lone surrogate": written(200000, '"\\ud800"', '"alice"'),
    "half a pair of surrogates": written(200004, '"\\udc00"'),
    "a NUL": b'{"data1":"\x00","data2":"","op":200004}\n',
    "a NUL before the line": b'\x00{"op":200004}\n',
    "a raw control character": b'{"data1":"\x1b","data2":"","op":200004}\n',
    "a room of 10,000 characters": written(200000, '"' + "x" * 10_000 + '"', '"alice"'),
    "a path of 2,000 cells": written(200007, '"A"', '"' + "-4 6 -2 4 " * 1000 + '"'),
    "JOIN_ROOM_REPLY": written(200001),
    "CLOSE_ROOM": written(200003, '"room1"'),
    "START_GAME": written(200005, '"alice bob"', '"A D"'),
    "START_TURN": written(200006, '"A"', '"1700000000"'),
    "END_TURN": written(200008),
    "END_GAME": written(200009, '"alice bob"'),
    "ERROR": written(200010, '"400000"', '"you are wrong"'),
}
everywhere = pytest.mark.parametrize("where", ["outside", "waiting", "on turn", "not on turn"])


@contextlib.asynccontextmanager
async def somewhere(where: str) -> AsyncIterator[Peer]:
    """One who will say something bad; at the end the others have heard nothing of it."""
    clock = Clock()
    async with house(clock) as home:
        race = await begun(home, 3)
        before = (await home.match()).clock
        (waiting, other) = await home.joined("dora", "emil", room="room2")
        stranger = await home.peer()
        yield {
            "outside": stranger,
            "waiting": waiting,
            "on turn": race.peers[0],
            "not on turn": race.peers[1],
        }[where]
        for peer in (*race.peers, waiting, other, stranger):
            assert await peer.heard() == []
        (running, _) = home.service.host.directory.unfinished
        assert (await home.service.host.state(running))[0].clock == before
        await passes(home, clock, TURN - 1)
        await race.quiet()
        await passes(home, clock, 1)
        await race.loses(0)


@everywhere
@pytest.mark.parametrize("line", LINES.values(), ids=list(LINES))
async def test_a_line_that_is_no_request(line: bytes, where: str) -> None:
    async with somewhere(where) as peer:
        peer.write(line)
        await peer.is_told(E.INVALID_REQ)


JOINS = {
    "an empty name": ('"room3"', '""'),
    "a name with a newline": ('"room3"', '"abc\\n"'),
    "a name with a NUL": ('"room3"', '"abc\\u0000"'),
    "a name in another alphabet": ('"room3"', '"é"'),
    "a name of full-width letters": ('"room3"', '"\uff41\uff4c\uff49\uff43\uff45"'),
    "a name of twenty-one letters": ('"room3"', '"' + "a" * 21 + '"'),
    "a name of two words": ('"room3"', '"two words"'),
    "a name that is taken": ('"room2"', '"dora"'),
    "a name that is taken in small letters": ('"room2"', '"DORA"'),
    "a room of no characters": ('""', '"zoe"'),
    "a room of spaces": ('"   "', '"zoe"'),
    "a room of 65 characters": ('"' + "x" * 65 + '"', '"zoe"'),
    "a room of 8,000 characters": ('"' + "x" * 8000 + '"', '"zoe"'),
    "a room with a tab": ('"tab\\t"', '"zoe"'),
    "a room with a NUL": ('"a\\u0000b"', '"zoe"'),
    "a room with a line separator": ('"a\\u2028b"', '"zoe"'),
}


@pytest.mark.parametrize(("room", "name"), JOINS.values(), ids=list(JOINS))
async def test_a_join_that_is_refused(room: str, name: str) -> None:
    async with somewhere("outside") as stranger:
        stranger.write(written(Opcode.JOIN_ROOM, room, name))
        await stranger.is_told(E.INVALID_JOIN)
        stranger.says(Opcode.PLAYER_READY)
        await stranger.is_told(E.NOT_IN_ROOM)


@pytest.mark.parametrize(
    "room", ['"房间"', '"' + "x" * 64 + '"', '"a b"', '"\\u0041"', '"\\"\\\\"']
)
async def test_a_room_of_any_printable_text(room: str) -> None:
    async with house(Clock()) as home:
        for name, others in (("zoe", ""), ("yan", "zoe")):
            peer = await home.peer()
            peer.write(written(Opcode.JOIN_ROOM, room, f'"{name}"'))
            await peer.hears(("JOIN_ROOM_REPLY", others, "0" if others else ""))


async def test_a_seventh_join() -> None:
    async with house(Clock()) as home:
        peers = await home.joined(*"abcdef")
        seventh = await home.peer()
        seventh.says(Opcode.JOIN_ROOM, "room1", "g")
        await seventh.is_told(E.INVALID_JOIN)
        for peer in (*peers, seventh):
            assert await peer.heard() == []


async def test_a_join_of_a_running_room() -> None:
    async with somewhere("outside") as stranger:
        stranger.says(Opcode.JOIN_ROOM, "room1", "zoe")
        await stranger.is_told(E.ROOM_IS_RUNNING)
        stranger.says(Opcode.JOIN_ROOM, "room1", "not a name!")
        await stranger.is_told(E.ROOM_IS_RUNNING)


async def test_two_rooms_on_one_connection() -> None:
    async with somewhere("waiting") as peer:
        peer.says(Opcode.JOIN_ROOM, "room3", "dora")
        await peer.is_told(E.INVALID_JOIN)
        peer.says(Opcode.JOIN_ROOM, "room2", "dora")
        await peer.is_told(E.INVALID_JOIN)
        peer.says(Opcode.JOIN_ROOM, "room1", "dora")
        await peer.is_told(E.ROOM_IS_RUNNING)


async def test_two_rooms_on_one_connection_while_playing() -> None:
    async with somewhere("on turn") as peer:
        peer.says(Opcode.JOIN_ROOM, "room3", "alice")
        await peer.is_told(E.INVALID_JOIN)
        peer.says(Opcode.JOIN_ROOM, "room1", "alice")
        await peer.is_told(E.ROOM_IS_RUNNING)


PATHS = {
    "empty": ("A", "", E.INVALID_REQ),
    "spaces": ("A", "  ", E.INVALID_REQ),
    "of odd length": ("A", "-4 5 -4", E.INVALID_REQ),
    "of one number": ("A", "-4", E.INVALID_REQ),
    "of one pair": ("A", "-4 5", E.INVALID_MOVE),
    "junk of one pair": ("A", "1 0", E.INVALID_MOVE),
    "a step to where it stands": ("A", "-4 5 -4 5", E.INVALID_MOVE),
    "through the start and back to it": ("A", "-4 6 -2 4 -4 6", E.INVALID_MOVE),
    "of 200 cells": ("A", " ".join(["-4 6 -2 4"] * 100), E.INVALID_MOVE),
    "of 200 cells that are one": ("A", " ".join(["-4 5"] * 200), E.INVALID_MOVE),
    "of 123 cells": ("A", " ".join(["-4 6 -2 4"] * 61 + ["-4 6"]), E.INVALID_MOVE),
    "a time-out": ("A", "-1", E.INVALID_MOVE),
    "with an underscore": ("A", "-4 5 -4 0_4", E.INVALID_REQ),
    "with a plus": ("A", "-4 5 -4 +4", E.INVALID_REQ),
    "with full-width digits": ("A", "-4 5 -4 \uff14", E.INVALID_REQ),
    "with Arabic digits": ("A", "-4 5 -4 \u0664", E.INVALID_REQ),
    "with four digits": ("A", "-4 5 -4 0004", E.INVALID_REQ),
    "with commas": ("A", "-4,5,-4,4", E.INVALID_REQ),
    "with a tab": ("A", "-4 5 -4\\t4", E.INVALID_REQ),
    "with a fraction": ("A", "-4 5 -4 4.0", E.INVALID_REQ),
    "off the board": ("A", "-4 8 -4 9", E.INVALID_MOVE),
    "far off the board": ("A", "-4 5 999 -99", E.INVALID_MOVE),
    "too long a step": ("A", "-4 5 0 0", E.INVALID_MOVE),
    "a hop over nothing": ("A", "-4 5 -4 3", E.INVALID_MOVE),
    "a hop onto a piece": ("A", "-4 8 -4 6", E.INVALID_MOVE),
    "a hop and then a step": ("A", "-4 6 -2 4 -2 3", E.INVALID_MOVE),
    "a step and then a hop": ("A", "-4 5 -4 4 -4 6", E.INVALID_MOVE),
    "of nobody's piece": ("A", "0 0 0 1", E.INVALID_MOVE),
    "of somebody else's piece": ("A", "5 -4 4 -3", E.INVALID_MOVE),
    "with somebody else's zone": ("C", "5 -4 4 -3", E.INVALID_MOVE),
    "with somebody else's zone for one's own piece": ("C", "-4 5 -4 4", E.INVALID_MOVE),
    "with a small zone letter": ("a", "-4 5 -4 4", E.INVALID_MOVE),
    "with no zone": ("", "-4 5 -4 4", E.INVALID_MOVE),
}


@pytest.mark.parametrize(("zone", "path", "code"), PATHS.values(), ids=list(PATHS))
async def test_a_path(zone: str, path: str, code: ErrorCode) -> None:
    async with somewhere("on turn") as peer:
        peer.write(written(Opcode.MOVE, f'"{zone}"', f'"{path}"'))
        await peer.is_told(code)


@pytest.mark.parametrize(("zone", "path"), [(one[0], one[1]) for one in PATHS.values()], ids=PATHS)
async def test_any_path_out_of_turn(zone: str, path: str) -> None:
    """The path is not read."""
    async with somewhere("not on turn") as peer:
        peer.write(written(Opcode.MOVE, f'"{zone}"', f'"{path}"'))
        await peer.is_told(E.OUTTURN_MOVE)


@pytest.mark.parametrize("where", ["outside", "waiting"])
@pytest.mark.parametrize(("zone", "path"), [(one[0], one[1]) for one in PATHS.values()], ids=PATHS)
async def test_any_path_without_a_game(zone: str, path: str, where: str) -> None:
    async with somewhere(where) as peer:
        peer.write(written(Opcode.MOVE, f'"{zone}"', f'"{path}"'))
        await peer.is_told(E.NOT_IN_ROOM if where == "outside" else E.ROOM_NOT_RUNNING)


@pytest.mark.parametrize(
    "path", ["-4 6 -2 4 -4 6 -2 4", " ".join(["-4 6 -2 4"] * 60)], ids=["short", "of 120 cells"]
)
async def test_a_path_through_its_start_is_a_move(path: str) -> None:
    """Fault C04: the start is empty from the first hop on."""
    async with house(Clock()) as home:
        race = await begun(home, 3)
        race.peers[0].says(Opcode.MOVE, "A", path)
        await race.peers[1].hears(("MOVE", "A", path), ("START_TURN", "C", "*"))


async def test_a_refused_hop_is_named() -> None:
    """Fault C10."""
    async with somewhere("on turn") as peer:
        peer.says(Opcode.MOVE, "A", "-4 6 -2 4 -2 3")
        _, _, sentence = await peer.frame()
        assert sentence.startswith("INVALID_MOVE: hop 2 ")


@pytest.mark.parametrize(
    "hello", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b'{"data1":"\xff"}\n']
)
async def test_another_protocol_is_closed_and_nobody_else_hears_of_it(hello: bytes) -> None:
    async with house(Clock()) as home:
        race = await begun(home, 3)
        stranger = await home.peer()
        stranger.write(hello)
        assert await stranger.frame() == ("EOF", "", "")
        await race.plays(STEP)
        await race.quiet()
