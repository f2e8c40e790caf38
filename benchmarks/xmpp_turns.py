"""Turns without an XMPP server, sockets and disk: what rooms and host cost by themselves."""

import asyncio
import time
from xml.etree import ElementTree

from benchmarks.figures import Figure
from benchmarks.processes import BenchError
from benchmarks.xmpp_people import GAME, MARKS, MUG
from parlour.buses import MemoryBus
from parlour.cli import GAMES
from parlour.gateways.mug import MugGateway, MugOptions, RoomAggregate
from parlour.host import Chat, Host
from parlour.match import MatchAggregate
from parlour.stores import MemoryStore

DOMAIN = "games.example.org"
STREAM = "jabber:component:accept"
MATCHES = 60  # of nine turns each
SETTLES = 8  # turns of the loop after which nothing is on its way


def measure(rounds: int, occupants: int) -> Figure:
    """Microseconds of processor time for a turn in one room, from the stanza to what is sent."""
    spent = [asyncio.run(_play(occupants)) for _ in range(rounds)]
    return Figure(f"no server, rooms of {occupants}, processor for each turn", "us", spent)


async def _play(occupants: int) -> float:
    numbers = iter(range(1, 1_000_000))

    def new_id() -> str:
        return f"{next(numbers):06d}"

    host = Host(MemoryStore(), MemoryBus(), [MatchAggregate(GAMES), RoomAggregate()], _now, new_id)
    options = MugOptions(rate=1_000_000, burst=1_000_000)
    said: list[str] = []
    gateway = MugGateway(host, Chat(), options, DOMAIN, said.append, new_id)
    gateway.connected()
    try:
        await _enter(gateway, occupants)
        turns = [await _match(gateway, first) for first in range(MATCHES)]
        told = sum(one.count("<turn ") for one in said)
        if told != MATCHES * len(MARKS) * occupants:
            raise BenchError(f"{told} turns were told in a room of {occupants}")
        return sum(turns) / len(turns) / len(MARKS) * 1e6
    finally:
        gateway.close()
        await host.close()


async def _enter(gateway: MugGateway, occupants: int) -> None:
    for number in range(occupants):
        game = f"<game xmlns='{MUG}' var='{GAME}'/>"
        await _say(gateway, number, "presence", game, nick=f"/n{number}")
        if not number:
            value = "<field var='mug#roomconfig_maxusers'><value>50</value></field>"
            form = f"<x xmlns='jabber:x:data' type='submit'>{value}</x>"
            query = f"<query xmlns='{MUG}#owner'><options>{form}</options></query>"
            await _say(gateway, number, "iq", query, more=" type='set' id='c'")
    for number, role in enumerate("xo"):
        await _say(gateway, number, "presence", f"<game xmlns='{MUG}'><item role='{role}'/></game>")


async def _match(gateway: MugGateway, first: int) -> float:
    """Seconds of processor time that the turns of a match took."""
    for number in range(2):
        await _say(gateway, number, "message", f"<start xmlns='{MUG}#user'/>")
    began = time.process_time()
    for ply, (row, col) in enumerate(MARKS):
        move = f"<move xmlns='{GAME}' row='{row}' col='{col}' id='{ply + 1}'/>"
        turn = f"<turn xmlns='{MUG}#user'>{move}</turn>"
        await _say(gateway, (first + ply) % 2, "message", turn, more=" type='chat'")
    return time.process_time() - began


async def _say(
    gateway: MugGateway, number: int, kind: str, inside: str, nick: str = "", more: str = ""
) -> None:
    head = f"from='u{number}@example.org/r' to='room@{DOMAIN}{nick}'{more}"
    gateway.received(ElementTree.fromstring(f"<{kind} xmlns='{STREAM}' {head}>{inside}</{kind}>"))
    for _ in range(SETTLES):
        await asyncio.sleep(0)


def _now() -> int:
    return time.time_ns() // 1_000_000
