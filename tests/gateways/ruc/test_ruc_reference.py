"""What `docs/reference/ruc.md` says is what a server does: its table and its game are played."""

import contextlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from parlour.stores import MemoryStore
from parlour.wire.ruc import ErrorCode, Opcode
from tests.gateways.ruc.peers import House, Peer, house
from tests.gateways.ruc.race import TURN, begun, passes
from tests.service import Clock

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "ruc.md").read_text("utf-8")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table(first: str) -> list[list[str]]:
    """The rows of the page's table whose heading begins so, the heading included."""
    lines = PAGE[PAGE.index(f"| {first} |") :].splitlines()
    rows = [lines[0], *lines[2:]]
    return [cells(line) for line in rows[: rows.index("")]]


HEADING, *ROWS = table("you send | outside a room")

# What a row's words stand for, as (op, data1, data2); "zone" is the asker's own.
REQUESTS = {
    "a line that is no request": (200011, "", ""),
    "an op of the server's": (Opcode.END_TURN, "", ""),
    "JOIN_ROOM, the room is running": (Opcode.JOIN_ROOM, "room1", "not a name!"),
    "JOIN_ROOM, a bad or taken name": (Opcode.JOIN_ROOM, "room3", "not a name!"),
    "JOIN_ROOM, six are in": (Opcode.JOIN_ROOM, "full", "zoe"),
    "JOIN_ROOM, a bad room": (Opcode.JOIN_ROOM, "tab\t", "zoe"),
    "JOIN_ROOM, nothing wrong": (Opcode.JOIN_ROOM, "room3", "zoe"),
    "PLAYER_READY": (Opcode.PLAYER_READY, "", ""),
    "MOVE, no integers in pairs": (Opcode.MOVE, "zone", "-4 5 -4"),
    "MOVE, another's zone or `-1`": (Opcode.MOVE, "zone", "-1"),
    "MOVE, against the rules": (Opcode.MOVE, "zone", "-4 5 0 0"),
    "MOVE, nothing wrong": (Opcode.MOVE, "zone", "-4 5 -4 4"),
    "LEAVE_ROOM": (Opcode.LEAVE_ROOM, "room1", "alice"),
}


@contextlib.asynccontextmanager
async def standing(where: str) -> AsyncIterator[tuple[Peer, str]]:
    """Somebody of whom a column of the table speaks, and the own zone letter."""
    clock, store = Clock(), MemoryStore()
    if where == "stopped by a restart":
        async with house(clock, store) as home:
            await begun(home, 3)
            await home.service.desk.close()
    async with house(clock, store) as home:
        if where == "stopped by a restart":
            yield await _back(home), "A"
            return
        race = await begun(home, 3)
        await home.joined(*"abcdef", room="full")
        (waiting,) = await home.joined("dora", room="room2")
        if where == "lost":
            await passes(home, clock, TURN)
            await race.loses(0)
        if where == "home":
            await race.until_home(seed=47)
            seat = race.position.finished[0]
            yield race.peers[seat], race.position.zones[seat]
            return
        yield {
            "outside a room": (await home.peer(), "A"),
            "in a room, before the start": (waiting, "A"),
            "on turn": (race.peers[0], "A"),
            "not on turn": (race.peers[1], "C"),
            "lost": (race.peers[0], "A"),
        }[where]


async def _back(home: House) -> Peer:
    """Alice after the restart, on turn in a game that waits for bob and cleo."""
    peer = await home.peer()
    peer.says(Opcode.JOIN_ROOM, "room1", "alice")
    await peer.hears(
        ("JOIN_ROOM_REPLY", "bob cleo", "11"), ("START_GAME", "alice bob cleo", "A C E")
    )
    return peer


def test_the_table_is_whole() -> None:
    assert [row[0] for row in ROWS] == list(REQUESTS)
    assert all(len(row) == len(HEADING) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.parametrize("where", HEADING[1:])
async def test_every_answer_of_the_table(row: list[str], where: str) -> None:
    expected = row[HEADING.index(where)]
    op, data1, data2 = REQUESTS[row[0]]
    async with standing(where) as (peer, zone):
        data1 = zone if data1 == "zone" else data1
        peer.write(json.dumps({"data1": data1, "data2": data2, "op": op}).encode() + b"\n")
        said = await peer.frame()
        if expected in ErrorCode.__members__:
            assert said[:2] == ("ERROR", str(ErrorCode[expected].value))
            assert said[2].startswith(f"{expected}: ")
            assert await peer.heard() == []
        else:
            assert said[0] == expected


def test_the_page_has_the_numbers_of_the_protocol() -> None:
    ops = {row[0]: int(row[1]) for row in table("op")[1:]}
    codes = {row[0]: int(row[1]) for row in table("code")[1:]}
    assert ops == {op.name: op.value for op in Opcode}
    assert codes == {code.name: code.value for code in ErrorCode}


async def test_the_game_of_the_page() -> None:
    """Each line sent and each line got, times and the words of errors included."""
    game = re.findall(r"^(\w+)([<>]) (\{.*\})$", PAGE, re.MULTILINE)
    assert len(game) > 20
    async with house(Clock()) as home:
        peers: dict[str, Peer] = {}
        for name, direction, line in game:
            if name not in peers:
                peers[name] = await home.peer()
            if direction == ">":
                peers[name].write(line.encode() + b"\n")
                continue
            fields = json.loads(line)
            wanted = (Opcode(fields["op"]).name, fields["data1"], fields["data2"])
            assert await peers[name].frame() == wanted
        for peer in peers.values():
            assert await peer.heard() == []
